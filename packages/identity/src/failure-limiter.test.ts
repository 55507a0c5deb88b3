import { expect, it } from 'vitest'
import { memoryFailureLimiter } from './failure-limiter.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)

it('tells an address to wait after 50 failures in 15 minutes, until those are over', async () => {
  let nowMs = NOON_MS
  const limiter = memoryFailureLimiter(() => nowMs)
  for (let n = 0; n < 50; n++) expect(await limiter.fail('192.0.2.1')).toBeNull()
  nowMs += 60_000
  expect(await limiter.fail('192.0.2.1')).toEqual({ retryAfterSeconds: 14 * 60 })
  expect(await limiter.fail('192.0.2.2')).toBeNull()
  nowMs = NOON_MS + 15 * 60_000
  expect(await limiter.fail('192.0.2.1')).toBeNull()
})
