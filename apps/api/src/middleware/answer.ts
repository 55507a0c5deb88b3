// The last middleware: parameters (400), the cached answer or the handler within its deadline (404, 503, 504), the envelope, and the
// cache headers (304).

import { assert } from '@orrery/errors'
import { cacheHeaders } from '../cache-policy.ts'
import { withinDeadline } from '../deadline.ts'
import { metaOf } from '../envelope.ts'
import { readParameters } from '../parameters.ts'
import type { ResponseCache } from '../response-cache/response-cache.ts'
import type { Route, RouteContext } from '../route.ts'
import { isUnchanged } from './is-unchanged.ts'
import type { ApiMiddleware } from './request-state.ts'

/** The part of the context that all requests of a process share. */
export type SharedContext = Omit<RouteContext, 'requestId' | 'organizationId' | 'signal' | 'call'> & { readonly cache: ResponseCache }

export function answer(route: Route, shared: SharedContext, deadlineMs: number): ApiMiddleware {
  return async (ctx) => {
    const { requestId, startedMs, organizationId = '' } = ctx.state
    const given = readParameters(route, ctx.params, ctx.querystring)

    const result = await withinDeadline(ctx.res, deadlineMs, (signal) => {
      const context = { ...shared, requestId, organizationId, signal, call: { tag: { route: route.path, requestId }, signal } }
      const question = { route, ...given, organizationId }
      return shared.cache.answer(question, context, () => route.handle(given, context))
    })
    assert(result.facts.watermark !== null || route.answersWithoutIndex, 'A route answered without a watermark.', { route: route.path })

    ctx.status = 200
    ctx.set({ ...cacheHeaders(route, given, result) })
    if (isUnchanged(ctx)) {
      ctx.status = 304
      return
    }
    ctx.type = 'json'
    const meta = metaOf(result.facts, shared.clock, performance.now() - startedMs)
    ctx.body = `{"data":${result.data},"enrichment":${result.enrichment},"meta":${JSON.stringify(meta)}}`
  }
}
