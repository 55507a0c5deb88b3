import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { OrreryError } from '@orrery/errors'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { refuse } from './errors.ts'
import { httpAsk } from './testing/http-ask.ts'
import { startTestApi, type TestApi } from './testing/start-test-api.ts'
import { echo, TOY_WATERMARK, toyAnswer, toyFacts, toyRoute } from './testing/toy-routes.ts'

const long = toyRoute(async () => toyAnswer('x'.repeat(5000)), { path: '/v1/long' })
const throws = (path: string, error: unknown) => toyRoute(async () => Promise.reject(error), { path })
const routes = [
  echo,
  long,
  throws('/v1/bug', new Error('row 17 of the secret table')),
  throws('/v1/corrupt', new OrreryError('corrupt', 'log_gap', 'partition soroswap/2 has a gap')),
  throws('/v1/away', new OrreryError('unavailable', 'read_model_unreachable', 'cannot reach ClickHouse at 10.0.0.7')),
  toyRoute(async () => toyAnswer(1n), { path: '/v1/unserialisable' }),
  toyRoute(async () => toyAnswer(null, { facts: toyFacts({ watermark: null }) }), { path: '/v1/unindexed' }),
  toyRoute(async () => toyAnswer(null, { facts: toyFacts({ watermark: null }) }), {
    path: '/v1/early',
    answersWithoutIndex: true,
    cache: 'no-store',
  }),
  throws('/v1/slow', refuse('timeout', 'The request was not done in time and was given up.')),
  toyRoute(async () => toyAnswer('open'), { path: '/v1/open', credential: 'none' }),
]

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes, clock: { nowMs: () => (TOY_WATERMARK.closeTimeSeconds + 42) * 1000 + 999 } })
})
afterAll(() => api[Symbol.asyncDispose]())

describe('200', () => {
  it('an answer has data, enrichment and all eight members of meta', async () => {
    const { status, headers, body } = await api.ask('/v1/echo/hello?first=3')
    expect(status).toBe(200)
    expect(headers['content-type']).toBe('application/json; charset=utf-8')
    expect(body).toEqual({
      data: { word: 'hello', first: 3, second: 7 },
      enrichment: { assets: {}, contracts: {} },
      meta: {
        attribution_confidence: 1,
        data_staleness_seconds: 42,
        last_indexed_ledger: 1000,
        oracle_staleness_seconds: 0,
        partial_result: false,
        response_time_ms: expect.any(Number),
        sources: ['clickhouse'],
        warnings: [],
      },
    })
  })

  it('a route without a credential needs no key and sends no rate-limit headers', async () => {
    const { status, headers } = await api.ask('/v1/open', { headers: { 'x-service-api-key': '' } })
    expect([status, headers['ratelimit-limit']]).toEqual([200, undefined])
  })

  it('meta has nulls if nothing is indexed and the route may answer then', async () => {
    const { body, headers } = await api.ask('/v1/early')
    expect(body?.meta).toMatchObject({ last_indexed_ledger: null, data_staleness_seconds: null })
    expect([headers.etag, headers['cache-control']]).toEqual([undefined, 'no-store'])
  })
})

describe('404', () => {
  it.each([
    '/',
    '/v1',
    '/v1/echo',
    '/v1/echo/hello/',
    '/v1//echo/hello',
    '//v1/echo/hello',
    '/V1/echo/hello',
    '/v1/Echo/hello',
    '/v1/echo/',
  ])('is the answer to %s, key or no key', async (path) => {
    for (const headers of [{}, { 'x-service-api-key': '' }]) {
      const { status, body } = await api.ask(path, { headers })
      expect([status, body?.error?.code]).toEqual([404, 'not_found'])
    }
  })

  it('404 comes last: an invalid parameter of an unknown item is reported first', async () => {
    expect((await api.ask('/v1/echo/missing?first=x')).status).toBe(400)
    expect((await api.ask('/v1/echo/missing')).body?.error).toEqual({
      code: 'not_found',
      message: 'There is no such word.',
      docs: '/docs/errors/not_found',
    })
  })

  it('a 404 has the eight members of meta, null if unknown, and no warnings', async () => {
    expect((await api.ask('/v1/nothing')).body?.meta).toEqual({
      attribution_confidence: null,
      data_staleness_seconds: null,
      last_indexed_ledger: null,
      oracle_staleness_seconds: null,
      partial_result: null,
      response_time_ms: expect.any(Number),
      sources: null,
      warnings: [],
    })
  })
})

