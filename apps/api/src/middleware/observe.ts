// The access log and the latency metrics. Written when the last byte is sent, or when the client disconnects.

import type { Logger, Metrics } from '@orrery/service-kit'
import { type ApiMiddleware, routeOf } from './request-state.ts'

/** The status that proxies log for "client closed request"; it is never sent. */
const CLIENT_GONE = 499

export function observe(logger: Logger, metrics: Metrics): ApiMiddleware {
  return (ctx, next) => {
    metrics.apiInFlight.inc()
    ctx.state.onStream = () => metrics.apiInFlight.dec()
    ctx.res.once('close', () => {
      // A stream is counted where it is served.
      if (ctx.state.isStream === true) return
      const { requestId, startedMs, errorCode } = ctx.state
      // Closed before the last byte was sent.
      const clientGone = !ctx.res.writableFinished
      const seconds = (performance.now() - startedMs) / 1000
      const status = clientGone ? CLIENT_GONE : ctx.res.statusCode
      const route = routeOf(ctx) ?? 'none'
      metrics.apiInFlight.dec()
      metrics.apiRequestSeconds.observe({ route, status: String(status) }, seconds)
      if (clientGone) metrics.apiClientsGone.inc({ route })
      // Debug, because there may be thousands of requests per second: an operator enables it to find one of them.
      logger.debug(
        { requestId, method: ctx.method, route, path: ctx.path, status, errorCode, durationSeconds: seconds },
        'Answered a request',
      )
    })
    return next()
  }
}
