import { expect, it } from 'vitest'
import { TokenBucket } from './token-bucket.ts'

it('gives all that is asked for or nothing, and fills with time up to what it holds', () => {
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
