// Progress of ingest, for a progress bar and for /readyz. Speed is that of the last seconds.

import type { Clock } from '@orrery/service-kit'

export interface IngestProgress {
  /** Newest ledger that the log holds. During catch-up, slices may cover the quiet ledgers before it up to a second later. */
  readonly ledger: number
  /** Newest ledger of the source, or null when that is unknown. */
  readonly tip: number | null
  readonly firstLedger: number
  /** Average of the last seconds. */
  readonly ledgersPerSecond: number
  /** Until the source's newest ledger at that speed; null while the speed or that ledger is unknown. */
  readonly secondsLeft: number | null
  /** Records extracted since the start of this process. */
  readonly records: number
}

const WINDOW_MS = 5_000

interface Sample {
  readonly atMs: number
  readonly ledger: number
}

/** Speed over a window of samples. */
export class Speed {
  readonly #clock: Clock
  #samples: Sample[] = []

  constructor(clock: Clock, ledger: number) {
    this.#clock = clock
    this.#samples.push({ atMs: clock.nowMs(), ledger })
  }

  reached(ledger: number): void {
    const atMs = this.#clock.nowMs()
    this.#samples.push({ atMs, ledger })
    while (this.#samples.length > 2 && (this.#samples[1]?.atMs ?? atMs) < atMs - WINDOW_MS) this.#samples.shift()
  }

  ledgersPerSecond(): number {
    const [oldest] = this.#samples
    const newest = this.#samples.at(-1)
    const elapsedMs = oldest ? this.#clock.nowMs() - oldest.atMs : 0
    return oldest && newest && elapsedMs > 0 ? ((newest.ledger - oldest.ledger) * 1000) / elapsedMs : 0
  }
}
