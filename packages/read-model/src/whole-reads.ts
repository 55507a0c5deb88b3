// When what a protocol has in common is read as a whole: in the background, while requests ask for it, one protocol after the other, and again before what was
// read no longer holds.

import { inBackground } from '@orrery/service-kit'
import { outOfSpans } from '@orrery/tracing'
import { HOLDS_FOR_MS } from './state-changes.ts'

/** What came of a reading. `unread`: at this ledger there was none. */
export type WholeRead = 'read' | 'unread' | 'too_large'

/** Requests read what they need without it: a reading that failed may have taken seconds, and one that is too large will be so again. */
const AFTER_MS: Readonly<Record<WholeRead | 'failed', number>> = {
  read: 0.75 * HOLDS_FOR_MS,
  unread: 5_000,
  too_large: 60 * 60_000,
  failed: 3 * 60_000,
}

export class WholeReads {
  /** By what is read; infinite while it is. */
  readonly #nextMs = new Map<string, number>()
  readonly #ended = new AbortController()
  #last: Promise<void> = Promise.resolve()

  /** Begins `read` if it is due, after those that have begun. Its signal is aborted by `close`. */
  begin(what: string, read: (signal: AbortSignal) => Promise<WholeRead>): void {
    if (performance.now() < (this.#nextMs.get(what) ?? 0)) return
    this.#nextMs.set(what, Number.POSITIVE_INFINITY)
    const { signal } = this.#ended
    const run = () => outOfSpans(() => inBackground(async () => (signal.aborted ? 'failed' : await read(signal))))
    this.#last = this.#last.then(run).then(
      (result) => this.#again(what, result),
      () => this.#again(what, 'failed'),
    )
  }

  /** Ends the reading that runs; no other one begins. */
  close(): void {
    this.#ended.abort()
  }

  #again(what: string, result: keyof typeof AFTER_MS): void {
    this.#nextMs.set(what, performance.now() + AFTER_MS[result])
  }
}
