import { type RedisServer, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AccessBus, type AccessChange, redisBus } from './access-bus.ts'
import { openRedis } from './redis.ts'

/** Long enough that a busy machine does not look like an unreachable Redis. */
const LONG_TIMEOUTS = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server[Symbol.asyncDispose]())

/** The changes that a bus receives, in order. The first is `everything`: earlier messages are unknown. */
function ears(bus: AccessBus): () => Promise<AccessChange> {
  const heard: AccessChange[] = []
  let arrived = Promise.withResolvers<void>()
  bus.subscribe((change) => {
    heard.push(change)
    arrived.resolve()
  })
  return async () => {
    for (;;) {
      const change = heard.shift()
      if (change !== undefined) return change
      arrived = Promise.withResolvers()
      await arrived.promise
    }
  }
}

it('the access bus sends a change of one instance to all others', async () => {
  const [one, two] = [
    await openRedis(server.url, () => undefined, LONG_TIMEOUTS),
    await openRedis(server.url, () => undefined, LONG_TIMEOUTS),
  ]
  await using mine = redisBus(one)
  await using theirs = redisBus(two)
  const [atMine, atTheirs] = [ears(mine), ears(theirs)]
  expect([await atMine(), await atTheirs()]).toEqual(['everything', 'everything'])
  const changes: AccessChange[] = [{ prefix: 'ory_abcdefgh' }, { organizationId: 'acme' }, 'everything']
  for (const change of changes) await mine.publish(change)
  for (const change of changes) expect([await atMine(), await atTheirs()]).toEqual([change, change])
  for (const redis of [one, two]) redis.disconnect()
})

it('the access bus treats an unknown message as a change of everything', async () => {
  const redis = await openRedis(server.url, () => undefined, LONG_TIMEOUTS)
  await using bus = redisBus(redis)
  const next = ears(bus)
  await next()
  for (const text of ['', '{', 'null', '7', '{"prefix":7}', '{"newer":"word"}']) {
    await redis.publish('orrery:access', text)
    expect(await next()).toBe('everything')
  }
  redis.disconnect()
})

it('the access bus rejects while Redis is down, and sends `everything` after it reconnects', async () => {
  const redis = await openRedis(server.url, () => undefined, LONG_TIMEOUTS)
  await using bus = redisBus(redis)
  const next = ears(bus)
  await next()
  await server.kill()
  await expect(bus.publish('everything')).rejects.toThrow()
  const back = new Promise((resolve) => redis.once('ready', resolve))
  await server.restart()
  await back
  expect(await next()).toBe('everything')
  redis.disconnect()
})