describe('405', () => {
  it.each(['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])('is the answer to %s, with the methods that work', async (method) => {
    for (const path of ['/v1/echo/hello', '/docs']) {
      const answer = await httpAsk(api.url, path, { method })
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD'])
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({ error: { code: 'method_not_allowed' } })
    }
  })
})

describe('the order of checks', () => {
  it('is route, method, credential, parameters, existence', async () => {
    const wrong = { 'x-service-api-key': 'wrong' }
    const codeOf = async (path: string, method: string, headers = {}) => (await api.ask(path, { method, headers })).body?.error?.code
    expect(await codeOf('/v1/nothing?x=1', 'POST', wrong)).toBe('not_found')
    expect(await codeOf('/v1/echo/MISSING?x=1', 'POST', wrong)).toBe('method_not_allowed')
    expect(await codeOf('/v1/echo/MISSING?x=1', 'GET', wrong)).toBe('unauthorized')
    expect(await codeOf('/v1/echo/MISSING?x=1', 'GET')).toBe('unknown_parameter')
    expect(await codeOf('/v1/echo/MISSING', 'GET')).toBe('invalid_parameter')
    expect(await codeOf('/v1/echo/missing', 'GET')).toBe('not_found')
  })
})

describe('500', () => {
  it.each(['/v1/bug', '/v1/unserialisable', '/v1/unindexed'])('a 500 of %s reveals no internals', async (path) => {
    const { status, headers, body } = await api.ask(path)
    expect([status, body?.error?.code, headers['cache-control']]).toEqual([500, 'internal', 'no-store'])
    expect(body?.error?.message).toMatch(/^The server failed/)
    expect(headers['ratelimit-limit']).toBe('12000')
  })
})

describe('503', () => {
  it.each(['/v1/away', '/v1/corrupt'])('a 503 of %s has Retry-After and names no host', async (path) => {
    const { status, headers, body } = await api.ask(path)
    expect([status, body?.error?.code, headers['retry-after']]).toEqual([503, 'unavailable', '2'])
    expect(body?.error?.message).not.toMatch(/ClickHouse|partition/)
  })
})

describe('the number of requests left in the minute', () => {
  it.each([
    [200, 'GET', '/v1/echo/hello', {}],
    [304, 'GET', '/v1/echo/hello', { 'if-none-match': '*' }],
    [400, 'GET', '/v1/echo/hello?nope=1', {}],
    [404, 'GET', '/v1/echo/missing', {}],
    [404, 'GET', '/v1/nothing', {}],
    [405, 'POST', '/v1/echo/hello', {}],
    [405, 'OPTIONS', '/v1/echo/hello', {}],
    [500, 'GET', '/v1/bug', {}],
    [503, 'GET', '/v1/away', {}],
    [504, 'GET', '/v1/slow', {}],
  ])('is in an answer %i to a key: %s %s', async (expected, method, path, headers) => {
    const answer = await api.ask(path, { method, headers })
    expect(answer.status).toBe(expected)
    expect(answer.headers).toMatchObject({
      'ratelimit-limit': '12000',
      'ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'ratelimit-reset': expect.stringMatching(/^[1-9]\d?$/),
      'ratelimit-policy': '12000;w=60',
    })
  })
})

describe('HEAD', () => {
  it('HEAD works for every GET route and has the same headers', async () => {
    const get = await api.ask('/v1/echo/hello')
    const head = await api.ask('/v1/echo/hello', { method: 'HEAD' })
    expect(head.body).toBeNull()
    expect([head.status, head.headers.etag, head.headers['content-type']]).toEqual([200, get.headers.etag, get.headers['content-type']])
    expect((await api.ask('/v1/nothing', { method: 'HEAD' })).status).toBe(404)
  })
})

describe('the request id', () => {
  it.each(['a', 'A-1_2.3', 'x'.repeat(128)])('the request id of the client is used: %s', async (id) => {
    expect((await api.ask('/v1/echo/hello', { headers: { 'x-request-id': id } })).headers['x-request-id']).toBe(id)
  })

  it.each(['', 'a b', 'x'.repeat(129), 'a;b', 'ä'])('the request id is a generated UUIDv7 if that of the client is %j', async (id) => {
    const { headers } = await api.ask('/v1/nothing', { headers: { 'x-request-id': id } })
    expect(headers['x-request-id']).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })
})

