// The span of a request, from its headers to the last byte of its answer. Statements and RPC calls that it causes are parts of it.

import { startRequestSpan } from '@orrery/tracing'
import { type ApiMiddleware, routeOf } from './request-state.ts'

export const traceRequest: ApiMiddleware = (ctx, next) => {
  const span = startRequestSpan(ctx.headers, { 'http.request.method': ctx.method, 'orrery.request_id': ctx.state.requestId })
  if (span === null) return next()
  ctx.res.once('close', () => {
    const route = routeOf(ctx)
    // The requested path is left out: it holds accounts.
    const { statusCode, writableFinished } = ctx.res
    const attributes = {
      ...(route !== null && { 'http.route': route }),
      ...(writableFinished ? { 'http.response.status_code': statusCode } : { 'error.type': 'client_gone' }),
      ...(ctx.state.errorCode !== undefined && { 'error.type': ctx.state.errorCode }),
    }
    span.end(route === null ? ctx.method : `${ctx.method} ${route}`, attributes, statusCode >= 500)
  })
  return span.run(next)
}
