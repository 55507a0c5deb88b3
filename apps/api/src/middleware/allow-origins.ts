// CORS for the configured origins, compared exactly. Pages of other origins cannot read answers.

import cors from '@koa/cors'
import { DEPRECATION_HEADERS } from '../deprecation.ts'
import { CSV_HEADERS } from '../openapi-operation.ts'
import type { ApiMiddleware } from './request-state.ts'

const EXPOSED = [
  'etag',
  'x-request-id',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'ratelimit-cost',
  ...CSV_HEADERS,
  ...DEPRECATION_HEADERS,
  'retry-after',
]
const PREFLIGHT_SECONDS = 600

export function allowOrigins(origins: readonly string[]): ApiMiddleware {
  return cors({
    origin(ctx) {
      const origin = ctx.get('origin')
      return origins.includes(origin) ? origin : ''
    },
    allowMethods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
    // Not the admin token: only the operator has it, and no browser page needs it.
    allowHeaders: ['x-service-api-key', 'authorization', 'content-type', 'x-request-id', 'if-none-match', 'last-event-id'],
    exposeHeaders: EXPOSED,
    maxAge: PREFLIGHT_SECONDS,
  })
}
