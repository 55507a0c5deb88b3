// A client of a stream for tests: what arrives, in order, over real HTTP.

import { createParser } from 'eventsource-parser'

export interface ReceivedEvent {
  /** '' for an event without an id. */
  readonly id: string
  readonly event: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ReadStream extends AsyncDisposable {
  readonly status: number
  readonly headers: Headers
  /** The next `count` events. @throws if the stream ends first. */
  take(count: number): Promise<ReceivedEvent[]>
  /** Events up to and with the first one that fits. @throws if the stream ends first. */
  until(fits: (event: ReceivedEvent) => boolean): Promise<ReceivedEvent[]>
  /** All events until the server ends the stream. */
  rest(): Promise<ReceivedEvent[]>
  /** Comments so far. */
  readonly comments: readonly string[]
}

/** Asks with the key. The answer must be a stream. */
export async function readStream(url: string, key: string, headers: Readonly<Record<string, string>> = {}): Promise<ReadStream> {
  const stop = new AbortController()
  const response = await fetch(url, { headers: { 'x-service-api-key': key, ...headers }, signal: stop.signal })
  if (response.status !== 200 || response.body === null) throw new Error(`${response.status}: ${await response.text()}`)
  const arrived: ReceivedEvent[] = []
  const comments: string[] = []
  const parser = createParser({
    onEvent: ({ id = '', event = '', data }) => arrived.push({ id, event, data: JSON.parse(data) as ReceivedEvent['data'] }),
    onComment: (text) => comments.push(text.trim()),
  })
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader()

  /** Null at the end of the stream. */
  const next = async (): Promise<ReceivedEvent | null> => {
    for (;;) {
      const event = arrived.shift()
      if (event !== undefined) return event
      const { done, value } = await reader.read()
      if (done) return null
      parser.feed(value)
    }
  }

  const until = async (fits: (event: ReceivedEvent, n: number) => boolean): Promise<ReceivedEvent[]> => {
    const events: ReceivedEvent[] = []
    for (;;) {
      const event = await next()
      if (event === null) throw new Error(`The stream ended after ${JSON.stringify(events)}.`)
      events.push(event)
      if (fits(event, events.length)) return events
    }
  }

  return {
    status: response.status,
    headers: response.headers,
    comments,
    take: (count) => until((_, n) => n === count),
    until,
    async rest() {
      const events: ReceivedEvent[] = []
      for (let event = await next(); event !== null; event = await next()) events.push(event)
      return events
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await reader.cancel().catch(() => undefined)
    },
  }
}
