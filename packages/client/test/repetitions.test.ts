import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError, ConnectionError, createClient } from '../src/index.ts'
import { ScriptedServer } from './scripted-server.ts'

const OK = { body: { data: { status: 'ok' }, enrichment: {}, meta: {} } }
const envelope = (code: string) => ({ error: { code, message: `Refused as ${code}.`, docs: `/docs/errors/${code}` }, meta: {} })
const rate = (remaining: number, reset: number) => ({
  'ratelimit-limit': '120',
  'ratelimit-remaining': String(remaining),
  'ratelimit-reset': String(reset),
  'ratelimit-cost': '1',
})

/** Waits of the client, in milliseconds, which pass at once. Longer timers than an hour are none of them. */
let waits: number[] = []
beforeEach(() => {
  waits = []
  const setNow = globalThis.setTimeout
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(((run: () => void, ms = 0) => {
    const isWait = new Error().stack?.includes('/client/src/delay.ts') === true
    if (isWait) waits.push(ms)
    return setNow(run, isWait ? 0 : ms)
  }) as typeof setTimeout)
})
afterEach(() => {
  vi.restoreAllMocks()
})

describe('repetitions of the client', () => {
  it('a 429 is repeated after the seconds of Retry-After', async () => {
    await using server = await ScriptedServer.of({ status: 429, headers: { 'retry-after': '7' }, body: envelope('rate_limited') }, OK)
    const { data } = await createClient({ baseUrl: server.url, apiKey: 'k' }).service.health()
    expect(data).toEqual({ status: 'ok' })
    expect(waits).toEqual([7000])
    expect(server.asked.map(({ url, headers }) => [url, headers['x-service-api-key']])).toEqual([
      ['/v1/health', 'k'],
      ['/v1/health', 'k'],
    ])
  })

  it('a 429 without Retry-After is repeated after the seconds of RateLimit-Reset', async () => {
    // One unit is left, so that only the refusal makes the client wait.
    await using server = await ScriptedServer.of({ status: 429, headers: rate(1, 12), body: envelope('rate_limited') }, OK)
    await createClient({ baseUrl: server.url }).service.health()
    expect(waits).toEqual([12_000])
  })

  it('a request after the last unit of a minute waits for the next minute', async () => {
    await using server = await ScriptedServer.of({ ...OK, headers: rate(0, 9) }, OK)
    const client = createClient({ baseUrl: server.url })
    await client.service.health()
    expect(client.rateLimit).toEqual({ limit: 120, remaining: 0, resetSeconds: 9, cost: 1 })
    expect(waits).toEqual([])
    await client.service.health()
    expect(waits).toHaveLength(1)
    // Less what has passed since the response.
    expect(waits[0]).toBeLessThanOrEqual(9000)
    expect(waits[0]).toBeGreaterThan(0)
  })

  it('a Retry-After that is a date is the time until then', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-11-25T10:00:00Z'))
    const headers = { 'retry-after': 'Wed, 25 Nov 2026 10:00:30 GMT' }
    await using server = await ScriptedServer.of({ status: 503, headers, body: envelope('unavailable') }, OK)
    await createClient({ baseUrl: server.url }).service.health()
    expect(waits).toEqual([30_000])
  })

  it('a request that asks to wait longer than maxRetryDelayMs fails at once, with the seconds', async () => {
    await using server = await ScriptedServer.of({ status: 429, headers: { 'retry-after': '900' }, body: envelope('rate_limited') })
    const failed = createClient({ baseUrl: server.url }).service.health()
    await expect(failed).rejects.toMatchObject({ code: 'rate_limited', status: 429, retryAfterSeconds: 900 })
    expect(server.asked).toHaveLength(1)
  })

  it('503, 504, 502 and a lost connection are repeated with growing waits, three times at most', async () => {
    await using server = await ScriptedServer.of(
      { status: 503, body: envelope('unavailable') },
      { isLost: true },
      { status: 502, body: '<html>bad gateway</html>' },
      { status: 504, body: envelope('timeout') },
      OK,
    )
    await expect(createClient({ baseUrl: server.url }).service.health()).rejects.toMatchObject({ code: 'timeout' })
    expect(server.asked).toHaveLength(4)
    expect(waits.map((ms, n) => ms <= 250 * 2 ** n && ms >= 125 * 2 ** n)).toEqual([true, true, true])
  })

  it('a request that changes something is repeated after a 429 only', async () => {
    const renewed = { body: { access_token: 'new', expires_in: 900 } }
    const limited = { status: 429, headers: { 'retry-after': '1' }, body: envelope('rate_limited') }
    await using server = await ScriptedServer.of(limited, renewed, { status: 503, body: envelope('unavailable') }, { isLost: true })
    const { auth } = createClient({ baseUrl: server.url })
    expect(await auth.refresh('old')).toEqual({ access_token: 'new', expires_in: 900 })
    expect(server.asked.map(({ body }) => body)).toEqual(['{"refresh_token":"old"}', '{"refresh_token":"old"}'])
    await expect(auth.refresh('old')).rejects.toBeInstanceOf(ApiError)
    await expect(auth.refresh('old')).rejects.toBeInstanceOf(ConnectionError)
    expect(server.asked).toHaveLength(4)
  })

  it('a refusal is not repeated', async () => {
    await using server = await ScriptedServer.of({ status: 400, body: envelope('invalid_parameter') })
    await expect(createClient({ baseUrl: server.url }).service.health()).rejects.toMatchObject({ code: 'invalid_parameter' })
    expect(server.asked).toHaveLength(1)
  })

  it('with maxRetries 0 nothing is repeated and nothing waits', async () => {
    await using server = await ScriptedServer.of({ ...OK, headers: rate(0, 9) }, { status: 503, body: envelope('unavailable') })
    const client = createClient({ baseUrl: server.url, maxRetries: 0 })
    await client.service.health()
    await expect(client.service.health()).rejects.toMatchObject({ code: 'unavailable' })
    expect(waits).toEqual([])
  })
})
