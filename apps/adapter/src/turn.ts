// Folding is synchronous. A loop that folds thousands of slices without a pause would keep every socket and timer of the process waiting.

import { setImmediate } from 'node:timers/promises'

const LONGEST_TURN_MS = 8

/** Lets the rest of the process run after a few milliseconds of work. */
export class Turn {
  #startedMs = performance.now()

  /** Resolves at once within a turn, else after everything that waited had its turn. */
  async pause(): Promise<void> {
    if (performance.now() - this.#startedMs < LONGEST_TURN_MS) return
    await setImmediate()
    this.#startedMs = performance.now()
  }
}
