import { expect, it } from 'vitest'
import { openRedis } from './redis.ts'
import { insuredCounter, memoryCounter, type WindowCounter } from './window-counter.ts'
import { counterContract } from './window-counter-contract.ts'

counterContract('memory', (test) => test(memoryCounter({ windowSeconds: 60 })))

it('a counter in memory follows the clock that it is given: a window ends after its seconds, and a restart begins a whole one', async () => {
  let nowMs = Date.UTC(2026, 0, 1, 12)
  const counter = memoryCounter({ windowSeconds: 60 }, () => nowMs)
  expect(await counter.add('a')).toEqual({ count: 1, leftMs: 60_000 })
  nowMs += 59_999
  expect(await counter.add('a')).toEqual({ count: 2, leftMs: 1 })
  await counter.restart('a', 2)
  nowMs += 59_999
  expect(await counter.read('a')).toEqual({ count: 2, leftMs: 1 })
  nowMs += 1
  expect(await counter.read('a')).toEqual({ count: 0, leftMs: 0 })
  expect(await counter.add('a')).toEqual({ count: 1, leftMs: 60_000 })
})

it('a counter in memory has 50,000 names at most: it drops the name that was counted least recently, and reading does not keep a name', async () => {
  const counter = memoryCounter({ windowSeconds: 60 })
  for (const name of ['read', 'counted', 'restarted']) await counter.add(name)
  for (let n = 0; n < 49_997; n++) await counter.add(`other ${n}`)
  await counter.read('read')
  await counter.add('counted')
  await counter.restart('restarted', 5)
  await counter.add('one more')
  expect(await counter.read('read')).toMatchObject({ count: 0 })
  expect([await counter.read('counted'), await counter.read('restarted')]).toMatchObject([{ count: 2 }, { count: 5 }])
  for (let n = 0; n < 49_999; n++) await counter.add(`new ${n}`)
  expect([await counter.read('counted'), await counter.read('one more')]).toMatchObject([{ count: 0 }, { count: 1 }])
})

it('a counter with a fallback reads the higher count, because a Redis without memory answers reads and refuses to count', async () => {
  const shared = memoryCounter({ windowSeconds: 60 })
  let isFull = false
  const full: WindowCounter = { ...shared, add: (name) => (isFull ? Promise.reject(new Error('OOM')) : shared.add(name)) }
  const insured = insuredCounter(full, memoryCounter({ windowSeconds: 60 }))
  await insured.add('a')
  isFull = true
  expect([await insured.add('a'), await insured.read('a')]).toMatchObject([{ count: 1 }, { count: 1 }])
  expect([await insured.add('a'), await insured.read('a')]).toMatchObject([{ count: 2 }, { count: 2 }])
  isFull = false
  for (const count of [2, 3]) expect([await insured.add('a'), await insured.read('a')]).toMatchObject([{ count }, { count }])
  await insured.forget('a')
  expect(await insured.read('a')).toEqual({ count: 0, leftMs: 0 })
})

it('an address that is not one of a Redis is refused', async () => {
  await expect(openRedis('http://127.0.0.1', () => undefined)).rejects.toMatchObject({ code: 'unknown_redis_url' })
})
