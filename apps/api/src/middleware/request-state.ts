// What the middleware of one request tell each other.

import type { RouterContext, RouterMiddleware } from '@koa/router'
import type { Session } from '@orrery/identity'

export interface RequestState {
  requestId: string
  /** Monotonic milliseconds at which the request came in. */
  startedMs: number
  /** Of the caller: the socket's, or what a proxy of ours says. */
  address: string
  /** Of a good API key. */
  organizationId?: string
  /** Of a good access token. */
  session?: Session
  /** Code of the error envelope, for the log. */
  errorCode?: string
}

export type ApiMiddleware = RouterMiddleware<RequestState>
export type ApiContext = RouterContext<RequestState>

/** The route that the path belongs to, as it is declared: `/v1/protocols/:id/tvl`. Null when there is none. The path as written is no label: an account is in it. */
export function routeOf(ctx: ApiContext): string | null {
  const path = ctx.matched?.[0]?.path
  return path === undefined ? null : String(path)
}
