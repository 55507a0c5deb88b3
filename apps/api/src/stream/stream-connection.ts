// The response of one stream: writes events, and ends it in a way that its client understands.

import type { ServerResponse } from 'node:http'
import { type EndReason, endText, type StreamEvent } from './stream-event.ts'
import { placeText } from './stream-place.ts'

export interface StreamConnection {
  /** Writes events in one piece. */
  write(events: readonly StreamEvent[]): void
  /** More waits for the client than is kept for it. */
  readonly isBehind: boolean
  /** A comment, which keeps proxies from closing a quiet connection. */
  heartbeat(): void
  /** Resolves when the client has taken what was written; ends the stream as `slow_client` if that takes too long. */
  drained(): Promise<void>
  /** Sends the reason and the id of the last event that was sent, then closes. */
  end(reason: EndReason): void
  /** Aborted when the stream has ended, by the server or by its client. */
  readonly ended: AbortSignal
  /** Null while it is open. `client_gone`: the client closed it. */
  readonly reason: EndReason | 'client_gone' | null
}

export interface StreamConnectionLimits {
  /** Bytes that wait for a client that does not read. */
  readonly waitingBytes: number
  /** How long a client may take for what waits, and for the last event, milliseconds. */
  readonly patienceMs: number
}

export const STREAM_CONNECTION_LIMITS: StreamConnectionLimits = { waitingBytes: 1024 * 1024, patienceMs: 30_000 }

/** How soon clients come back, in a form that every client of server-sent events knows. */
const RETRY_MS = 2_000

/** A client without a valid key gets what waits for it no longer than this: its connection is closed within five seconds of the revocation. */
const REVOKED_PATIENCE_MS = 2_000

/** Sends the headers. */
export function openConnection(response: ServerResponse, { waitingBytes, patienceMs }: StreamConnectionLimits): StreamConnection {
  const ended = new AbortController()
  let reason: StreamConnection['reason'] = null
  let lastEventId: string | null = null

  const finish = (why: EndReason | 'client_gone'): void => {
    if (reason !== null) return
    reason = why
    ended.abort()
  }
  response.once('close', () => finish('client_gone'))
  if (response.closed) finish('client_gone')
  // A socket that breaks while it is written to also closes.
  response.on('error', () => undefined)
  response.flushHeaders()
  response.write(`retry: ${RETRY_MS}\n\n`)

  const end = (why: EndReason): void => {
    if (reason !== null) return
    finish(why)
    response.end(endText(why, lastEventId))
    // A client that does not read would keep the connection open.
    setTimeout(() => response.destroy(), why === 'key_invalid' ? Math.min(patienceMs, REVOKED_PATIENCE_MS) : patienceMs).unref()
  }

  return {
    write(events) {
      const last = events.at(-1)
      if (reason !== null || last === undefined) return
      response.write(events.map(({ text }) => text).join(''))
      lastEventId = placeText(last.place)
    },
    get isBehind() {
      return response.writableLength > waitingBytes
    },
    heartbeat() {
      if (reason === null && response.writableLength === 0) response.write(': heartbeat\n\n')
    },
    drained() {
      if (reason !== null || !response.writableNeedDrain) return Promise.resolve()
      return new Promise((resolve) => {
        const done = () => {
          clearTimeout(late)
          response.off('drain', done)
          ended.signal.removeEventListener('abort', done)
          resolve()
        }
        const late = setTimeout(() => end('slow_client'), patienceMs)
        response.once('drain', done)
        ended.signal.addEventListener('abort', done, { once: true })
      })
    },
    end,
    ended: ended.signal,
    get reason() {
      return reason
    },
  }
}
