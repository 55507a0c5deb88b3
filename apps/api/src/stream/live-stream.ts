// The end of the index for all streams of a process: new ledgers are read once, whatever the number of streams.

import { setTimeout as delay } from 'node:timers/promises'
import type { LedgerTime, ReadModel } from '@orrery/read-model'
import type { Logger } from '@orrery/service-kit'
import { type PortionEvents, portionEvents } from './stream-events.ts'
import { NO_FILTER } from './stream-filter.ts'
import type { StreamReader } from './stream-reader.ts'

export interface LiveListener {
  /** Everything of the ledgers after those of the last call. Must not throw. */
  take(events: PortionEvents): void
}

export interface LiveStream {
  /**
   * Adds a listener that has seen everything up to `ledger`. Null if it has joined; else the ledger that it must read up to first. Both happen in the
   * same step as the delivery of a portion, so there is neither a gap nor a repetition between what it has read and what it is given.
   */
  join(listener: LiveListener, ledger: number, watermark: LedgerTime): number | null
  leave(listener: LiveListener): void
  /** Ends the reading. */
  close(): void
}

export interface LiveStreamParts {
  readonly readModel: Pick<ReadModel, 'watermark'>
  readonly reader: StreamReader
  readonly logger: Logger
  /** How often the end of the index is read, milliseconds. */
  readonly everyMs: number
}

const AFTER_FAILURE_MS = 1_000
const TAG = { route: '/v1/stream', requestId: 'live' }

export function openLiveStream({ readModel, reader, logger, everyMs }: LiveStreamParts): LiveStream {
  const listeners = new Set<LiveListener>()
  let stop: AbortController | null = null
  /** Everything up to this ledger has been given to the listeners. */
  let reached = 0

  const follow = async (signal: AbortSignal): Promise<void> => {
    let hasFailed = false
    while (!signal.aborted) {
      try {
        const watermark = await readModel.watermark()
        if (watermark.ledger > reached) {
          const portion = await reader.portion(NO_FILTER, reached + 1, watermark, { tag: TAG, signal })
          if (signal.aborted) return
          reached = portion.through.ledger
          const events = portionEvents(portion)
          for (const listener of [...listeners]) listener.take(events)
        } else {
          await delay(everyMs, undefined, { signal })
        }
        hasFailed = false
      } catch (err) {
        if (signal.aborted) return
        // Nothing is lost: the same ledgers are read again.
        if (!hasFailed) logger.warn({ err, reached }, 'Could not read new ledgers for streams: trying again each second')
        hasFailed = true
        await delay(AFTER_FAILURE_MS, undefined, { signal }).catch(() => undefined)
      }
    }
  }

  const close = (): void => {
    stop?.abort()
    stop = null
    listeners.clear()
  }

  return {
    join(listener, ledger, watermark) {
      // What a single stream has yet to read of the past is read with its own filter.
      const end = stop === null ? watermark.ledger : reached
      if (ledger < end) return end
      if (stop === null) {
        reached = end
        stop = new AbortController()
        void follow(stop.signal)
      }
      listeners.add(listener)
      return null
    },
    leave(listener) {
      listeners.delete(listener)
      // Nothing is read while there is no reader.
      if (listeners.size === 0) close()
    },
    close,
  }
}
