// Liquidity in the pools of Soroswap.

import type { GetSoroswapHistoryResponse, GetSoroswapPositionsResponse } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class SoroswapResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Liquidity of an account in all pools, now or as of a ledger. */
  positions(
    address: string,
    query: QueryOf<'getSoroswapPositions'> = {},
    request: RequestOptions = {},
  ): Promise<GetSoroswapPositionsResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/soroswap', {
        params: { path: { address }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Values of the liquidity in one pool over time. */
  history(
    address: string,
    pair: string,
    query: QueryOf<'getSoroswapHistory'> = {},
    request: RequestOptions = {},
  ): Promise<GetSoroswapHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/soroswap/{pair}/history', {
        params: { path: { address, pair }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }
}
