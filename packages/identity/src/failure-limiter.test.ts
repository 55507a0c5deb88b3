import { beforeEach, expect, it } from 'vitest'
import { FAILURE_WINDOW_SECONDS, FAILURES_OF_ADDRESS, failureLimiter, throttle } from './failure-limiter.ts'
import { memoryCounter } from './window-counter.ts'

let nowMs = 0
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1, 12)
})
const counterOf = (windowSeconds: number) => memoryCounter({ windowSeconds }, () => nowMs)
const limiterOf = (failures: number) => failureLimiter(counterOf(FAILURE_WINDOW_SECONDS), failures)
const later = (milliseconds: number) => {
  nowMs += milliseconds
}

it('the failure limiter makes an address wait after 50 failures, until its window of 15 minutes ends', async () => {
  const limiter = limiterOf(FAILURES_OF_ADDRESS)
  const allowed = { wait: null, isLimitReached: false }
  for (let n = 0; n < 49; n++) expect(await limiter.fail('192.0.2.1')).toEqual(allowed)
  expect(await limiter.fail('192.0.2.1')).toEqual({ wait: null, isLimitReached: true })
  later(60_000)
  expect(await limiter.fail('192.0.2.1')).toEqual({ wait: { retryAfterSeconds: 14 * 60 }, isLimitReached: false })
  expect(await limiter.fail('192.0.2.2')).toEqual(allowed)
  later(14 * 60_000)
  expect(await limiter.fail('192.0.2.1')).toEqual(allowed)
})

it('failures that do not reach the limit within 15 minutes of the first one are forgotten, and a limit lasts 15 minutes from the failure that reached it', async () => {
  const limiter = limiterOf(3)
  for (let n = 0; n < 2; n++) await limiter.fail('account')
  later(900_000)
  for (let n = 0; n < 2; n++) await limiter.fail('account')
  later(899_000)
  expect(await limiter.wait('account')).toBeNull()
  expect(await limiter.fail('account')).toEqual({ wait: null, isLimitReached: true })
  expect(await limiter.wait('account')).toEqual({ retryAfterSeconds: 900 })
  later(60_000)
  // Failures beyond the limit do not prolong it.
  expect(await limiter.fail('account')).toEqual({ wait: { retryAfterSeconds: 840 }, isLimitReached: false })
  later(839_999)
  expect(await limiter.wait('account')).toEqual({ retryAfterSeconds: 1 })
  later(1)
  expect(await limiter.wait('account')).toBeNull()
})

it('the failure limiter answers without counting, and a right credential resets the count', async () => {
  const limiter = limiterOf(2)
  for (let n = 0; n < 2; n++) {
    expect(await limiter.wait('account')).toBeNull()
    await limiter.fail('account')
  }
  expect(await limiter.wait('account')).toEqual({ retryAfterSeconds: 900 })
  await limiter.forgive('account')
  expect(await limiter.wait('account')).toBeNull()
})

it('the throttle gives a name one attempt in a window', async () => {
  const tries = throttle(counterOf(60))
  expect(await tries.take('account')).toBeNull()
  later(1_000)
  expect(await tries.take('account')).toEqual({ retryAfterSeconds: 59 })
  expect(await tries.take('another')).toBeNull()
  later(59_000)
  expect(await tries.take('account')).toBeNull()
})
