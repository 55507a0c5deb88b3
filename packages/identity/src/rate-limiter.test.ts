import { expect, it } from 'vitest'
import { memoryRateLimiter } from './rate-limiter.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)

it('lets as many requests pass in a minute as the limit says, and counts down', async () => {
  const limiter = memoryRateLimiter(() => NOON_MS)
  expect(await limiter.take('a', 2)).toEqual({ allowed: true, limit: 2, remaining: 1, resetSeconds: 60 })
  expect(await limiter.take('a', 2)).toEqual({ allowed: true, limit: 2, remaining: 0, resetSeconds: 60 })
  expect(await limiter.take('a', 2)).toEqual({ allowed: false, limit: 2, remaining: 0, resetSeconds: 60 })
})

it('counts organizations apart', async () => {
  const limiter = memoryRateLimiter(() => NOON_MS)
  await limiter.take('a', 1)
  expect(await limiter.take('a', 1)).toMatchObject({ allowed: false })
  expect(await limiter.take('b', 1)).toMatchObject({ allowed: true })
})

it('starts again with each minute of the clock, and says how far that is', async () => {
  let nowMs = NOON_MS + 59_001
  const limiter = memoryRateLimiter(() => nowMs)
  await limiter.take('a', 1)
  expect(await limiter.take('a', 1)).toMatchObject({ allowed: false, resetSeconds: 1 })
  nowMs = NOON_MS + 60_000
  expect(await limiter.take('a', 1)).toMatchObject({ allowed: true, resetSeconds: 60 })
})
