// All streams of a process: how many an organization has, whether their keys are still valid, heartbeats, and their end.
//
//   from_ledger or Last-Event-ID            the end of the index
//        |  read portion by portion, in turn     |
//        +--------- catch up --------------------+--- live: one reader for all streams --->
//                                             join, in one step

import type { ApiKeyAuthenticator, Caller } from '@orrery/identity'
import type { LedgerTime, ReadModel } from '@orrery/read-model'
import type { Logger, Metrics } from '@orrery/service-kit'
import { healthWatch } from './health-watch.ts'
import { openKeyWatch } from './key-watch.ts'
import { openLiveStream } from './live-stream.ts'
import type { StreamConnection } from './stream-connection.ts'
import { eventsFor, type PortionEvents, portionEvents } from './stream-events.ts'
import type { StreamFilter } from './stream-filter.ts'
import { endOfLedger, type StreamPlace } from './stream-place.ts'
import { openStreamReader } from './stream-reader.ts'

export interface StreamRequest {
  readonly caller: Caller
  /** The API key itself, to see when it becomes invalid. */
  readonly key: string
  readonly requestId: string
  readonly filter: StreamFilter
  /** The stream begins after it. */
  readonly after: StreamPlace
  /** Runs a part of the catching up when it is the turn of the organization. */
  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>
}

export interface Streams {
  /** Takes a place for a stream of the organization; disposal frees it. Null if the organization has as many streams as it may. */
  reserve(caller: Caller): Disposable | null
  /** Serves a stream until it ends. Never rejects. */
  run(request: StreamRequest, connection: StreamConnection): Promise<void>
  /** Ends all streams: `server_stopping`. */
  close(): void
}

export interface StreamsParts {
  readonly readModel: Pick<ReadModel, 'query' | 'tip' | 'watermark' | 'closeTimeOf'>
  readonly authenticator: Pick<ApiKeyAuthenticator, 'authenticate'>
  readonly logger: Logger
  readonly metrics: Metrics
  readonly times?: Partial<StreamTimes>
  /** Milliseconds since any moment, for the age of what is known of a key. Default: of the process. */
  readonly now?: () => number
}

/** Milliseconds. */
export interface StreamTimes {
  /** How often the end of the index is read. */
  readonly followEvery: number
  /** Shorter than the time after which proxies close a quiet connection (60 s). */
  readonly heartbeatEvery: number
  /** How often keys are checked, at most 500. */
  readonly checkKeysEvery: number
}

const TIMES: StreamTimes = { followEvery: 250, heartbeatEvery: 15_000, checkKeysEvery: 500 }
/** Events that are written before it is asked whether the client keeps up. */
const EVENTS_AT_ONCE = 200

interface OpenStream {
  readonly request: StreamRequest
  readonly connection: StreamConnection
}

