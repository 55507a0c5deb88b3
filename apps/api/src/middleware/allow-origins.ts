// CORS for the configured origins, exactly as written. Only in the list when there are some: a browser page of a stranger gets nothing.

import type { ApiMiddleware } from './request-state.ts'

const EXPOSED = [
  'etag',
  'x-request-id',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'ratelimit-policy',
  'retry-after',
].join(', ')
const ACCEPTED = 'x-service-api-key, x-request-id, if-none-match'
const PREFLIGHT_SECONDS = '600'

export function allowOrigins(origins: readonly string[]): ApiMiddleware {
  return (ctx, next) => {
    // Also on answers without the header: a cache must not hand them to another origin.
    ctx.vary('origin')
    const origin = ctx.get('origin')
    if (!origins.includes(origin)) return next()
    ctx.set('access-control-allow-origin', origin)
    if (ctx.method !== 'OPTIONS' || ctx.get('access-control-request-method') === '') {
      ctx.set('access-control-expose-headers', EXPOSED)
      return next()
    }
    ctx.set('access-control-allow-methods', 'GET, HEAD')
    ctx.set('access-control-allow-headers', ACCEPTED)
    ctx.set('access-control-max-age', PREFLIGHT_SECONDS)
    ctx.status = 204
  }
}
