// Liquidity in the pools of Aquarius.

import type { GetAquariusHistoryResponse, GetAquariusPositionsResponse } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class AquariusResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Liquidity of an account in all pools, now or as of a ledger. */
  positions(
    address: string,
    query: QueryOf<'getAquariusPositions'> = {},
    request: RequestOptions = {},
  ): Promise<GetAquariusPositionsResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/aquarius', {
        params: { path: { address }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Values of the liquidity in one pool over time. */
  history(
    address: string,
    pair: string,
    query: QueryOf<'getAquariusHistory'> = {},
    request: RequestOptions = {},
  ): Promise<GetAquariusHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/aquarius/{pair}/history', {
        params: { path: { address, pair }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }
}
