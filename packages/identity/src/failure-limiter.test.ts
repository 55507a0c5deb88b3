import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FAILURE_WINDOW_SECONDS, FAILURES_OF_ADDRESS, failureLimiter, throttle } from './failure-limiter.ts'
import { memoryCounter } from './window-counter.ts'

const limiterOf = (failures: number) => failureLimiter(memoryCounter({ of: 'failures', windowSeconds: FAILURE_WINDOW_SECONDS }), failures)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) }))
afterEach(() => void vi.useRealTimers())
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

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
  const tries = throttle(memoryCounter({ of: 'tries', windowSeconds: 60 }))
  expect(await tries.take('account')).toBeNull()
  later(1_000)
  expect(await tries.take('account')).toEqual({ retryAfterSeconds: 59 })
  expect(await tries.take('another')).toBeNull()
  later(59_000)
  expect(await tries.take('account')).toBeNull()
})
