import { describe, expect, it } from 'vitest'
import { TailPace } from './tail-pace.ts'

interface Source {
  /** What a request takes, milliseconds. */
  readonly latencyMs?: number
  /** When the first request is made: ledgers that have closed before are read without a pause. */
  readonly fromMs?: number
  /** Ledgers that a request gives at most: 1 for files of one ledger. */
  readonly limit?: number
}

/** Requests by the pace while a network closes ledgers at these times, in milliseconds. Late: how long after its close each ledger was read. */
function follow(closes: readonly number[], { latencyMs = 0, fromMs = 0, limit = 200 }: Source = {}) {
  const clock = { ms: fromMs, nowMs: () => clock.ms }
  const pace = new TailPace(clock)
  const lateMs: number[] = []
  let pauses = 0
  while (lateMs.length < closes.length) {
    clock.ms += latencyMs
    const arrived = closes.slice(lateMs.length, lateMs.length + limit).filter((ms) => ms <= clock.ms - latencyMs / 2)
    if (arrived.length > 0) pace.arrived(arrived.length)
    else {
      clock.ms += pace.pauseMs()
      pauses++
    }
    lateMs.push(...arrived.map((ms) => clock.ms - ms))
  }
  return { lateMs, pauses }
}

/** The first ledger closes at `fromMs`. */
const every = (intervalMs: number, ledgers: number, fromMs = 37): number[] =>
  Array.from({ length: ledgers }, (_, n) => fromMs + n * intervalMs)

describe('following the tip', () => {
  it.each([1_000, 5_600])('with a ledger every %d ms, requests are made about when it is due, and few of them', (intervalMs) => {
    const { lateMs, pauses } = follow(every(intervalMs, 200, 37 + intervalMs))
    const learned = lateMs.slice(50)
    // The step is a twentieth of the interval, and at most a quarter of a second.
    expect(Math.max(...learned)).toBeLessThanOrEqual(Math.min(Math.max(intervalMs / 20, 125), 250) + 1)
    expect(pauses / 200).toBeLessThan(3)
  })

  it.each([1_000, 5_600])('after a pause of a network with a ledger every %d ms, ledgers are read in time again', (intervalMs) => {
    for (const pauseMs of [1.5, 3, 10, 100].map((times) => times * intervalMs)) {
      const restart = 100 * intervalMs + pauseMs
      const closes = [...every(intervalMs, 100), ...every(intervalMs, 100, restart)]
      const { lateMs } = follow(closes)
      // After a long pause a request comes up to five seconds late, and finds the ledgers of these.
      const read = closes.map((ms, n) => ({ ms, lateMs: lateMs[n] ?? Number.NaN }))
      const firstRequest = restart + (lateMs[100] ?? Number.NaN)
      const afterwards = read.filter(({ ms }) => ms > firstRequest).slice(4)
      expect(Math.max(...afterwards.map((ledger) => ledger.lateMs)), `${pauseMs} ms`).toBeLessThanOrEqual(251)
    }
  })

  it.each([
    { name: 'after what had closed before', closes: every(1_000, 400), source: { latencyMs: 60, fromMs: 100_600, limit: 40 } },
    { name: 'from files of one ledger', closes: every(1_000, 400), source: { latencyMs: 60, limit: 1 } },
    {
      name: 'when the network becomes faster',
      closes: [...every(3_000, 30), ...every(1_000, 400, 90_037)],
      source: { latencyMs: 20, limit: 1 },
    },
    { name: 'with closes that vary', closes: every(1_000, 400).map((ms, n) => ms + ((n * 37) % 11) * 10), source: { latencyMs: 60 } },
  ])('ledgers are read in time $name', ({ closes, source }) => {
    const { lateMs } = follow(closes, source)
    const last = lateMs.slice(-200).toSorted((a, b) => a - b)
    // Half of a request's time, a pause, and the time of the request that did not find it.
    expect(last[100]).toBeLessThanOrEqual(125 + 2 * source.latencyMs)
    expect(last.at(-1)).toBeLessThanOrEqual(2 * 125 + 2 * source.latencyMs)
  })

  it('pauses grow while no ledger arrives, up to five seconds', () => {
    const clock = { ms: 0, nowMs: () => clock.ms }
    const pace = new TailPace(clock)
    const pauses: number[] = []
    for (let n = 0; n < 30; n++) {
      const pause = pace.pauseMs()
      pauses.push(pause)
      clock.ms += pause
    }
    expect(pauses.slice(1)).toEqual(pauses.slice(1).toSorted((a, b) => a - b))
    expect(pauses.at(-1)).toBe(5_000)
  })

  it('ledgers that had closed before do not change the interval', () => {
    const clock = { ms: 0, nowMs: () => clock.ms }
    const pace = new TailPace(clock)
    for (let n = 0; n < 100; n++) {
      clock.ms += 1
      pace.arrived(200)
    }
    // One second, the first guess, less half a step.
    expect(pace.pauseMs()).toBe(937.5)
  })
})
