// What the middleware of one request tell each other.

import type { Middleware } from 'koa'
import type { Match } from '../route-table.ts'

export interface RequestState {
  requestId: string
  /** Monotonic milliseconds at which the request came in. */
  startedMs: number
  /** Set by `matchRoute`. */
  match?: Match
  /** Code of the error envelope, for the log. */
  errorCode?: string
}

export type ApiMiddleware = Middleware<RequestState>
