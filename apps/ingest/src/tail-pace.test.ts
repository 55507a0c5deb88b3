import { describe, expect, it } from 'vitest'
import { TailPace } from './tail-pace.ts'

/** Requests by the pace while a network closes a ledger about every `intervalMs`. */
function follow(intervalMs: number, ledgers: number): { readonly lateMs: number[]; readonly questions: number } {
  const clock = { ms: 0, nowMs: () => clock.ms }
  const pace = new TailPace(clock)
  const lateMs: number[] = []
  let [questions, seen] = [0, 0]
  while (seen < ledgers) {
    clock.ms += pace.pauseMs()
    questions++
    const closed = Math.floor((clock.ms - 37) / intervalMs)
    if (closed <= seen) continue
    pace.arrived(closed - seen)
    lateMs.push(clock.ms - 37 - closed * intervalMs)
    seen = closed
  }
  return { lateMs, questions }
}

describe('following the tip', () => {
  it.each([1_000, 5_600])('with a ledger every %d ms, requests are made about when it is due, and few of them', (intervalMs) => {
    const { lateMs, questions } = follow(intervalMs, 200)
    const learned = lateMs.slice(50)
    // The step is a twentieth of the interval, and at most a quarter of a second.
    expect(Math.max(...learned)).toBeLessThanOrEqual(Math.min(Math.max(intervalMs / 20, 125), 250) + 1)
    expect(questions / 200).toBeLessThan(3)
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
