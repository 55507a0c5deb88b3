// When to request the next ledger at the tip: about when it is due, then after growing pauses.
// The interval is measured from arrivals, because a recorded network closes ledgers at another rate than its close times state.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '@orrery/service-kit'

/** Assumed until the first ledgers arrive. */
const FIRST_INTERVAL_MS = 1_000
/** Weight of the newest interval. */
const NEWEST = 0.3
/** Bounds of the pause between two requests when a ledger is due, which is a twentieth of the interval: half of it is how late a ledger is read. */
const LEAST_PAUSE_MS = 125
const DUE_PAUSE_MS = 250
/** The longest pause, however late the ledger is: a node may come back at any time. */
const LONGEST_PAUSE_MS = 5_000

export class TailPace {
  readonly #clock: Clock
  #intervalMs = FIRST_INTERVAL_MS
  #lastArrivalMs: number | null = null
  #isWaiting = false

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Call with the number of ledgers that arrived. Only those that were waited for count for the interval: others had closed before. */
  arrived(ledgers: number): void {
    const nowMs = this.#clock.nowMs()
    if (this.#isWaiting && this.#lastArrivalMs !== null) {
      const intervalMs = (nowMs - this.#lastArrivalMs) / ledgers
      this.#intervalMs += NEWEST * (intervalMs - this.#intervalMs)
    }
    this.#isWaiting = false
    this.#lastArrivalMs = nowMs
  }

  /** Milliseconds until the next request. */
  pauseMs(): number {
    const nowMs = this.#clock.nowMs()
    this.#isWaiting = true
    this.#lastArrivalMs ??= nowMs
    const stepMs = Math.min(Math.max(this.#intervalMs / 20, LEAST_PAUSE_MS), DUE_PAUSE_MS)
    // Half a step early: a request exactly one interval after a late one would be late by the same time.
    const dueAtMs = this.#lastArrivalMs + this.#intervalMs - stepMs / 2
    const lateMs = nowMs - dueAtMs
    return Math.min(lateMs < 0 ? -lateMs : Math.max(stepMs, lateMs / 2), LONGEST_PAUSE_MS)
  }

  /** Returns when the next request is due, or `signal` aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.pauseMs(), undefined, { signal }).catch(() => undefined) // aborted: the caller looks at the signal
  }
}
