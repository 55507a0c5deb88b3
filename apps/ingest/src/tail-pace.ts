// When to ask a source for news that are not there yet: about when they are due, then a little later and later.
// The interval between news is learned from their arrival, because a recorded network closes ledgers at another pace than its close times say.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '@orrery/service-kit'

/** Believed until the first news arrive. */
const FIRST_INTERVAL_MS = 1_000
/** Weight of the newest interval. */
const NEWEST = 0.3
/** Between two questions when news are due: a fifth of the interval, within these. */
const LEAST_PAUSE_MS = 250
const DUE_PAUSE_MS = 1_000
/** The longest pause, however late the news are: a node may come back at any time. */
const LONGEST_PAUSE_MS = 5_000

export class TailPace {
  readonly #clock: Clock
  #intervalMs = FIRST_INTERVAL_MS
  #newsAtMs: number | null = null
  #isWaiting = false

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** So many ledgers arrived. Only what was waited for says something about the interval: the rest was there already. */
  arrived(ledgers: number): void {
    const nowMs = this.#clock.nowMs()
    if (this.#isWaiting && this.#newsAtMs !== null) {
      const intervalMs = (nowMs - this.#newsAtMs) / ledgers
      this.#intervalMs += NEWEST * (intervalMs - this.#intervalMs)
    }
    this.#isWaiting = false
    this.#newsAtMs = nowMs
  }

  /** Milliseconds until the next question. */
  pauseMs(): number {
    const nowMs = this.#clock.nowMs()
    this.#isWaiting = true
    this.#newsAtMs ??= nowMs
    const stepMs = Math.min(Math.max(this.#intervalMs / 5, LEAST_PAUSE_MS), DUE_PAUSE_MS)
    // Half a step early: whoever comes exactly one interval after the last question stays late by as much as that one was.
    const dueAtMs = this.#newsAtMs + this.#intervalMs - stepMs / 2
    const lateMs = nowMs - dueAtMs
    return Math.min(lateMs < 0 ? -lateMs : Math.max(stepMs, lateMs / 2), LONGEST_PAUSE_MS)
  }

  /** Returns when the next question is due, or `signal` aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.pauseMs(), undefined, { signal }).catch(() => undefined) // aborted: the caller looks at the signal
  }
}
