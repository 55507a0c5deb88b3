import { request } from 'node:http'
import { type RateLimiter, WINDOW_SECONDS } from '@orrery/identity'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { refuse } from '../errors.ts'
import { memoryStore } from '../response-cache/answer-store.ts'
import { openResponseCache, type ResponseCache } from '../response-cache/response-cache.ts'
import { startTestApi, TESTER, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts'
import { toyAnswer, toyRoute } from '../testing/toy-routes.ts'

/** 5,000 buckets: 10 units, and 1 for the request. */
const heavy = toyRoute(async () => toyAnswer('heavy'), { path: '/v1/heavy', load: async () => ({ buckets: 5_000 }) })
const light = toyRoute(async () => toyAnswer('light'), { path: '/v1/light' })
const missing = toyRoute(async () => Promise.reject(refuse('not_found', 'There is none.')), {
  path: '/v1/missing',
  load: async () => ({ buckets: 5_000 }),
})
const broken = toyRoute(async () => Promise.reject(new Error('a bug')), { path: '/v1/broken', load: async () => ({ buckets: 5_000 }) })
const routes = [heavy, light, missing, broken]

let api: TestApi
beforeEach(async () => {
  api = await startTestApi({ routes })
})
afterEach(() => api[Symbol.asyncDispose]())

const idOf = async ({ identity }: TestApi) => (await identity.organizationBySlug('test'))?.id ?? ''
const limitTo = async (units: number, of = api) => of.identity.overrideRateLimit(await idOf(of), units, TESTER)
/** Status, cost and units left. */
const ask = async (path: string, headers: Record<string, string> = {}, of = api) => {
  const { status, headers: got } = await of.ask(path, { headers })
  return [status, got['ratelimit-cost'], got['ratelimit-remaining']]
}

describe('the cost of a request', () => {
  it('a computed answer costs what its route declares, and the headers count units', async () => {
    await limitTo(100)
    expect(await ask('/v1/light')).toEqual([200, '1', '99'])
    expect(await ask('/v1/heavy')).toEqual([200, '11', '88'])
    expect(await ask('/v1/light')).toEqual([200, '1', '87'])
  })

  it('a refusal costs 1, whether it comes before or after the rest is taken, and so does a request without a route', async () => {
    await limitTo(100)
    expect(await ask('/v1/heavy?nope=1')).toEqual([400, '1', '99'])
    expect(await ask('/v1/missing')).toEqual([404, '1', '98'])
    expect(await ask('/v1/broken')).toEqual([500, '1', '97'])
    expect(await ask('/v1/nothing')).toEqual([404, '1', '96'])
  })

  it('a 304 costs 1', async () => {
    await limitTo(100)
    const { headers } = await api.ask('/v1/heavy')
    expect(await ask('/v1/heavy', { 'if-none-match': headers.etag ?? '' })).toEqual([304, '1', '88'])
  })

  it('an answer from the cache costs 1', async () => {
    const { metrics } = api
    const logger = { debug: () => undefined } as never
    const cache: ResponseCache = openResponseCache({ store: memoryStore(), scope: '', stateOf: async () => 'one state', metrics, logger })
    await using cached = await startTestApi({ routes, shared: { cache } })
    await limitTo(100, cached)
    expect(await ask('/v1/heavy', {}, cached)).toEqual([200, '11', '89'])
    expect(await ask('/v1/heavy', {}, cached)).toEqual([200, '1', '88'])
  })

  it('a request that passes its deadline costs 1', async () => {
    const slow = toyRoute(() => new Promise(() => {}), { load: async () => ({ buckets: 5_000 }) })
    await using late = await startTestApi({ routes: [slow], deadlineMs: 20 })
    expect(await ask('/v1/toy', {}, late)).toEqual([504, '1', '11999'])
  })

  it('a client that disconnects pays for the computation that it started', async () => {
    const started = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const slow = toyRoute(
      (_, { signal }) => {
        signal.addEventListener('abort', () => left.resolve())
        started.resolve()
        return new Promise(() => {})
      },
      { load: async () => ({ buckets: 5_000 }) },
    )
    await using slowApi = await startTestApi({ routes: [slow, light] })
    const asking = request(`${slowApi.url}/v1/toy`, { headers: { 'x-service-api-key': slowApi.key } })
    asking.on('error', () => {})
    asking.end()
    await started.promise
    asking.destroy()
    await left.promise
    expect(await ask('/v1/light', {}, slowApi)).toEqual([200, '1', '11988']) // 12,000 - 11 - 1
    const today = await slowApi.access.usage.today(await idOf(slowApi))
    expect(today).toMatchObject({ requests: 2, cost: 12 })
  })
})

describe('429', () => {
  it('a request that costs exactly the units that are left passes', async () => {
    await limitTo(13)
    expect(await ask('/v1/light')).toEqual([200, '1', '12'])
    expect(await ask('/v1/light')).toEqual([200, '1', '11'])
    const { status, headers, body } = await api.ask('/v1/heavy')
    expect([status, headers['ratelimit-cost'], headers['ratelimit-remaining']]).toEqual([200, '11', '0'])
    expect(body?.data).toBe('heavy')
  })

  it('a request with fewer units left than it costs gets 429, which takes only 1 and names the cost; cheaper requests still pass', async () => {
    await limitTo(12)
    await ask('/v1/light')
    await ask('/v1/light')
    const { status, headers, body } = await api.ask('/v1/heavy')
    expect([status, headers['ratelimit-cost'], headers['ratelimit-remaining']]).toEqual([429, '1', '9'])
    expect(headers['retry-after']).toMatch(/^[1-9]\d?$/)
    expect(body?.error).toEqual({
      code: 'rate_limited',
      docs: '/docs/errors/rate_limited',
      message:
        'This request costs 11 units. Your organization has fewer left in this minute. Request fewer buckets or addresses, or JSON instead of CSV, or try again after the number of seconds in `Retry-After`.',
    })
    expect(await ask('/v1/light')).toEqual([200, '1', '8'])
  })

  it('a 429 for a cost above the limit of the organization says that waiting does not help', async () => {
    await limitTo(10)
    const { status, body } = await api.ask('/v1/heavy')
    expect([status, body?.error?.message]).toEqual([
      429,
      'This request costs 11 units. That is more than the 10 units that your organization has per minute. Request fewer buckets or addresses, or JSON instead of CSV.',
    ])
  })

  it('of requests at the same moment, only as many pass as the units suffice for', async () => {
    await limitTo(40)
    const answers = await Promise.all(Array.from({ length: 4 }, () => ask('/v1/heavy')))
    // 4 requests take 4 units; three of them 10 more. The others may be refused while units that do not suffice are being given back.
    expect(answers.filter(([status]) => status === 200).length).toBeLessThanOrEqual(3)
    const used = answers.reduce((sum, [, cost]) => sum + Number(cost), 0)
    expect((await ask('/v1/light'))[2]).toBe(String(40 - used - 1))
  })
})

describe('a limiter whose store fails', () => {
  const away = () => Promise.reject(new Error('Redis is away.'))

  async function withLimiter(rateLimiter: RateLimiter): Promise<TestApi> {
    const options: TestApiOptions = { routes, access: { rateLimiter } }
    const open = await startTestApi(options)
    await limitTo(12, open)
    return open
  }

  it('expensive requests pass, are counted by this instance, and each counts as one failure', async () => {
    await using open = await withLimiter({ take: away, takeMore: away })
    expect(await ask('/v1/heavy', {}, open)).toEqual([200, '11', '1'])
    expect(await ask('/v1/heavy', {}, open)).toEqual([200, '11', '0'])
    expect(await open.metrics.registry.metrics()).toMatch(/orrery_api_limiter_failures_total 2/)
  })

  it('a failure after the request was counted also lets it pass, and units that cannot be given back do not fail it', async () => {
    const allowance = { allowed: true, limit: 12, remaining: 11, resetSeconds: WINDOW_SECONDS }
    await using open = await withLimiter({ take: async () => allowance, takeMore: away })
    expect(await ask('/v1/heavy', {}, open)).toEqual([200, '11', '2']) // this instance has counted only the 10
    const taken = { allowance: { ...allowance, remaining: 1 }, giveBack: away }
    await using other = await withLimiter({ take: async () => allowance, takeMore: async () => taken })
    expect((await ask('/v1/missing', {}, other))[0]).toBe(404)
  })
})
