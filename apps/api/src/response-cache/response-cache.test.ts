import { openRedis } from '@orrery/identity'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { type RedisServer, startRedis } from '@orrery/testkit/servers'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startTestApi, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { TOY_WATERMARK, toyAnswer, toyFacts, toyRoute } from '../testing/toy-routes.ts'
import { type AnswerStore, memoryStore, redisStore } from './answer-store.ts'
import { openResponseCache, type ResponseCache, type ResponseCacheOptions } from './response-cache.ts'

const logger = createLogger({ name: 'test', level: 'silent', json: true })
/** A busy machine is no Redis that is away. */
const PATIENT = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server[Symbol.asyncDispose]())

/** A server whose one route counts its answers; `index` is what they depend on. */
async function aServer(options: Partial<ResponseCacheOptions> = {}, change: { readonly cached?: boolean } = {}) {
  const index: { state: string | null } = { state: 'one' }
  const metrics = createMetrics()
  let computed = 0
  const during: (() => void)[] = []
  const cache: ResponseCache = openResponseCache({
    store: memoryStore(),
    scope: 'test',
    stateOf: async () => index.state,
    metrics,
    logger,
    ...options,
  })
  const route = toyRoute(
    async ({ query }) => {
      computed += 1
      for (const act of during.splice(0)) act()
      return toyAnswer({ n: computed, asked: query }, { tag: [index.state ?? ''], facts: toyFacts({ oracleStalenessSeconds: 7 }) })
    },
    { query: z.strictObject({ a: z.string().optional(), b: z.string().default('x') }), ...change },
  )
  let nowMs = (TOY_WATERMARK.closeTimeSeconds + 10) * 1000
  const clock = { nowMs: () => nowMs }
  const api = await startTestApi({ routes: [route], shared: { cache }, metrics, clock })
  const ask = async (path = '/v1/toy', headers: Record<string, string> = {}) => {
    const answer = await api.ask(path, { headers })
    return { ...answer, n: (answer.body?.data as { n: number } | undefined)?.n }
  }
  const later = (seconds: number) => {
    nowMs += seconds * 1000
  }
  return { api, index, ask, later, during, metrics, computed: () => computed }
}

const opened: TestApi[] = []
const closing: (() => void)[] = []
afterEach(async () => {
  for (const api of opened.splice(0)) await api[Symbol.asyncDispose]()
  for (const close of closing.splice(0)) close()
})
async function standing(...given: Parameters<typeof aServer>) {
  const made = await aServer(...given)
  opened.push(made.api)
  return made
}

const stores: readonly [string, () => Promise<AnswerStore>][] = [
  ['memory', async () => memoryStore()],
  [
    'Redis',
    async () => {
      const redis = await openRedis(server.url, () => undefined, PATIENT)
      closing.push(() => redis.disconnect())
      await redis.flushall()
      return redisStore(redis)
    },
  ],
]

