import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../route.ts'
import { indexStartsLate } from '../routes/warn.ts'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi } from '../testing/start-test-api.ts'
import { echo, toyAnswer, toyFacts, toyRoute } from '../testing/toy-routes.ts'

describe('304', () => {
  it('a client that already has the tag gets 304 without a body', async () => {
    await using api = await startTestApi({ routes: [echo] })
    const { headers } = await api.ask('/v1/echo/hello')
    expect(headers.etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const tag of [headers.etag ?? '', `"other", ${headers.etag}`, '*']) {
      const again = await api.ask('/v1/echo/hello', { headers: { 'if-none-match': tag } })
      expect([again.status, again.headers.etag, again.headers['cache-control']]).toEqual([304, headers.etag, 'private, max-age=1'])
    }
    expect((await api.ask('/v1/echo/hello', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
  })

  it('`fetch`, which adds no-cache to every request with a tag, also gets 304', async () => {
    await using api = await startTestApi({ routes: [echo] })
    const { headers } = await api.ask('/v1/echo/hello')
    const held = { 'if-none-match': headers.etag ?? '', 'cache-control': 'no-cache', pragma: 'no-cache' }
    expect((await api.ask('/v1/echo/hello', { headers: held })).status).toBe(304)
  })
})

describe('a tag', () => {
  it('the tag is the same for equal requests, whatever their spelling is', async () => {
    await using api = await startTestApi({ routes: [echo] })
    const tagOf = async (path: string) => (await api.ask(path)).headers.etag
    expect(await tagOf('/v1/echo/hello?second=7&first=3')).toBe(await tagOf('/v1/echo/hello?first=3'))
    expect(await tagOf('/v1/echo/hello')).not.toBe(await tagOf('/v1/echo/other'))
    expect(await tagOf('/v1/echo/hello')).not.toBe(await tagOf('/v1/echo/hello?first=3'))
  })

  it('the tag changes with the watermark, with partial_result and with the adapter version, and with nothing else', async () => {
    let next: Answer<unknown> = toyAnswer('a')
    await using api = await startTestApi({ routes: [toyRoute(async () => next)] })
    const tagOf = async (answer: Answer<unknown>) => {
      next = answer
      return (await api.ask('/v1/toy')).headers.etag
    }
    const first = await tagOf(toyAnswer('a'))
    expect(await tagOf(toyAnswer('a', { facts: toyFacts({ oracleStalenessSeconds: 9 }) }))).toBe(first)
    const others = [
      toyAnswer('a', { facts: toyFacts({ watermark: { ledger: 1001, closeTimeSeconds: 0 } }) }),
      toyAnswer('a', { facts: toyFacts({ warnings: [indexStartsLate()] }) }),
      toyAnswer('a', { tag: ['toy@2'] }),
    ]
    const tags = [first]
    for (const other of others) tags.push(await tagOf(other))
    expect(new Set(tags).size).toBe(4)
  })
})

describe('an answer', () => {
  it('an answer may be cached for an hour only if it is as of an indexed ledger and not partial', async () => {
    let next: Answer<unknown> = toyAnswer('a')
    await using api = await startTestApi({ routes: [toyRoute(async () => next)] })
    const kept = async (answer: Answer<unknown>) => {
      next = answer
      return (await api.ask('/v1/toy')).headers['cache-control']
    }
    expect(await kept(toyAnswer('a', { asOfLedger: 1000 }))).toBe('private, max-age=3600')
    expect(await kept(toyAnswer('a', { asOfLedger: 0 }))).toBe('private, max-age=3600')
    expect(await kept(toyAnswer('a'))).toBe('private, max-age=1')
    expect(await kept(toyAnswer('a', { asOfLedger: 1001 }))).toBe('private, max-age=1')
    expect(await kept(toyAnswer('a', { asOfLedger: 1000, facts: toyFacts({ warnings: [indexStartsLate()] }) }))).toBe('private, max-age=1')
  })
})

describe('504', () => {
  it('504 comes at the deadline even if the handler ignores its signal, and its statements are cancelled', async () => {
    const cancelled: unknown[] = []
    const deaf = toyRoute((_, { signal }) => {
      const note = () => cancelled.push(signal.reason)
      if (signal.aborted)
        note() // a machine so busy that the time was up before
      else signal.addEventListener('abort', note)
      return new Promise(() => {})
    })
    await using api = await startTestApi({ routes: [deaf], deadlineMs: 500 })
    const { status, body, headers } = await api.ask('/v1/toy')
    expect([status, body?.error?.code, headers['retry-after']]).toEqual([504, 'timeout', '2'])
    expect(cancelled).toMatchObject([{ code: 'timeout' }])
  })

  it('the response is 504 also if the handler fails because it was cancelled', async () => {
    const obedient = toyRoute(
      (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled')))),
    )
    await using api = await startTestApi({ routes: [obedient], deadlineMs: 20 })
    expect((await api.ask('/v1/toy')).status).toBe(504)
  })
})

describe('a client that leaves', () => {
  it('a client that disconnects cancels its statements, and is counted', async () => {
    const started = Promise.withResolvers<void>()
    const cancelled = Promise.withResolvers<unknown>()
    const slow = toyRoute((_, { signal }) => {
      signal.addEventListener('abort', () => cancelled.resolve(signal.reason))
      started.resolve()
      return new Promise(() => {})
    })
    await using api = await startTestApi({ routes: [slow, { ...echo }] })
    const asking = request(`${api.url}/v1/toy`, { headers: { 'x-service-api-key': api.key } })
    asking.on('error', () => {})
    asking.end()
    await started.promise
    asking.destroy()
    expect(await cancelled.promise).toMatchObject({ name: 'ClientGone' })
    await api.ask('/v1/echo/hello')
    expect(await api.metrics.registry.metrics()).toMatch(/orrery_api_request_duration_seconds_count\{route="\/v1\/toy",status="499"\} 1/)
  })
})

describe('a handler', () => {
  it('a handler gets the request id and the tag of its statements', async () => {
    const route = toyRoute(async (_, { requestId, call }) => toyAnswer({ requestId, tag: call.tag }))
    await using api = await startTestApi({ routes: [route] })
    const { body } = await api.ask('/v1/toy', { headers: { 'x-request-id': 'mine' } })
    expect(body?.data).toEqual({ requestId: 'mine', tag: { route: '/v1/toy', requestId: 'mine' } })
  })

  it('a handler is not called if a parameter is invalid', async () => {
    let asked = 0
    const route = toyRoute(async () => {
      asked += 1
      return toyAnswer(null)
    })
    await using api = await startTestApi({ routes: [route] })
    const { body } = await api.ask('/v1/toy?x=1')
    expect(body?.error).toEqual({
      code: 'unknown_parameter',
      message: '`x` is not a parameter of this endpoint. It takes none; drop it.',
      docs: '/docs/errors/unknown_parameter',
    })
    expect(asked).toBe(0)
  })
})

it('the check of the tests finds an answer that the OpenAPI document does not describe', async () => {
  const route = { ...echo, handle: async () => toyAnswer({ word: 'a', first: 1, second: 2, third: 3 }) }
  await using api = await startTestApi({ routes: [route] })
  await expect(api.ask('/v1/echo/hello')).rejects.toThrow('data must NOT have additional properties')
  expect((await httpAsk(api.url, '/v1/echo/hello', { headers: { 'x-service-api-key': api.key } })).status).toBe(200)
})