describe('compression', () => {
  const plain = async () => (await httpAsk(api.url, '/v1/long', { headers: { 'x-service-api-key': api.key } })).bytes.toString()
  const ask = (path: string, encoding: string) =>
    httpAsk(api.url, path, { headers: { 'x-service-api-key': api.key, 'accept-encoding': encoding } })

  it.each([
    ['gzip', gunzipSync],
    ['br', brotliDecompressSync],
  ] as const)('is %s when asked for', async (encoding, decompress) => {
    const answer = await ask('/v1/long', encoding)
    expect([answer.headers['content-encoding'], answer.headers.vary]).toEqual([encoding, 'Accept-Encoding, x-service-api-key'])
    expect(JSON.parse(decompress(answer.bytes).toString()).data).toEqual(JSON.parse(await plain()).data)
    expect(answer.bytes.length).toBeLessThan(1024)
  })

  it('an answer is not compressed below 1 KB, for unsupported encodings, or without Accept-Encoding', async () => {
    expect((await ask('/v1/echo/hello', 'gzip')).headers['content-encoding']).toBeUndefined()
    expect((await ask('/v1/long', 'zstd, deflate')).headers['content-encoding']).toBeUndefined()
    expect((await httpAsk(api.url, '/v1/long', { headers: { 'x-service-api-key': api.key } })).headers['content-encoding']).toBeUndefined()
  })
})

describe('headers that are too large', () => {
  it('headers that are too large are refused, and the next request is served', async () => {
    expect((await httpAsk(api.url, '/v1/echo/hello', { headers: { 'x-service-api-key': 'x'.repeat(20_000) } })).status).toBe(431)
    expect((await api.ask('/v1/echo/hello')).status).toBe(200)
  })
})

describe('metrics', () => {
  it('metrics count answers by route and status, never by text of a client', async () => {
    await api.ask('/v1/nothing/of/the/kind')
    const text = await api.metrics.registry.metrics()
    expect(text).toMatch(/orrery_api_request_duration_seconds_count\{route="\/v1\/echo\/:word",status="200"\} \d+/)
    expect(text).toMatch(/orrery_api_request_duration_seconds_count\{route="none",status="404"\} \d+/)
    expect(text).not.toMatch(/of\/the\/kind|hello/)
  })
})

describe('CORS', () => {
  const origin = 'https://app.example.org'

  it('CORS is off unless origins are configured', async () => {
    const answer = await api.ask('/v1/echo/hello', { headers: { origin } })
    expect(answer.headers['access-control-allow-origin']).toBeUndefined()
  })

  it('CORS lets configured origins read answers and errors, and other origins nothing', async () => {
    await using open = await startTestApi({ routes, corsOrigins: [origin] })
    for (const path of ['/v1/echo/hello', '/v1/nothing']) {
      const { headers } = await open.ask(path, { headers: { origin } })
      expect(headers['access-control-allow-origin']).toBe(origin)
      expect(headers['access-control-expose-headers']?.split(',')).toEqual(
        expect.arrayContaining(['etag', 'x-request-id', 'ratelimit-remaining']),
      )
      expect(headers.vary).toMatch(/\borigin\b/i)
    }
    const stranger = await open.ask('/v1/echo/hello', { headers: { origin: 'https://evil.example.org' } })
    expect(stranger.headers['access-control-allow-origin']).toBeUndefined()
    expect(stranger.headers.vary).toMatch(/\borigin\b/i)
  })

  it('a preflight request of a browser is answered without a key', async () => {
    await using open = await startTestApi({ routes, corsOrigins: [origin] })
    const headers = { origin, 'access-control-request-method': 'GET', 'access-control-request-headers': 'x-service-api-key' }
    const answer = await httpAsk(open.url, '/v1/echo/hello', { method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.headers).toMatchObject({
      'access-control-allow-methods': 'GET,HEAD,POST,PATCH,DELETE',
      'access-control-allow-origin': origin,
    })
    expect(answer.headers['access-control-allow-headers']).toContain('x-service-api-key')
    expect(answer.headers['access-control-allow-headers']).not.toContain('admin')
  })
})
