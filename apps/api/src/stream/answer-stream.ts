// The last middleware of a stream: parameters (400), the place where it begins, the number of streams (429), its cost (429), then events until
// it ends.

import { assert } from '@orrery/errors'
import { z } from 'zod'
import { refuse } from '../errors.ts'
import type { SharedContext } from '../middleware/answer.ts'
import { openCharge } from '../middleware/charge.ts'
import { computeInTurn } from '../middleware/compute-in-turn.ts'
import { type Gate, tooMany } from '../middleware/gate.ts'
import type { ApiContext, ApiMiddleware } from '../middleware/request-state.ts'
import { readParameters } from '../parameters.ts'
import { narrowLedger } from '../params/integer.ts'
import { indexFacts } from '../routes/index-facts.ts'
import { openConnection, STREAM_CONNECTION_LIMITS, type StreamConnectionLimits } from './stream-connection.ts'
import { filterOf } from './stream-filter.ts'
import { endOfLedger, readPlace, type StreamPlace } from './stream-place.ts'
import type { StreamQuery } from './stream-query.ts'
import { EVENT_STREAM, LAST_EVENT_ID, type StreamRoute } from './stream-route.ts'
import type { Streams } from './streams.ts'

export interface StreamParts {
  readonly shared: Pick<SharedContext, 'readModel'>
  readonly gate: Gate
  readonly streams: Streams
  readonly deadlineMs: number
  readonly connectionLimits?: StreamConnectionLimits | undefined
}

/** Ledgers of about a day: reading more of the past costs as much as a CSV. */
export const CHEAP_LEDGERS = 17_280
const PAST_UNITS = 10
/** Time after which a stream may have ended. */
const FULL_SECONDS = 10
const NO_PARAMS = z.strictObject({})

export function answerStream(route: StreamRoute, { shared, gate, streams, deadlineMs, connectionLimits }: StreamParts): ApiMiddleware {
  return async (ctx) => {
    const { caller, requestId } = ctx.state
    assert(caller !== undefined, 'A stream was served without a key.')
    const { query } = readParameters({ params: NO_PARAMS, query: route.query, rules: route.rules }, {}, ctx.querystring)
    const given = readLastEventId(ctx.get(LAST_EVENT_ID))

    const call = { tag: { route: route.path, requestId }, signal: AbortSignal.timeout(deadlineMs) }
    const [watermark, { first }] = await Promise.all([shared.readModel.watermark(), indexFacts({ readModel: shared.readModel, call })])
    if (first === null || watermark.ledger < first.ledger)
      throw refuse('unavailable', 'No ledger is indexed yet. Try again in a few seconds.')
    const asked = given ?? firstPlace(query, watermark.ledger)
    // Nothing is read of ledgers before the index.
    const after = asked.ledger < first.ledger ? endOfLedger(first.ledger - 1) : asked
    // Held until this function ends, however it ends. Taken before anything is awaited for it: requests at the same time count each other.
    using place = streams.reserve(caller)
    if (place === null) {
      throw tooMany(
        `Your organization has ${caller.streamsAtOnce} streams open, as many as its plan allows. Close one, or use one stream for several accounts.`,
        FULL_SECONDS,
      )
    }
    const charge = openCharge(ctx, gate)
    await charge.take(watermark.ledger - after.ledger > CHEAP_LEDGERS ? PAST_UNITS : 1)
    await charge.settle(true)

    ctx.status = 200
    ctx.type = EVENT_STREAM
    // `no-transform` and `x-accel-buffering`: a proxy passes each event on at once.
    ctx.set({ 'cache-control': 'no-store, no-transform', 'x-accel-buffering': 'no' })
    ctx.compress = false
    if (ctx.method === 'HEAD') return
    await serve(ctx, () => {
      const connection = openConnection(ctx.res, connectionLimits ?? STREAM_CONNECTION_LIMITS)
      const inTurn = <T>(work: () => Promise<T>, signal: AbortSignal) =>
        computeInTurn(work, { organizationId: caller.organizationId, signal }, gate, false)
      return streams.run({ caller, key: ctx.get('x-service-api-key'), requestId, filter: filterOf(query), after, inTurn }, connection)
    })
  }
}

/** Koa leaves the response to us from here on; what counts requests in progress counts this one no more. */
async function serve(ctx: ApiContext, run: () => Promise<void>): Promise<void> {
  ctx.respond = false
  ctx.res.statusCode = 200
  ctx.state.isStream = true
  ctx.state.onStream?.()
  await run()
}

/** What the client has of the stream. The standard says that an empty id is none. */
function readLastEventId(text: string): StreamPlace | null {
  if (text === '') return null
  const place = readPlace(text)
  if (place !== null) return place
  throw refuse('invalid_parameter', 'The header `Last-Event-ID` is not the id of an event of this stream. Send the last `id` as it came.')
}

function firstPlace({ from_ledger: from }: StreamQuery, lastIndexed: number): StreamPlace {
  return endOfLedger(from === undefined ? lastIndexed : Math.max(0, narrowLedger(from) - 1))
}
