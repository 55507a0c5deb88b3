// The last middleware: parameters (400), the cached answer or the handler within its deadline (429, 404, 503, 504), the envelope or
// CSV, and the cache headers (304). The handler runs after its cost was taken, and in a queue that is fair to all organizations.

import { assert } from '@orrery/errors'
import { inBackground } from '@orrery/service-kit'
import { cacheHeaders } from '../cache-policy.ts'
import { csvHeaders, linkToNext, writeCsv } from '../csv/csv-answer.ts'
import type { CsvPage } from '../csv/csv-page.ts'
import { CSV_DEADLINE_MS, CSV_MEDIA_TYPE, type CsvTable } from '../csv/csv-table.ts'
import { ClientGone, withinDeadline } from '../deadline.ts'
import { deprecationHeaders } from '../deprecation.ts'
import { metaOf, type SparseMeta } from '../envelope.ts'
import { readParameters } from '../parameters.ts'
import { lastLedgerAsked } from '../quarantined-pool.ts'
import { DEAR_COST, requestCost } from '../request-cost.ts'
import { bytesOf } from '../response-cache/packed-answer.ts'
import type { ResponseCache } from '../response-cache/response-cache.ts'
import { type Written, type WrittenAnswer, writeJson } from '../response-cache/written-answer.ts'
import type { Answer, Format, Route, RouteContext } from '../route.ts'
import { joinedFor } from '../send-buffers.ts'
import { openCharge } from './charge.ts'
import { computeInTurn } from './compute-in-turn.ts'
import type { Gate } from './gate.ts'
import { isUnchanged } from './is-unchanged.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

/** The part of the context that all requests of a process share. */
export type SharedContext = Omit<RouteContext, 'requestId' | 'format' | 'organizationId' | 'signal' | 'call'> & {
  readonly cache: ResponseCache
}

export function answer(route: Route, shared: SharedContext, gate: Gate, deadlineMs: number): ApiMiddleware {
  return async (ctx) => {
    const { requestId, startedMs, organizationId = '' } = ctx.state
    const csv = requestedCsv(ctx, route)
    const format: Format = csv === null ? 'json' : 'csv'
    const given = readParameters({ ...route, query: csv?.query ?? route.query }, ctx.params, ctx.querystring)

    const charge = openCharge(ctx, gate)
    try {
      const result = await withinDeadline(ctx.res, csv === null ? deadlineMs : Math.max(deadlineMs, CSV_DEADLINE_MS), (signal) => {
        const call = { tag: { route: route.path, requestId }, signal, asOf: lastLedgerAsked(given.query) }
        const context = { ...shared, requestId, format, organizationId, signal, call }
        const question = { route, ...given, organizationId }
        let isDear = false
        const written = (computed: Answer<unknown>) =>
          csv === null ? writeJson(computed) : writeCsv(route, csv, given.query, computed, signal)
        const write = (computed: Answer<unknown>) => (isDear ? inBackground(() => written(computed)) : written(computed))
        return shared.cache.answer({ ...question, format, write }, context, async () => {
          const load = await route.load(given, context)
          const cost = requestCost({ ...load, csv: csv !== null })
          // Nothing is taken after the request has ended: it would not be given back.
          signal.throwIfAborted()
          await charge.take(cost)
          isDear = cost >= DEAR_COST
          const weighed = { ...context, call: { ...call, yields: isDear } }
          return computeInTurn(() => route.handle(given, weighed), context, gate, isDear)
        })
      })
      assert(result.facts.watermark !== null || route.answersWithoutIndex, 'A route answered without a watermark.', { route: route.path })

      ctx.status = 200
      ctx.set({ ...cacheHeaders(route, given, result, format) })
      if (route.deprecation !== null) ctx.set({ ...deprecationHeaders(route.deprecation) })
      if (isUnchanged(ctx)) {
        ctx.status = 304
        await charge.settle(false)
        return
      }
      const meta = metaOf(result.facts, shared.clock, performance.now() - startedMs)
      if (result.csv === undefined) showJson(ctx, result, meta)
      else showCsv(ctx, result.data, result.csv, meta)
      await charge.settle(true)
    } catch (error) {
      // A client that disconnects pays for the computation; otherwise it could start any number of them for one unit each.
      await charge.settle(error instanceof ClientGone)
      throw error
    }
  }
}

/** How the route's CSV is made, if the client prefers it. JSON otherwise, also for a client that accepts neither. */
function requestedCsv(ctx: ApiContext, { csv }: Route): CsvTable | null {
  if (csv === null) return null
  ctx.vary('accept')
  return ctx.accepts('application/json', CSV_MEDIA_TYPE) === CSV_MEDIA_TYPE ? csv : null
}

function showJson(ctx: ApiContext, { data, enrichment }: WrittenAnswer, meta: SparseMeta): void {
  ctx.type = 'json'
  const end = `,"meta":${JSON.stringify(meta)}}`
  ctx.body =
    typeof data === 'string' && typeof enrichment === 'string'
      ? `{"data":${data},"enrichment":${enrichment}${end}`
      : joinedFor(ctx.res, [DATA, bytesOf(data), ENRICHMENT, bytesOf(enrichment), Buffer.from(end)])
}

const DATA = Buffer.from('{"data":')
const ENRICHMENT = Buffer.from(',"enrichment":')

function showCsv(ctx: ApiContext, text: Written, page: CsvPage, meta: SparseMeta): void {
  ctx.set({ ...csvHeaders(page, meta), 'content-type': `${CSV_MEDIA_TYPE}; charset=utf-8; header=present` })
  if (page.next !== null) ctx.append('link', linkToNext(ctx.path, ctx.querystring, page.next))
  ctx.body = text
}
