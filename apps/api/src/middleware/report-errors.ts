// Whatever is thrown below becomes the error envelope, once. Headers that were already set (request id, rate limit, Allow) stay.

import type { Logger } from '@orrery/service-kit'
import { ClientGone } from '../deadline.ts'
import { errorEnvelope } from '../envelope.ts'
import { wireError } from '../errors.ts'
import { type ApiMiddleware, routeOf } from './request-state.ts'

export function reportErrors(logger: Logger): ApiMiddleware {
  return async (ctx, next) => {
    try {
      await next()
    } catch (error) {
      // Nobody is there to be told.
      if (error instanceof ClientGone) return
      const { status, code, message, headers } = wireError(error)
      const { requestId, startedMs } = ctx.state
      if (status >= 500) logger.error({ err: error, requestId, route: routeOf(ctx), status }, 'Failed to answer a request')
      ctx.state.errorCode = code
      ctx.status = status
      ctx.set(headers)
      ctx.set('cache-control', 'no-store')
      ctx.type = 'json'
      ctx.body = JSON.stringify(errorEnvelope(code, message, performance.now() - startedMs))
    }
  }
}
