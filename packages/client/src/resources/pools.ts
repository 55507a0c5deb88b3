// Pools of all protocols.

import type {
  Activity,
  GetPoolHistoryResponse,
  GetPoolResponse,
  ListPoolActivitiesResponse,
  ListPoolsResponse,
  PoolItem,
} from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { Pages } from '../pages.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

export class PoolsResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Pools with their tokens, value, volume and yields; the largest first, unless `sort` says otherwise. */
  list(query: QueryOf<'listPools'> = {}, request: RequestOptions = {}): Pages<ListPoolsResponse, PoolItem> {
    const load = (cursor: string | undefined): Promise<ListPoolsResponse> =>
      answerOf(
        this.#http.api.GET('/v1/pools', {
          params: { query: { ...wireQuery(query), ...(cursor !== undefined && { cursor }) } },
          ...initOf(request),
        }),
      )
    return new Pages(load, ({ data }) => data.pools)
  }

  /** One pool with what only its type has. */
  get(pool: string, request: RequestOptions = {}): Promise<GetPoolResponse> {
    return answerOf(this.#http.api.GET('/v1/pools/{pool_id}', { params: { path: { pool_id: pool } }, ...initOf(request) }))
  }

  /** Value, volume and yields of a pool over time. */
  history(pool: string, query: QueryOf<'getPoolHistory'> = {}, request: RequestOptions = {}): Promise<GetPoolHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/pools/{pool_id}/history', {
        params: { path: { pool_id: pool }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }

  /** Every activity of all accounts in a pool, newest first. */
  activities(
    pool: string,
    query: QueryOf<'listPoolActivities'> = {},
    request: RequestOptions = {},
  ): Pages<ListPoolActivitiesResponse, Activity> {
    const load = (cursor: string | undefined): Promise<ListPoolActivitiesResponse> =>
      answerOf(
        this.#http.api.GET('/v1/pools/{pool_id}/activities', {
          params: { path: { pool_id: pool }, query: { ...wireQuery(query), ...(cursor !== undefined && { cursor }) } },
          ...initOf(request),
        }),
      )
    return new Pages(load, ({ data }) => data.activities)
  }
}