describe.each(stores)('a response cache in %s', (_, open) => {
  it('computes an answer once, and tells its age and its facts anew each time', async () => {
    const store = await open()
    const { ask, later, computed } = await standing({ store })
    const first = await ask()
    later(30)
    const second = await ask()
    expect([first.n, second.n, computed()]).toEqual([1, 1, 1])
    expect(first.body?.meta).toMatchObject({ data_staleness_seconds: 10, oracle_staleness_seconds: 7, last_indexed_ledger: 1000 })
    expect(second.body?.meta).toMatchObject({ data_staleness_seconds: 40, oracle_staleness_seconds: 7, last_indexed_ledger: 1000 })
    expect({ ...second.body, meta: null }).toEqual({ ...first.body, meta: null })
    expect([second.headers.etag, second.headers['cache-control']]).toEqual([first.headers.etag, first.headers['cache-control']])
    expect((await ask('/v1/toy', { 'if-none-match': first.headers.etag ?? '' })).status).toBe(304)
    expect(second.headers['x-request-id']).not.toBe(first.headers['x-request-id'])
  })

  it('keeps questions apart, however they are written', async () => {
    const store = await open()
    const { ask } = await standing({ store })
    expect((await ask('/v1/toy?a=1')).n).toBe(1)
    expect((await ask('/v1/toy?a=2')).n).toBe(2)
    expect((await ask('/v1/toy?b=x&a=1')).n).toBe(1)
    expect((await ask('/v1/toy')).n).toBe(3)
  })

  it('computes anew as soon as the index is another, and has the old answer for the old index only', async () => {
    const store = await open()
    const { ask, index } = await standing({ store })
    expect((await ask()).n).toBe(1)
    index.state = 'two'
    expect((await ask()).n).toBe(2)
    index.state = 'one'
    expect((await ask()).n).toBe(1)
  })

  it('keeps nothing that was computed while the index moved on: it may be of either state', async () => {
    const store = await open()
    const { ask, index, during } = await standing({ store })
    during.push(() => {
      index.state = 'two'
    })
    expect((await ask()).n).toBe(1)
    expect((await ask()).n).toBe(2)
    index.state = 'one'
    expect((await ask()).n).toBe(3)
  })

  it('gives nobody the answer of another organization', async () => {
    const store = await open()
    const { api, ask } = await standing({ store })
    const { organization } = await api.identity.addOrganization({ slug: 'other', name: 'Other', plan: 'free' }, TESTER)
    const given = { organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null } as const
    const { key } = await api.identity.addApiKey(given, TESTER)
    expect((await ask()).n).toBe(1)
    const theirs = await ask('/v1/toy', { 'x-service-api-key': key })
    expect([theirs.n, theirs.headers['ratelimit-limit']]).toEqual([2, '120'])
    expect((await ask()).n).toBe(1)
    expect((await ask('/v1/toy', { 'x-service-api-key': 'wrong' })).status).toBe(401)
  })

  it('asks for nothing before anything is indexed, nor of a route that wants none of it', async () => {
    const store = await open()
    const unindexed = await standing({ store })
    unindexed.index.state = null
    const fresh = await standing({ store }, { cached: false })
    for (const { ask } of [unindexed, fresh]) for (const n of [1, 2]) expect((await ask()).n).toBe(n)
  })

  it('is counted by what it had', async () => {
    const store = await open()
    const { ask, metrics } = await standing({ store })
    for (let n = 0; n < 3; n++) await ask()
    const text = await metrics.registry.metrics()
    expect(text).toContain('orrery_api_cache_total{outcome="miss"} 1')
    expect(text).toContain('orrery_api_cache_total{outcome="hit"} 2')
  })
})

describe('a response cache in Redis alone', () => {
  it('is shared by instances, and not by other indexes', async () => {
    const redis = await openRedis(server.url, () => undefined, PATIENT)
    const store = redisStore(redis)
    const metrics = createMetrics()
    const route = toyRoute(async () => toyAnswer(null))
    const open = (scope: string) => openResponseCache({ store, scope, stateOf: async () => 'state', metrics, logger })
    const ask = async (scope: string, data: string) => {
      const question = { route, params: {}, query: {}, organizationId: 'acme' }
      return (await open(scope).answer(question, {} as never, async () => toyAnswer(data))).data
    }
    expect([await ask('one', 'a'), await ask('one', 'b'), await ask('two', 'c')]).toEqual(['"a"', '"a"', '"c"'])
    redis.disconnect()
  })

  it('makes room by itself, and keeps nothing that is very large', async () => {
    const redis = await openRedis(server.url, () => undefined, PATIENT)
    const store = redisStore(redis)
    await store.set('small', 'x')
    await store.set('large', 'x'.repeat(1024 * 1024 + 1))
    expect(await redis.ttl('orrery:answers:small')).toBeGreaterThan(0)
    expect([await store.get('small'), await store.get('large')]).toEqual(['x', null])
    redis.disconnect()
  })

  it('that holds what is no answer is a miss', async () => {
    const redis = await openRedis(server.url, () => undefined, PATIENT)
    const { ask, metrics } = await standing({ store: redisStore(redis) })
    await redis.flushall()
    expect((await ask()).n).toBe(1)
    const [key = ''] = await redis.keys('orrery:answers:*')
    await redis.set(key, '{"data":"cut')
    expect([(await ask()).n, (await ask()).n]).toEqual([2, 2])
    expect(await metrics.registry.metrics()).toContain('orrery_api_cache_total{outcome="failed"} 1')
    redis.disconnect()
  })

  it('that is away makes every answer a computed one, is counted, and says that it is away', async () => {
    const redis = await openRedis(server.url, () => undefined, PATIENT)
    const store = redisStore(redis)
    const { ask, metrics } = await standing({ store })
    expect(await store.answers()).toBe(true)
    await server.kill()
    for (const n of [1, 2]) expect((await ask()).n).toBe(n)
    expect(await metrics.registry.metrics()).toMatch(/orrery_api_cache_total\{outcome="failed"\} [1-9]/)
    expect(await store.answers()).toBe(false)
    await server.restart()
    redis.disconnect()
  })
})
