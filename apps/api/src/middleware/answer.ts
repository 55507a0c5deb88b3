// The last middleware: parameters (400), the cached answer or the handler within its deadline (429, 404, 503, 504), the envelope, and the
// cache headers (304). The handler runs after its cost was taken, and in a queue that is fair to all organizations.

import { assert } from '@orrery/errors'
import { cacheHeaders } from '../cache-policy.ts'
import { ClientGone, withinDeadline } from '../deadline.ts'
import { metaOf } from '../envelope.ts'
import { readParameters } from '../parameters.ts'
import { requestCost } from '../request-cost.ts'
import type { ResponseCache } from '../response-cache/response-cache.ts'
import type { Route, RouteContext } from '../route.ts'
import { openCharge } from './charge.ts'
import { computeInTurn } from './compute-in-turn.ts'
import type { Gate } from './gate.ts'
import { isUnchanged } from './is-unchanged.ts'
import type { ApiMiddleware } from './request-state.ts'

/** The part of the context that all requests of a process share. */
export type SharedContext = Omit<RouteContext, 'requestId' | 'organizationId' | 'signal' | 'call'> & { readonly cache: ResponseCache }

export function answer(route: Route, shared: SharedContext, gate: Gate, deadlineMs: number): ApiMiddleware {
  return async (ctx) => {
    const { requestId, startedMs, organizationId = '' } = ctx.state
    const given = readParameters(route, ctx.params, ctx.querystring)

    const charge = openCharge(ctx, gate)
    try {
      const result = await withinDeadline(ctx.res, deadlineMs, (signal) => {
        const context = { ...shared, requestId, organizationId, signal, call: { tag: { route: route.path, requestId }, signal } }
        const question = { route, ...given, organizationId }
        return shared.cache.answer(question, context, async () => {
          const cost = requestCost(await route.load(given, context))
          // Nothing is taken after the request has ended: it would not be given back.
          signal.throwIfAborted()
          await charge.take(cost)
          return computeInTurn(() => route.handle(given, context), context, gate)
        })
      })
      assert(result.facts.watermark !== null || route.answersWithoutIndex, 'A route answered without a watermark.', { route: route.path })

      ctx.status = 200
      ctx.set({ ...cacheHeaders(route, given, result) })
      if (isUnchanged(ctx)) {
        ctx.status = 304
        await charge.settle(false)
        return
      }
      ctx.type = 'json'
      const meta = metaOf(result.facts, shared.clock, performance.now() - startedMs)
      ctx.body = `{"data":${result.data},"enrichment":${result.enrichment},"meta":${JSON.stringify(meta)}}`
      await charge.settle(true)
    } catch (error) {
      // A client that disconnects pays for the computation; otherwise it could start any number of them for one unit each.
      await charge.settle(error instanceof ClientGone)
      throw error
    }
  }
}
