// CORS for the configured origins, exactly as written. Only in the list when there are some: a browser page of a stranger gets nothing.

import cors from '@koa/cors'
import type { ApiMiddleware } from './request-state.ts'

const EXPOSED = ['etag', 'x-request-id', 'ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy', 'retry-after']
const PREFLIGHT_SECONDS = 600

export function allowOrigins(origins: readonly string[]): ApiMiddleware {
  return cors({
    origin(ctx) {
      const origin = ctx.get('origin')
      return origins.includes(origin) ? origin : ''
    },
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    // Not the admin token: it is the operator's, and no page has any business with it.
    allowHeaders: ['x-service-api-key', 'authorization', 'content-type', 'x-request-id', 'if-none-match'],
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
  })
}
