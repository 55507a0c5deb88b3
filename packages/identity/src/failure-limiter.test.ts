import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { FAILURE_WINDOW_SECONDS, FAILURES_OF_ADDRESS, failureLimiter } from './failure-limiter.ts'
import { memoryCounter } from './window-counter.ts'

const limiterOf = (failures: number) => failureLimiter(memoryCounter({ of: 'failures', windowSeconds: FAILURE_WINDOW_SECONDS }), failures)
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 0, 1, 12) }))
afterEach(() => void vi.useRealTimers())
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

it('tells an address to wait after 50 failures in 15 minutes, until those are over', async () => {
  const limiter = limiterOf(FAILURES_OF_ADDRESS)
  for (let n = 0; n < 50; n++) expect(await limiter.fail('192.0.2.1')).toBeNull()
  later(60_000)
  expect(await limiter.fail('192.0.2.1')).toEqual({ retryAfterSeconds: 14 * 60 })
  expect(await limiter.fail('192.0.2.2')).toBeNull()
  later(14 * 60_000)
  expect(await limiter.fail('192.0.2.1')).toBeNull()
})

it('can be asked without counting, and forgives', async () => {
  const limiter = limiterOf(2)
  for (let n = 0; n < 2; n++) {
    expect(await limiter.wait('account')).toBeNull()
    await limiter.fail('account')
  }
  expect(await limiter.wait('account')).toEqual({ retryAfterSeconds: 900 })
  await limiter.forgive('account')
  expect(await limiter.wait('account')).toBeNull()
})
