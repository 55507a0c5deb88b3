// Vaults and locked stakes of FxDAO.

import type { GetFxdaoHistoryResponse, GetFxdaoPositionsResponse } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class FxdaoResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Vaults and locked stakes of an account, now or as of a ledger. */
  positions(address: string, query: QueryOf<'getFxdaoPositions'> = {}, request: RequestOptions = {}): Promise<GetFxdaoPositionsResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/fxdao', {
        params: { path: { address }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Values of the vault in one currency over time. */
  history(
    address: string,
    currency: string,
    query: QueryOf<'getFxdaoHistory'> = {},
    request: RequestOptions = {},
  ): Promise<GetFxdaoHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/fxdao/{currency}/history', {
        params: { path: { address, currency }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }
}
