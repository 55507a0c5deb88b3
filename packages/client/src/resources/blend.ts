// Positions in the lending pools of Blend.

import type { GetBlendHistoryResponse, GetBlendPositionResponse, GetBlendSummaryHistoryResponse } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class BlendResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** What an account has in one pool, now or as of a ledger. */
  position(
    address: string,
    pool: string,
    query: QueryOf<'getBlendPosition'> = {},
    request: RequestOptions = {},
  ): Promise<GetBlendPositionResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/blend/{pool_id}', {
        params: { path: { address, pool_id: pool }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Values of the position in one pool over time. */
  history(
    address: string,
    pool: string,
    query: QueryOf<'getBlendHistory'> = {},
    request: RequestOptions = {},
  ): Promise<GetBlendHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/blend/{pool_id}/history', {
        params: { path: { address, pool_id: pool }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Values of the positions in all pools together over time. */
  summaryHistory(
    address: string,
    query: QueryOf<'getBlendSummaryHistory'> = {},
    request: RequestOptions = {},
  ): Promise<GetBlendSummaryHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/positions/blend/summary/history', {
        params: { path: { address }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }
}
