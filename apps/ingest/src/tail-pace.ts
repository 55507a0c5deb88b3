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
  /** From a ledger that was seen closing to the next such one. */
  #spans: readonly { readonly ms: number; readonly ledgers: number }[] = []
  #lastArrivalMs: number | null = null
  /** Requests since the last arrival. */
  #requests = 0
  /** The last ledger that a request before had not found: it closed within the pause between the two. Then how many followed that the first request found. */
  #seenClosing: { readonly ms: number; readonly withinMs: number; readonly unseen: number } | null = null
  #pausedMs = 0

  constructor(clock: Clock = systemClock) {
    this.#clock = clock
  }

  /** Call with the number of ledgers that arrived. Only those that were waited for count for the interval: others had closed before. */
  arrived(ledgers: number): void {
    const nowMs = this.#clock.nowMs()
    const before = this.#seenClosing
    if (this.#requests === 0) this.#seenClosing = null
    else if (this.#requests === 1 && ledgers === 1) this.#seenClosing = before && { ...before, unseen: before.unseen + 1 }
    else {
      if (before !== null) this.#learn(nowMs - before.ms, before.unseen + ledgers)
      this.#seenClosing = { ms: nowMs, withinMs: this.#pausedMs, unseen: 0 }
    }
    this.#requests = 0
    this.#lastArrivalMs = nowMs
  }

  #learn(ms: number, ledgers: number): void {
    this.#spans = [...this.#spans, { ms, ledgers }].slice(-SPANS)
    const shortestFirst = this.#spans.toSorted((a, b) => a.ms / a.ledgers - b.ms / b.ledgers)
    const counted = shortestFirst.length < FEWEST_TO_LEAVE_OUT ? shortestFirst : shortestFirst.slice(0, -1)
    const sum = (of: 'ms' | 'ledgers'): number => counted.reduce((total, span) => total + span[of], 0)
    this.#intervalMs = sum('ms') / sum('ledgers')
  }

  /** Milliseconds until the next request. */
  pauseMs(): number {
    const nowMs = this.#clock.nowMs()
    this.#requests++
    this.#lastArrivalMs ??= nowMs
    const stepMs = Math.min(Math.max(this.#intervalMs / 20, LEAST_PAUSE_MS), DUE_PAUSE_MS)
    // Early by half of what is not known of the last one: a request exactly one interval after a late one would be late by the same time. Twice as
    // early for each ledger in a row that the first request found: how late that one was is not known at all.
    const { withinMs = stepMs, unseen = 0 } = this.#seenClosing ?? {}
    const earlyMs = Math.min((Math.max(withinMs, stepMs) / 2) * 2 ** unseen, this.#intervalMs)
    const lateMs = nowMs - (this.#lastArrivalMs + this.#intervalMs - earlyMs)
    this.#pausedMs = Math.min(lateMs < 0 ? -lateMs : Math.max(stepMs, lateMs / 2), LONGEST_PAUSE_MS)
    return this.#pausedMs
  }

  /** Returns when the next request is due, or `signal` aborts. */
  async pause(signal: AbortSignal): Promise<void> {
    await sleep(this.pauseMs(), undefined, { signal }).catch(() => undefined) // aborted: the caller looks at the signal
  }
}
