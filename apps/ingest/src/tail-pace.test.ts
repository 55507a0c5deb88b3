import { describe, expect, it } from 'vitest'
import { TailPace } from './tail-pace.ts'

/** Requests by the pace while a network closes ledgers at these times, in milliseconds. Late: how long after its close each ledger was read. */
function follow(closes: readonly number[]): { readonly lateMs: number[]; readonly questions: number } {
  const clock = { ms: 0, nowMs: () => clock.ms }
  const pace = new TailPace(clock)
  const lateMs: number[] = []
  let questions = 0
  while (lateMs.length < closes.length) {
    clock.ms += pace.pauseMs()
    questions++
    const arrived = closes.slice(lateMs.length).filter((ms) => ms <= clock.ms)
    if (arrived.length === 0) continue
    pace.arrived(arrived.length)
    lateMs.push(...arrived.map((ms) => clock.ms - ms))
  }
  return { lateMs, questions }
}

/** The first ledger closes at `fromMs`. */
const every = (intervalMs: number, ledgers: number, fromMs = 37): number[] =>
  Array.from({ length: ledgers }, (_, n) => fromMs + n * intervalMs)

describe('following the tip', () => {
  it.each([1_000, 5_600])('with a ledger every %d ms, requests are made about when it is due, and few of them', (intervalMs) => {
    const { lateMs, questions } = follow(every(intervalMs, 200, 37 + intervalMs))
    const learned = lateMs.slice(50)
    // The step is a twentieth of the interval, and at most a quarter of a second.
    expect(Math.max(...learned)).toBeLessThanOrEqual(Math.min(Math.max(intervalMs / 20, 125), 250) + 1)
    expect(questions / 200).toBeLessThan(3)
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
