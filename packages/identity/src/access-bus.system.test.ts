import { type RedisServer, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type AccessBus, type AccessChange, redisBus } from './access-bus.ts'
import { openRedis } from './redis.ts'

/** A busy machine is no Redis that is away. */
const PATIENT = { answerWithinMs: 60_000, connectWithinMs: 60_000 }
let server: RedisServer
beforeAll(async () => {
  server = await startRedis()
})
afterAll(() => server[Symbol.asyncDispose]())

/** What a bus hears, one by one. It begins with `everything`: what was said before it listened is unknown. */
function ears(bus: AccessBus): () => Promise<AccessChange> {
  const heard: AccessChange[] = []
  let arrived = Promise.withResolvers<void>()
  bus.hear((change) => {
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

it('tells every instance what one of them has changed', async () => {
  const [one, two] = [await openRedis(server.url, () => undefined, PATIENT), await openRedis(server.url, () => undefined, PATIENT)]
  await using mine = redisBus(one)
  await using theirs = redisBus(two)
  const [atMine, atTheirs] = [ears(mine), ears(theirs)]
  expect([await atMine(), await atTheirs()]).toEqual(['everything', 'everything'])
  const changes: AccessChange[] = [{ prefix: 'ory_abcdefgh' }, { organizationId: 'acme' }, 'everything']
  for (const change of changes) await mine.tell(change)
  for (const change of changes) expect([await atMine(), await atTheirs()]).toEqual([change, change])
  for (const redis of [one, two]) redis.disconnect()
})

it('takes what it does not understand as: anything may have changed', async () => {
  const redis = await openRedis(server.url, () => undefined, PATIENT)
  await using bus = redisBus(redis)
  const next = ears(bus)
  await next()
  for (const text of ['', '{', 'null', '7', '{"prefix":7}', '{"newer":"word"}']) {
    await redis.publish('orrery:access', text)
    expect(await next()).toBe('everything')
  }
  redis.disconnect()
})

it('says so when nobody can be told, and begins with `everything` when it hears again', async () => {
  const redis = await openRedis(server.url, () => undefined, PATIENT)
  await using bus = redisBus(redis)
  const next = ears(bus)
  await next()
  await server.kill()
  await expect(bus.tell('everything')).rejects.toThrow()
  const back = new Promise((resolve) => redis.once('ready', resolve))
  await server.restart()
  await back
  expect(await next()).toBe('everything')
  redis.disconnect()
})