export function openStreams({
  readModel,
  authenticator,
  logger,
  metrics,
  times: given,
  now = () => performance.now(),
}: StreamsParts): Streams {
  const times = { ...TIMES, ...given }
  const open = new Set<OpenStream>()
  /** Places of each organization, those of streams that are being opened included. */
  const countOf = new Map<string, number>()
  const reader = openStreamReader(readModel)
  const live = openLiveStream({ readModel, reader, logger, everyMs: times.followEvery })
  const keys = openKeyWatch({ authenticator, logger, now, everyMs: times.checkKeysEvery })
  let isClosed = false

  const heartbeats = setInterval(() => {
    for (const { connection } of open) connection.heartbeat()
  }, times.heartbeatEvery).unref()

  const release = (organizationId: string): void => {
    const left = (countOf.get(organizationId) ?? 1) - 1
    if (left > 0) countOf.set(organizationId, left)
    else countOf.delete(organizationId)
  }

  const add = (stream: OpenStream): void => {
    open.add(stream)
    metrics.apiStreams.inc()
  }

  const remove = (stream: OpenStream): void => {
    open.delete(stream)
    metrics.apiStreams.dec()
    metrics.apiStreamsEnded.inc({ reason: stream.connection.reason ?? 'client_gone' })
  }

  /** Reads up to the end of the index, then listens. Returns when the stream has ended. */
  const serve = async ({ filter, requestId, inTurn, ...request }: StreamRequest, connection: StreamConnection): Promise<void> => {
    let { after } = request
    const signal = connection.ended
    const options = { tag: { route: '/v1/stream', requestId }, signal }
    // A ledger that is not whole yet is read again from its beginning: what the client has of it is left out.
    let ledger = after.part === 'ledger' ? after.ledger : after.ledger - 1
    const { threshold } = filter
    const below = threshold === null ? null : await inTurn(() => reader.below(filter, threshold, ledger, options), signal)
    const watch = threshold === null || below === null ? null : healthWatch(threshold, below)

    const eventsOf = (portion: PortionEvents) => {
      const events = eventsFor(filter, after, portion, watch)
      if (events.length > 0) metrics.apiStreamEvents.inc(events.length)
      return events
    }
    const listener = {
      take(portion: PortionEvents) {
        // What waits would grow without end; the client goes on from its last event when it comes back.
        if (connection.isBehind) return connection.end('slow_client')
        try {
          connection.write(eventsOf(portion))
        } catch (err) {
          // The other streams go on.
          logger.error({ err, requestId }, 'A stream could not be written and was ended: its client goes on from its last event')
          connection.end('failed')
        }
      },
    }

    while (!signal.aborted) {
      const watermark = await readModel.watermark()
      const upTo = live.join(listener, ledger, watermark)
      if (upTo === null) break
      const to = upTo >= watermark.ledger ? watermark : await ledgerTime(upTo, options)
      const portion = await inTurn(() => reader.portion(filter, ledger + 1, to, options), signal)
      ledger = portion.through.ledger
      const events = eventsOf(portionEvents(portion))
      for (let n = 0; n < events.length && !signal.aborted; n += EVENTS_AT_ONCE) {
        connection.write(events.slice(n, n + EVENTS_AT_ONCE))
        await connection.drained()
      }
      after = endOfLedger(Math.max(ledger, after.ledger))
    }
    try {
      await abortOf(signal)
    } finally {
      live.leave(listener)
    }
  }

  const ledgerTime = async (ledger: number, options: Parameters<ReadModel['closeTimeOf']>[1]): Promise<LedgerTime> => ({
    ledger,
    closeTimeSeconds: (await readModel.closeTimeOf(ledger, options)) ?? 0,
  })

  return {
    reserve({ organizationId, streamsAtOnce }) {
      const count = countOf.get(organizationId) ?? 0
      if (count >= streamsAtOnce) return null
      countOf.set(organizationId, count + 1)
      return { [Symbol.dispose]: () => release(organizationId) }
    },

    async run(request, connection) {
      const stream = { request, connection }
      add(stream)
      const startedMs = performance.now()
      const unwatch = keys.watch(request.key, (reason) => connection.end(reason))
      try {
        if (isClosed) connection.end('server_stopping')
        else await serve(request, connection)
      } catch (err) {
        if (!connection.ended.aborted) {
          logger.warn(
            { err, requestId: request.requestId },
            'A stream could not be read and was ended: its client goes on from its last event',
          )
          connection.end('failed')
        }
      } finally {
        unwatch()
        remove(stream)
        const seconds = (performance.now() - startedMs) / 1000
        const { requestId, caller } = request
        logger.debug(
          { requestId, organizationId: caller.organizationId, reason: connection.reason, durationSeconds: seconds },
          'A stream ended',
        )
      }
    },

    close() {
      isClosed = true
      clearInterval(heartbeats)
      keys.close()
      for (const { connection } of open) connection.end('server_stopping')
      live.close()
    },
  }
}

function abortOf(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
