// A stream that lasts: it comes back by itself where the connection was lost, after the last event that the caller has processed.

import { createParser, type EventSourceMessage } from 'eventsource-parser'
import { delay } from './delay.ts'
import { ApiError, ConnectionError } from './errors.ts'
import type { Activity, StreamEnd, StreamHealthFactor, StreamLedger, StreamPosition } from './generated/openapi.ts'
import type { RequestOptions } from './options.ts'
import { wireQuery } from './query.ts'
import type { RetryingFetch } from './retrying-fetch.ts'
import type { QueryOf } from './types.ts'

interface Of<Name extends string, Data> {
  /** Place of the event in the stream: `lastEventId` of a later call goes on after it. It never changes. */
  readonly id: string
  readonly event: Name
  readonly data: Data
}

/** `ledger` says that everything up to it has been sent. */
export type StreamEvent =
  | Of<'activity', Activity>
  | Of<'position', StreamPosition>
  | Of<'health_factor', StreamHealthFactor>
  | Of<'ledger', StreamLedger>

type Lists = 'addresses' | 'protocols' | 'contracts' | 'events'

/** Filters of a stream. Lists may be arrays. */
export type StreamQuery = Omit<QueryOf<'streamEvents'>, Lists> & {
  readonly [Name in Lists]?: string | readonly string[]
}

export interface StreamOptions extends RequestOptions {
  /** Id of the last event that has been processed, as it was kept. It stands over `from_ledger`. */
  readonly lastEventId?: string
  /** Is called before the stream is opened again: with what ended it, and with the wait in milliseconds. */
  readonly onReconnect?: (error: unknown, delayMs: number) => void
}

/** Nothing at all for so long, not even a heartbeat (they come each 15 s), means that the connection is lost. */
const SILENCE_MS = 60_000
const FIRST_BACKOFF_MS = 500
const MAX_BACKOFF_MS = 30_000
/** The events of this build. Others, of a later version, are left out. */
const KNOWN: ReadonlySet<string> = new Set(['activity', 'position', 'health_factor', 'ledger'] satisfies StreamEvent['event'][])

/** The server ended the stream with a reason. */
class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
}

/**
 * Yields events in order until the loop is left or `signal` aborts. An event counts as processed when the next one is asked for; after a loss of the
 * connection the stream goes on after the last processed one, so nothing is skipped.
 *
 * @throws ApiError if the request is refused: wrong parameters, an invalid key (also one that is revoked later), or a first answer that does not
 * come after the usual repetitions. ConnectionError only before the first connection.
 */
export async function* openStream(
  sender: RetryingFetch,
  baseUrl: string,
  query: StreamQuery,
  { signal: given, headers = {}, lastEventId, onReconnect }: StreamOptions,
): AsyncGenerator<StreamEvent, void, undefined> {
  const parameters = new URLSearchParams(wireQuery<Record<string, string>>(query as never))
  const url = `${baseUrl.replace(/\/$/, '')}/v1/stream${parameters.size === 0 ? '' : `?${parameters}`}`
  const signal = given ?? new AbortController().signal
  let last = lastEventId
  let hasConnected = false
  let losses = 0
  for (;;) {
    signal.throwIfAborted()
    try {
      const resume: Record<string, string> = last === undefined ? {} : { 'last-event-id': last }
      const connection = await sender.connect(new Request(url, { headers: { ...headers, ...resume }, signal }), SILENCE_MS)
      hasConnected = true
      for await (const event of eventsOf(connection)) {
        losses = 0
        yield event
        last = event.id
      }
      throw new ConnectionError('The stream ended without a reason.')
    } catch (error) {
      signal.throwIfAborted()
      if (!hasConnected || !isPassing(error)) throw error
      const delayMs = Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** losses) * (0.5 + Math.random() / 2)
      losses += 1
      onReconnect?.(error, delayMs)
      await delay(delayMs, signal)
    }
  }
}

/** Whether the stream may go on later: a lost connection, a server that stops, or one that is overloaded. */
function isPassing(error: unknown): boolean {
  if (error instanceof ApiError) return error.status === 429 || error.status >= 500
  return error instanceof ConnectionError || error instanceof StreamEnded
}

/** @throws StreamEnded at the event `end`. */
async function* eventsOf(chunks: AsyncIterable<string>): AsyncGenerator<StreamEvent, void, undefined> {
  let arrived: EventSourceMessage[] = []
  const parser = createParser({ onEvent: (event) => arrived.push(event) })
  for await (const chunk of chunks) {
    parser.feed(chunk)
    const events = arrived
    arrived = []
    for (const { id = '', event = '', data } of events) {
      const value: unknown = JSON.parse(data)
      if (event === 'end') throw new StreamEnded(`The server ended the stream: ${(value as StreamEnd).reason}.`)
      if (KNOWN.has(event)) yield { id, event, data: value } as StreamEvent
    }
  }
}
