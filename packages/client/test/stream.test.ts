import { describe, expect, it } from 'vitest'
import { createClient, type StreamEvent } from '../src/index.ts'
import { type ScriptedResponse, ScriptedServer } from './scripted-server.ts'

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' }

const ledger = (n: number): string =>
  `id: ${n}\nevent: ledger\ndata: {"ledger":${n},"partial":false,"timestamp":"2026-10-01T00:00:00Z"}\n\n`
const streamOf = (...texts: readonly string[]): ScriptedResponse => ({ headers: STREAM, body: ['retry: 2000\n\n', ...texts].join('') })
const end = (reason: string): string => `event: end\ndata: {"reason":"${reason}","last_event_id":null}\n\n`
const REFUSED: ScriptedResponse = {
  status: 401,
  body: { error: { code: 'unauthorized', message: 'No key.', docs: '/docs/errors/unauthorized' } },
}

function clientOf(server: ScriptedServer) {
  return createClient({ baseUrl: server.url, apiKey: 'key', maxRetries: 0 })
}

/** All events until the stream throws. */
async function collected(events: AsyncIterable<StreamEvent>): Promise<{ readonly ids: string[]; readonly error: unknown }> {
  const ids: string[] = []
  try {
    for await (const { id } of events) ids.push(id)
  } catch (error) {
    return { ids, error }
  }
  return { ids, error: null }
}

describe('a stream', () => {
  it('goes on after the last event when the connection is lost or the server stops, and throws when it is refused', async () => {
    await using server = await ScriptedServer.of(
      streamOf(ledger(1), ledger(2)),
      streamOf(ledger(3), end('server_stopping')),
      { isLost: true },
      REFUSED,
    )
    const waits: number[] = []
    const { ids, error } = await collected(
      clientOf(server).stream({ from_ledger: 1 }, { onReconnect: (_, delayMs) => waits.push(delayMs) }),
    )
    expect(ids).toEqual(['1', '2', '3'])
    expect(error).toMatchObject({ name: 'ApiError', status: 401, code: 'unauthorized' })
    expect(server.asked.map(({ url, headers }) => [url, headers['x-service-api-key'], headers['last-event-id']])).toEqual([
      ['/v1/stream?from_ledger=1', 'key', undefined],
      ['/v1/stream?from_ledger=1', 'key', '2'],
      ['/v1/stream?from_ledger=1', 'key', '3'],
      ['/v1/stream?from_ledger=1', 'key', '3'],
    ])
    expect(waits).toHaveLength(3)
  })

  it('does not skip an event that came with the one that was processed last', async () => {
    await using server = await ScriptedServer.of(streamOf(ledger(1), ledger(2), ledger(3)), streamOf(ledger(3), ledger(4)), REFUSED)
    const seen: string[] = []
    let hasFailed = false
    const client = clientOf(server)
    const process = async (from?: string): Promise<void> => {
      for await (const { id } of client.stream({}, from === undefined ? {} : { lastEventId: from })) {
        if (id === '3' && !hasFailed) {
          hasFailed = true
          return process(seen.at(-1))
        }
        seen.push(id)
        if (id === '4') return
      }
    }
    await process()
    expect(seen).toEqual(['1', '2', '3', '4'])
    expect(server.asked.map(({ headers }) => headers['last-event-id'])).toEqual([undefined, '2'])
  })

  it('takes lists, and leaves out events of later versions', async () => {
    await using server = await ScriptedServer.of(streamOf('id: 1/later/x\nevent: later\ndata: {}\n\n', ledger(1)), REFUSED)
    const query = { addresses: ['GA', 'GB'], activity_type: ['swap', 'claim'], events: 'activity,ledger' } as const
    expect((await collected(clientOf(server).stream(query))).ids).toEqual(['1'])
    expect(server.asked[0]?.url).toBe('/v1/stream?addresses=GA%2CGB&activity_type=swap%2Cclaim&events=activity%2Cledger')
  })

  it('closes its connection when the loop is left or the signal aborts', async () => {
    await using server = await ScriptedServer.of(streamOf(ledger(1)), streamOf(ledger(1)))
    for await (const { event } of clientOf(server).stream()) {
      expect(event).toBe('ledger')
      break
    }
    const stop = new AbortController()
    const reason = new Error('enough')
    const { error } = await collected(
      (async function* () {
        for await (const event of clientOf(server).stream({}, { signal: stop.signal })) {
          yield event
          stop.abort(reason)
        }
      })(),
    )
    expect(error).toBe(reason)
  })

  it.each([
    ['a connection that never comes about', { isLost: true }, { name: 'ConnectionError' }],
    ['an answer that is no stream', { body: {} }, { name: 'ApiError', code: 'unknown_response' }],
    ['a refusal', REFUSED, { name: 'ApiError', code: 'unauthorized' }],
  ] as const)('throws at the beginning: %s', async (_, response, expected) => {
    await using server = await ScriptedServer.of(response)
    expect((await collected(clientOf(server).stream())).error).toMatchObject(expected)
    expect(server.asked).toHaveLength(1)
  })
})
