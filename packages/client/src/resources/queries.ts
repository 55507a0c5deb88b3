// The SQL behind series.

import type { GetQueryResponse, operations } from '../generated/openapi.ts'
import { answerOf, type Http, initOf } from '../http.ts'
import type { RequestOptions } from '../options.ts'
import { wireQuery } from '../query.ts'
import type { QueryOf } from '../types.ts'

/** Names of the statements. */
export type QueryName = operations['getQuery']['parameters']['path']['name']

export class QueriesResource {
  readonly #http: Http

  constructor(http: Http) {
    this.#http = http
  }

  /** The statement that the API runs for a series, with the parameters with which a request runs it. */
  get(name: QueryName, query: QueryOf<'getQuery'> = {}, request: RequestOptions = {}): Promise<GetQueryResponse> {
    return answerOf(this.#http.api.GET('/v1/queries/{name}', { params: { path: { name }, query: wireQuery(query) }, ...initOf(request) }))
  }
}
