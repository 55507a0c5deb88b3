// What an account has, had and did, over all protocols.

import type {
  Action,
  Activity,
  GetActivitySeriesResponse,
  GetNetWorthHistoryResponse,
  GetPortfolioResponse,
  GetPortfoliosResponse,
  ListActionsResponse,
  ListActivitiesResponse,
} from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { Pages } from '../pages.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf, RestOf } from '../types.ts'

export class AccountsResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** Deposits, debts, health, yields and rewards of an account in all protocols, now. */
  portfolio(address: string, request: RequestOptions = {}): Promise<GetPortfolioResponse> {
    return answerOf(this.#http.api.GET('/v1/users/{address}/positions', { params: { path: { address } }, ...initOf(request) }))
  }

  /** Portfolios of up to 100 accounts, now or as of a ledger, in the order of the addresses. */
  portfolios(
    addresses: readonly string[],
    query: RestOf<'getPortfolios', 'addresses'> = {},
    request: RequestOptions = {},
  ): Promise<GetPortfoliosResponse> {
    const parameters = { ...query, addresses: addresses.join(',') }
    return answerOf(this.#http.api.GET('/v1/positions', { params: { query: parameters }, ...initOf(request) }))
  }

  /** Net worth over all protocols, as points of time or of ledgers. */
  history(address: string, query: QueryOf<'getNetWorthHistory'> = {}, request: RequestOptions = {}): Promise<GetNetWorthHistoryResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/history', { params: { path: { address }, query: wireQuery(query) }, ...initOf(request) }),
    )
  }

  /** Every change of the positions of an account, one row for each movement, newest first. */
  activities(
    address: string,
    query: QueryOf<'listActivities'> = {},
    request: RequestOptions = {},
  ): Pages<ListActivitiesResponse, Activity> {
    const load = (cursor: string | undefined): Promise<ListActivitiesResponse> =>
      answerOf(
        this.#http.api.GET('/v1/users/{address}/activities', {
          params: { path: { address }, query: { ...wireQuery(query), ...(cursor !== undefined && { cursor }) } },
          ...initOf(request),
        }),
      )
    return new Pages(load, ({ data }) => data.activities)
  }

  /** The same by action, one for each line on a screen, with a sentence. */
  actions(address: string, query: QueryOf<'listActions'> = {}, request: RequestOptions = {}): Pages<ListActionsResponse, Action> {
    const load = (cursor: string | undefined): Promise<ListActionsResponse> =>
      answerOf(
        this.#http.api.GET('/v1/users/{address}/actions', {
          params: { path: { address }, query: { ...wireQuery(query), ...(cursor !== undefined && { cursor }) } },
          ...initOf(request),
        }),
      )
    return new Pages(load, ({ data }) => data.actions)
  }

  /** Number and USD volume of activities, by type and bucket. */
  activitySeries(
    address: string,
    query: QueryOf<'getActivitySeries'> = {},
    request: RequestOptions = {},
  ): Promise<GetActivitySeriesResponse> {
    return answerOf(
      this.#http.api.GET('/v1/users/{address}/activities/series', {
        params: { path: { address }, query: wireQuery(query) },
        ...initOf(request),
      }),
    )
  }
}
