// When to request the next ledger at the tip: about when it is due, then after growing pauses.
// The interval is measured from arrivals, because a recorded network closes ledgers at another rate than its close times state.

import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '@orrery/service-kit'

/** Assumed until the first ledgers arrive. */
const FIRST_INTERVAL_MS = 1_000
/** The interval is the mean over so many spans, without the longest of them, which may be a pause of the network or of the node. */
const SPANS = 8
const FEWEST_TO_LEAVE_OUT = 3
/** Bounds of the pause between two requests when a ledger is due, which is a twentieth of the interval: half of it is how late a ledger is read. */
const LEAST_PAUSE_MS = 125
const DUE_PAUSE_MS = 250
/** The longest pause, however late the ledger is: a node may come back at any time. */
const LONGEST_PAUSE_MS = 5_000

export class TailPace {
  readonly #clock: Clock
  #intervalMs = FIRST_INTERVAL_MS
  /** Each from one ledger of which it is known when it closed to the next such one. */
  #spans: readonly { readonly ms: number; readonly ledgers: number }[] = []
  #lastArrivalMs: number | null = null
  /** What has arrived since the last pause: sources give a batch or a file at a time. */
  #arrived = 0
  #arrivedMs = 0
  /** Pauses since the last arrival, and the length of the last one. */
  #pauses = 0
  #pausedMs = 0
  /** The last ledger that came after a request without one, so that it closed within the pause between the two; and the ledgers since. */
  #known: { readonly ms: number; readonly withinMs: number; readonly ledgersSince: number } | null = null
  /** Arrivals in a row that the first request found: how long these had been there is not known. */
  #foundAtOnce = 0

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Call with the number of ledgers that arrived. Only those that were waited for count for the interval: others had closed before. */
  arrived(ledgers: number): void {
    this.#arrived += ledgers
    this.#arrivedMs = this.#clock.nowMs()
  }

  #learn(): void {
    const { ledgersSince = 0, ms = 0 } = this.#known ?? {}
    const ledgers = ledgersSince + this.#arrived
    if (this.#pauses === 0) {
      this.#known = null
    } else if (this.#pauses === 1) {
      this.#foundAtOnce++
      this.#known &&= { ...this.#known, ledgersSince: ledgers }
    } else {
      if (this.#known !== null) this.#addSpan(this.#arrivedMs - ms, ledgers)
      this.#known = { ms: this.#arrivedMs, withinMs: this.#pausedMs, ledgersSince: 0 }
      this.#foundAtOnce = 0
    }
    this.#lastArrivalMs = this.#arrivedMs
    this.#pauses = 0
    this.#arrived = 0
  }

  #addSpan(ms: number, ledgers: number): void {
    if (ms <= 0) return // the clock was set back
    this.#spans = [...this.#spans, { ms, ledgers }].slice(-SPANS)
    const shortestFirst = this.#spans.toSorted((a, b) => a.ms / a.ledgers - b.ms / b.ledgers)
    const counted = shortestFirst.length < FEWEST_TO_LEAVE_OUT ? shortestFirst : shortestFirst.slice(0, -1)
    const sum = (of: 'ms' | 'ledgers'): number => counted.reduce((total, span) => total + span[of], 0)
    this.#intervalMs = sum('ms') / sum('ledgers')
  }

  /** Milliseconds until the next request. */
  pauseMs(): number {
    const nowMs = this.#clock.nowMs()
    if (this.#arrived > 0) this.#learn()
    this.#pauses++
    this.#lastArrivalMs ??= nowMs
    const stepMs = Math.min(Math.max(this.#intervalMs / 20, LEAST_PAUSE_MS), DUE_PAUSE_MS)
    // One interval after a ledger that was read late, the next one would be read as late. So the request is early by half of the time in which the last
    // known one closed, and by twice as much for each arrival since then that the first request found, until one comes before its ledger.
    const earlyMs = (Math.max(this.#known?.withinMs ?? 0, stepMs) / 2) * 2 ** this.#foundAtOnce
    const lateMs = nowMs - (this.#lastArrivalMs + this.#intervalMs - Math.min(earlyMs, this.#intervalMs))
    this.#pausedMs = Math.min(lateMs < 0 ? -lateMs : Math.max(stepMs, lateMs / 2), LONGEST_PAUSE_MS)
    return this.#pausedMs
  }

  /** Returns when the next request is due, or `signal` aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.pauseMs(), undefined, { signal }).catch(() => undefined) // aborted: the caller looks at the signal
  }
}
