import { type RedisServer, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openRedis } from './redis.ts'
import { insuredCounter, memoryCounter, redisCounter } from './window-counter.ts'
import { counterContract } from './window-counter-contract.ts'

/** Long enough that a busy machine does not look like an unreachable Redis. */
const LONG_TIMEOUTS = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server[Symbol.asyncDispose]())

let made = 0
counterContract('Redis', async (test) => {
  const redis = await openRedis(server.url, () => undefined, LONG_TIMEOUTS)
  await test(redisCounter(redis, { of: `tests${++made}`, windowSeconds: 60 }))
  redis.disconnect()
})

it('counters of two connections to one Redis count together', async () => {
  const [one, two] = [
    await openRedis(server.url, () => undefined, LONG_TIMEOUTS),
    await openRedis(server.url, () => undefined, LONG_TIMEOUTS),
  ]
  const counters = [one, two].map((redis) => redisCounter(redis, { of: 'together', windowSeconds: 60 }))
  const counts = await Promise.all(Array.from({ length: 20 }, (_, n) => counters[n % 2]?.add('name')))
  expect(Math.max(...counts.map((counted) => counted?.count ?? 0))).toBe(20)
  for (const redis of [one, two]) redis.disconnect()
})

it('a restart begins a whole window in Redis', async () => {
  const redis = await openRedis(server.url, () => undefined, LONG_TIMEOUTS)
  const counter = redisCounter(redis, { of: 'restarted', windowSeconds: 24 * 3600 })
  await counter.add('name')
  expect(await redis.expire('orrery:restarted:name', 3600)).toBe(1)
  await counter.restart('name', 100)
  expect((await counter.read('name')).leftMs).toBeGreaterThan(23 * 3600 * 1000)
  redis.disconnect()
})

it('counters reject at once while their Redis is down, count locally where they have a fallback, and count in Redis again afterwards', async () => {
  const problems: string[] = []
  const redis = await openRedis(server.url, (reason) => problems.push(reason), LONG_TIMEOUTS)
  const shared = redisCounter(redis, { of: 'away', windowSeconds: 60 })
  const insured = insuredCounter(shared, memoryCounter({ windowSeconds: 60 }))
  expect(await insured.add('name')).toMatchObject({ count: 1 })
  await server.kill()
  await expect(shared.add('name')).rejects.toThrow()
  await expect(shared.read('name')).rejects.toThrow()
  await expect(shared.restart('name', 5)).rejects.toThrow()
  expect(await insured.add('name')).toMatchObject({ count: 1 })
  expect(await insured.add('name')).toMatchObject({ count: 2 })
  await insured.restart('name', 5)
  expect(await insured.add('name')).toMatchObject({ count: 6 })
  await insured.forget('name')
  expect(await insured.read('name')).toMatchObject({ count: 0 })
  const back = new Promise((resolve) => redis.once('ready', resolve))
  await server.restart()
  await back
  expect(await shared.add('name')).toMatchObject({ count: 1 })
  expect(problems).toHaveLength(1)
  redis.disconnect()
})
