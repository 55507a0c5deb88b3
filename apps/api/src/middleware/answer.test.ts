import { request } from 'node:http'
import { describe, expect, it } from 'vitest'
import type { Answer } from '../route.ts'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi } from '../testing/start-test-api.ts'
import { echo, toyAnswer, toyFacts, toyRoute } from '../testing/toy-routes.ts'

describe('304', () => {
  it('is the answer to who has the tag already, without a body', async () => {
    await using api = await startTestApi({ routes: [echo] })
    const { headers } = await api.ask('/v1/echo/hello')
    expect(headers.etag).toMatch(/^W\/"[\w-]{22}"$/)
    for (const tag of [headers.etag ?? '', `"other", ${headers.etag}`, '*']) {
      const again = await api.ask('/v1/echo/hello', { headers: { 'if-none-match': tag } })
      expect([again.status, again.headers.etag, again.headers['cache-control']]).toEqual([304, headers.etag, 'private, max-age=1'])
    }
    expect((await api.ask('/v1/echo/hello', { headers: { 'if-none-match': 'W/"other"' } })).status).toBe(200)
  })

  it('is the answer to `fetch` too, which adds no-cache to every request that carries a tag', async () => {
    await using api = await startTestApi({ routes: [echo] })
    const { headers } = await api.ask('/v1/echo/hello')
    const held = { 'if-none-match': headers.etag ?? '', 'cache-control': 'no-cache', pragma: 'no-cache' }
    expect((await api.ask('/v1/echo/hello', { headers: held })).status).toBe(304)
  })
})

describe('a tag', () => {
  it('is the same for the same question, however it is written', async () => {
    await using api = await startTestApi({ routes: [echo] })
    const tagOf = async (path: string) => (await api.ask(path)).headers.etag
    expect(await tagOf('/v1/echo/hello?second=7&first=3')).toBe(await tagOf('/v1/echo/hello?first=3'))
    expect(await tagOf('/v1/echo/hello')).not.toBe(await tagOf('/v1/echo/other'))
    expect(await tagOf('/v1/echo/hello')).not.toBe(await tagOf('/v1/echo/hello?first=3'))
  })

  it('changes with the watermark, with what is missing and with the adapter version, and with nothing else', async () => {
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
      toyAnswer('a', { facts: toyFacts({ partialResult: true }) }),
      toyAnswer('a', { tag: ['toy@2'] }),
    ]
    const tags = [first]
    for (const other of others) tags.push(await tagOf(other))
    expect(new Set(tags).size).toBe(4)
  })
})

describe('an answer', () => {
  it('may be kept for an hour only when it is as of an indexed ledger and whole', async () => {
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
    expect(await kept(toyAnswer('a', { asOfLedger: 1000, facts: toyFacts({ partialResult: true }) }))).toBe('private, max-age=1')
  })
})

describe('504', () => {
  it('comes at the deadline even when the handler does not listen, and what it asked is cancelled', async () => {
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

  it('is said also when the handler fails because it was cancelled', async () => {
    const obedient = toyRoute(
      (_, { signal }) => new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('cancelled')))),
    )
    await using api = await startTestApi({ routes: [obedient], deadlineMs: 20 })
    expect((await api.ask('/v1/toy')).status).toBe(504)
  })
})

describe('a client that leaves', () => {
  it('cancels what was asked for it, and is counted', async () => {
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
  it('is told the request id and how to tag its statements', async () => {
    const route = toyRoute(async (_, { requestId, call }) => toyAnswer({ requestId, tag: call.tag }))
    await using api = await startTestApi({ routes: [route] })
    const { body } = await api.ask('/v1/toy', { headers: { 'x-request-id': 'mine' } })
    expect(body?.data).toEqual({ requestId: 'mine', tag: { route: '/v1/toy', requestId: 'mine' } })
  })

  it('is not asked when the parameters are bad', async () => {
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

it('an answer that the document does not describe is found by the tests’ own check', async () => {
  const route = { ...echo, handle: async () => toyAnswer({ word: 'a', first: 1, second: 2, third: 3 }) }
  await using api = await startTestApi({ routes: [route] })
  await expect(api.ask('/v1/echo/hello')).rejects.toThrow('data must NOT have additional properties')
  expect((await httpAsk(api.url, '/v1/echo/hello', { headers: { 'x-service-api-key': api.key } })).status).toBe(200)
})
