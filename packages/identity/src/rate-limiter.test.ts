import { beforeEach, expect, it } from 'vitest'
import { rateLimiter, WINDOW_SECONDS } from './rate-limiter.ts'
import { memoryCounter } from './window-counter.ts'

let nowMs = 0
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1, 12)
})
const limiterNow = () =>
  rateLimiter(
    memoryCounter({ windowSeconds: WINDOW_SECONDS }, () => nowMs),
    () => nowMs,
  )
const later = (milliseconds: number) => {
  nowMs += milliseconds
}

it('the rate limiter lets as many requests pass in a minute as the limit allows, and counts down', async () => {
  const limiter = limiterNow()
  expect(await limiter.take('a', 2)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  expect(await limiter.take('a', 2)).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 60 })
  expect(await limiter.take('a', 2)).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 60 })
})

it('the rate limiter counts each organization separately', async () => {
  const limiter = limiterNow()
  await limiter.take('a', 1)
  expect(await limiter.take('a', 1)).toMatchObject({ allowed: false })
  expect(await limiter.take('b', 1)).toMatchObject({ allowed: true })
})

it('the rate limiter starts again a minute after the first request, and returns the time until then', async () => {
  const limiter = limiterNow()
  await limiter.take('a', 1)
  later(59_001)
  expect(await limiter.take('a', 1)).toMatchObject({ allowed: false, resetSeconds: 1 })
  later(999)
  expect(await limiter.take('a', 1)).toMatchObject({ allowed: true, resetSeconds: 60 })
})

it('the rate limiter applies a new limit at once, with the requests counted under the old one', async () => {
  const limiter = limiterNow()
  for (let n = 0; n < 5; n++) await limiter.take('a', 5)
  expect(await limiter.take('a', 5)).toMatchObject({ allowed: false })
  expect(await limiter.take('a', 10)).toMatchObject({ allowed: true, remaining: 3 })
})

it('further units are taken together or not at all', async () => {
  const limiter = limiterNow()
  await limiter.take('a', 10)
  expect((await limiter.takeMore('a', 10, 6)).allowance).toEqual({ allowed: true, limit: 10, remaining: 3, resetSeconds: 60 })
  const refused = await limiter.takeMore('a', 10, 4)
  expect(refused.allowance).toEqual({ allowed: false, limit: 10, remaining: 3, resetSeconds: 60 })
  expect((await limiter.takeMore('a', 10, 3)).allowance).toMatchObject({ allowed: true, remaining: 0 })
})

it('units that are given back can be taken again', async () => {
  const limiter = limiterNow()
  const taken = await limiter.takeMore('a', 10, 10)
  expect(await taken.giveBack()).toEqual({ allowed: true, limit: 10, remaining: 10, resetSeconds: 60 })
  expect((await limiter.takeMore('a', 10, 10)).allowance.allowed).toBe(true)
})

it('units of a window that has ended are not given back to the next one', async () => {
  const limiter = limiterNow()
  const taken = await limiter.takeMore('a', 10, 8)
  later(60_000)
  expect(await limiter.take('a', 10)).toMatchObject({ remaining: 9 })
  expect(await taken.giveBack()).toMatchObject({ remaining: 9 })
})
