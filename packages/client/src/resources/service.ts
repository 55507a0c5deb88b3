// Ledgers, transactions and the state of the service.

import type {
  FindLedgerResponse,
  GetHealthResponse,
  GetIndexResponse,
  GetLedgerResponse,
  GetServiceResponse,
  GetTransactionResponse,
} from '../generated/openapi.ts'
import { answerOf, type Http, initOf, type OpenApiDocument } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class ServiceResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** What a transaction did in the protocols, with a sentence from the side of an account. */
  transaction(hash: string, query: QueryOf<'getTransaction'> = {}, request: RequestOptions = {}): Promise<GetTransactionResponse> {
    return answerOf(
      this.#http.api.GET('/v1/transactions/{hash}', { params: { path: { hash }, query: wireQuery(query) }, ...initOf(request) }),
    )
  }

  /** The last ledger that closed at or before an instant. */
  ledgerAt(at: Date | string, request: RequestOptions = {}): Promise<FindLedgerResponse> {
    return answerOf(this.#http.api.GET('/v1/ledgers', { params: { query: wireQuery<{ at: string }>({ at }) }, ...initOf(request) }))
  }

  /** A ledger with its close time and hash. */
  ledger(sequence: number, request: RequestOptions = {}): Promise<GetLedgerResponse> {
    return answerOf(this.#http.api.GET('/v1/ledgers/{sequence}', { params: { path: { sequence } }, ...initOf(request) }))
  }

  /** Adapters with their versions, lag, gaps and notices. */
  index(request: RequestOptions = {}): Promise<GetIndexResponse> {
    return answerOf(this.#http.api.GET('/v1/index', { ...initOf(request) }))
  }

  /** Version, build, network and documents of the service. It needs no key. */
  about(request: RequestOptions = {}): Promise<GetServiceResponse> {
    return answerOf(this.#http.api.GET('/v1', { ...initOf(request) }))
  }

  /** Whether the database, the cache and the adapters work. */
  health(request: RequestOptions = {}): Promise<GetHealthResponse> {
    return answerOf(this.#http.api.GET('/v1/health', { ...initOf(request) }))
  }

  /** The OpenAPI document of the service. It needs no key. */
  document(request: RequestOptions = {}): Promise<OpenApiDocument> {
    return answerOf(this.#http.documents.GET('/openapi.json', { ...initOf(request) }))
  }
}
