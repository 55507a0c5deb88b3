import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

it('a token bucket gives all requested tokens or none, and is filled with time up to its capacity', () => {
  let nowMs = 1_000
  const bucket = new TokenBucket({ capacity: 3, perSecond: 2, clock: { nowMs: () => nowMs } })
  expect([bucket.take(2), bucket.take(2), bucket.take(1), bucket.take(1)]).toEqual([true, false, true, false])
  nowMs += 499
  expect(bucket.take(1)).toBe(false)
  nowMs += 1
  expect(bucket.take(1)).toBe(true)
  nowMs += 60_000
  expect([bucket.take(4), bucket.take(3), bucket.has(1)]).toEqual([false, true, false])
  nowMs -= 60_000
  expect(bucket.take(1)).toBe(false)
})
