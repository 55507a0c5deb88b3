import { openRedis } from '@orrery/identity'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { type RedisServer, startRedis } from '@orrery/testkit/servers'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { toyAnswer, toyFacts, toyRoute } from '../testing/toy-routes.ts'
import { redisStore } from './answer-store.ts'
import { openResponseCache } from './response-cache.ts'
import { responseCacheContract, standing } from './response-cache-contract.ts'

const logger = createLogger({ name: 'test', level: 'silent', json: true })
/** A busy machine is no Redis that is away. */
const NO_FAILURE_LIMIT = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server[Symbol.asyncDispose]())

const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})

responseCacheContract('Redis', async () => {
  const redis = await openRedis(server.url, () => undefined, NO_FAILURE_LIMIT)
  closing.push(() => redis.disconnect())
  await redis.flushall()
  return redisStore(redis)
})

it('a response cache in Redis is shared by instances, and not by other indexes', async () => {
  const redis = await openRedis(server.url, () => undefined, NO_FAILURE_LIMIT)
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

it('a response cache in Redis expires its answers', async () => {
  const redis = await openRedis(server.url, () => undefined, NO_FAILURE_LIMIT)
  const store = redisStore(redis)
  const small = { data: '"x"', enrichment: '{}', facts: toyFacts(), tag: [] }
  await store.set('small', small)
  expect(await redis.ttl('orrery:answers:small')).toBeGreaterThan(0)
  expect(await store.get('small')).toEqual(small)
  redis.disconnect()
})

it('an entry in Redis that is not an answer is a miss', async () => {
  const redis = await openRedis(server.url, () => undefined, NO_FAILURE_LIMIT)
  const { ask, metrics } = await standing({ store: redisStore(redis) })
  await redis.flushall()
  expect((await ask()).n).toBe(1)
  const [key = ''] = await redis.keys('orrery:answers:*')
  await redis.set(key, '{"data":"cut')
  expect([(await ask()).n, (await ask()).n]).toEqual([2, 2])
  expect(await metrics.registry.metrics()).toContain('orrery_api_cache_total{outcome="failed"} 1')
  redis.disconnect()
})

it('while its Redis is away every answer is computed, the failure is counted, and the store reports that it does not answer', async () => {
  const redis = await openRedis(server.url, () => undefined, NO_FAILURE_LIMIT)
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
