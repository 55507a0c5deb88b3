// State that the middleware of one request share.

import type { RouterContext, RouterMiddleware } from '@koa/router'
import type { Allowance, Caller, Session, UsageOf } from '@orrery/identity'

/** The organization and key whose units are counted. */
export interface Limited extends UsageOf {
  /** Units per minute. */
  readonly requestsPerMinute: number
}

/** A request that was counted for an organization. */
export interface CountedRequest {
  readonly limited: Limited
  /** After the request was counted. */
  readonly allowance: Allowance
  /** False: the shared limiter failed, and the numbers are those of this instance. */
  readonly isShared: boolean
}

export interface RequestState {
  requestId: string
  /** Monotonic milliseconds at which the request arrived. */
  startedMs: number
  /** Client address: that of the socket, or the one that a trusted proxy reports. */
  address: string
  /** Organization of a valid API key. */
  organizationId?: string
  /** Owner of a valid API key. */
  caller?: Caller
  /** Session of a valid access token. */
  session?: Session
  /** Set when the request has been counted for its organization. */
  counted?: CountedRequest
  /** Set when the answer has become a stream, which is no request in progress: it lasts as long as its client wants. */
  isStream?: boolean
  /** Ends the counting of the request as one in progress. */
  onStream?(): void
  /** Code of the error envelope, for the log. */
  errorCode?: string
}

export type ApiMiddleware = RouterMiddleware<RequestState>
export type ApiContext = RouterContext<RequestState>

/** The declared path of the route: `/v1/protocols/:id/tvl`. Null if there is none. The requested path is not used as a label, because it contains accounts. */
export function routeOf(ctx: ApiContext): string | null {
  const path = ctx.matched?.[0]?.path
  return path === undefined ? null : String(path)
}
