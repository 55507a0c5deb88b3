// The protocols, and figures about each as a whole.

import type {
  AccountPosition,
  GetEmissionsResponse,
  GetReservesResponse,
  GetTvlResponse,
  ListProtocolAccountsResponse,
  ListProtocolsResponse,
} from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { Pages } from '../pages.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class ProtocolsResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** The protocols with the state of their adapters. */
  list(request: RequestOptions = {}): Promise<ListProtocolsResponse> {
    return answerOf(this.#http.api.GET('/v1/protocols', { ...initOf(request) }))
  }

  /** Total value locked by day. */
  tvl(protocol: string, query: QueryOf<'getTvl'> = {}, request: RequestOptions = {}): Promise<GetTvlResponse> {
    return answerOf(
      this.#http.api.GET('/v1/protocols/{id}/tvl', { params: { path: { id: protocol }, query: wireQuery(query) }, ...initOf(request) }),
    )
  }

  /** Emissions by pool and asset. */
  emissions(protocol: string, request: RequestOptions = {}): Promise<GetEmissionsResponse> {
    return answerOf(this.#http.api.GET('/v1/protocols/{id}/emissions', { params: { path: { id: protocol } }, ...initOf(request) }))
  }

  /** Reserves and backstops, now or as of a ledger. */
  reserves(protocol: string, query: QueryOf<'getReserves'> = {}, request: RequestOptions = {}): Promise<GetReservesResponse> {
    return answerOf(
      this.#http.api.GET('/v1/protocols/{id}/reserves', {
        params: { path: { id: protocol }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Positions by health factor, net value or debt: the risky ones first. */
  accounts(
    protocol: string,
    query: QueryOf<'listProtocolAccounts'> = {},
    request: RequestOptions = {},
  ): Pages<ListProtocolAccountsResponse, AccountPosition> {
    const load = (cursor: string | undefined): Promise<ListProtocolAccountsResponse> =>
      answerOf(
        this.#http.api.GET('/v1/protocols/{id}/accounts', {
          params: { path: { id: protocol }, query: { ...wireQuery(query), ...(cursor !== undefined && { cursor }) } },
          ...initOf(request),
        }),
      )
    return new Pages(load, ({ data }) => data.positions)
  }
}
