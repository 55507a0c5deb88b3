import { type RedisServer, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openRedis } from './redis.ts'
import { insuredCounter, memoryCounter, redisCounter, type WindowCounter } from './window-counter.ts'

/** A busy machine is no Redis that is away. */
const PATIENT = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server[Symbol.asyncDispose]())

/** The promises of a counter. */
function counterContract(driver: string, withCounter: (test: (counter: WindowCounter) => Promise<void>) => Promise<void>): void {
  describe(`a counter in ${driver}`, () => {
    it('counts each name apart, from nothing', () =>
      withCounter(async (counter) => {
        expect(await counter.read('a')).toEqual({ count: 0, leftMs: 0 })
        for (const count of [1, 2, 3]) expect(await counter.add('a')).toMatchObject({ count })
        expect(await counter.add('b')).toMatchObject({ count: 1 })
        expect(await counter.read('a')).toMatchObject({ count: 3 })
      }))

    it('says how far the end of the window is', () =>
      withCounter(async (counter) => {
        const { leftMs } = await counter.add('window')
        expect(leftMs).toBeGreaterThan(0)
        expect(leftMs).toBeLessThanOrEqual(60_000)
        expect((await counter.add('window')).leftMs).toBeLessThanOrEqual(leftMs)
      }))

    it('loses none of many counts at once', () =>
      withCounter(async (counter) => {
        const counts = await Promise.all(Array.from({ length: 100 }, () => counter.add('crowd')))
        expect(counts.map(({ count }) => count).sort((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, n) => n + 1))
      }))

    it('forgets a name when it is told to', () =>
      withCounter(async (counter) => {
        await counter.add('gone')
        await counter.forget('gone')
        expect(await counter.add('gone')).toMatchObject({ count: 1 })
      }))
  })
}

counterContract('memory', (test) => test(memoryCounter({ of: 'tests', windowSeconds: 60 })))

let made = 0
counterContract('Redis', async (test) => {
  const redis = await openRedis(server.url, () => undefined, PATIENT)
  await test(redisCounter(redis, { of: `tests${++made}`, windowSeconds: 60 }))
  redis.disconnect()
})

describe('counters in one Redis', () => {
  it('count together', async () => {
    const [one, two] = [await openRedis(server.url, () => undefined, PATIENT), await openRedis(server.url, () => undefined, PATIENT)]
    const counters = [one, two].map((redis) => redisCounter(redis, { of: 'together', windowSeconds: 60 }))
    const counts = await Promise.all(Array.from({ length: 20 }, (_, n) => counters[n % 2]?.add('name')))
    expect(Math.max(...counts.map((counted) => counted?.count ?? 0))).toBe(20)
    for (const redis of [one, two]) redis.disconnect()
  })

  it('reject at once while it is away, count by themselves where they are insured, and go on when it is back', async () => {
    const problems: string[] = []
    const redis = await openRedis(server.url, (reason) => problems.push(reason), PATIENT)
    const shared = redisCounter(redis, { of: 'away', windowSeconds: 60 })
    const insured = insuredCounter(shared, memoryCounter({ of: 'away', windowSeconds: 60 }))
    expect(await insured.add('name')).toMatchObject({ count: 1 })
    await server.kill()
    await expect(shared.add('name')).rejects.toThrow()
    await expect(shared.read('name')).rejects.toThrow()
    expect(await insured.add('name')).toMatchObject({ count: 1 })
    expect(await insured.add('name')).toMatchObject({ count: 2 })
    await insured.forget('name')
    expect(await insured.read('name')).toMatchObject({ count: 0 })
    const back = new Promise((resolve) => redis.once('ready', resolve))
    await server.restart()
    await back
    expect(await shared.add('name')).toMatchObject({ count: 1 })
    expect(problems).toHaveLength(1)
    redis.disconnect()
  })
})

it('a Redis is asked for by its address', async () => {
  await expect(openRedis('http://127.0.0.1', () => undefined)).rejects.toMatchObject({ code: 'unknown_redis_url' })
})
