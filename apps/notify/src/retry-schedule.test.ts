import { expect, it } from 'vitest'
import { nextAttemptAt } from './retry-schedule.ts'

const HOUR_MS = 3_600_000
const START_MS = Date.UTC(2026, 0, 1)
const next = (attempts: number, afterMs: number, retryAfterMs: number | null = null, random = 1) =>
  nextAttemptAt({ attempts, firstAttemptAtMs: START_MS, nowMs: START_MS + afterMs, retryAfterMs }, () => random)

it('pauses double from 5 seconds up to an hour, of which the second half is random', () => {
  const pauses = Array.from({ length: 12 }, (_, attempts) => (next(attempts, 0) ?? 0) - START_MS)
  expect(pauses.map((ms) => ms / 1000)).toEqual([5, 10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600])
  expect([next(0, 0, null, 0), next(3, 0, null, 0.5)]).toEqual([START_MS + 2_500, START_MS + 30_000])
  expect(next(10_000, 0)).toBe(START_MS + HOUR_MS)
})

it('the last attempt is 24 hours after the first, and then there is none', () => {
  expect(next(30, 23.5 * HOUR_MS)).toBe(START_MS + 24 * HOUR_MS)
  expect(next(31, 24 * HOUR_MS - 1)).toBe(START_MS + 24 * HOUR_MS)
  expect(next(32, 24 * HOUR_MS)).toBeNull()
  let [attempts, atMs] = [0, START_MS]
  for (let at: number | null = atMs; at !== null; attempts++) {
    atMs = at
    at = nextAttemptAt({ attempts, firstAttemptAtMs: START_MS, nowMs: atMs, retryAfterMs: null }, () => 1)
  }
  expect(atMs).toBe(START_MS + 24 * HOUR_MS)
  expect(attempts).toBeGreaterThan(25)
})

it('a receiver may ask for a longer pause, up to an hour', () => {
  expect([next(0, 0, 60_000), next(0, 0, 1_000), next(0, 0, 10 * HOUR_MS)]).toEqual([
    START_MS + 60_000,
    START_MS + 5_000,
    START_MS + HOUR_MS,
  ])
})
