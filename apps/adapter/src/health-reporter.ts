// Writes the health of the workers: one row per partition, every few seconds and at once after a change.
// `/v1/health` shows the rows; ingest reads gaps from them and resends the missing ledgers.
// Reports are due at whole multiples of the interval by the machine's clock: those of all adapters of a process are then one insert.

import { setTimeout } from 'node:timers/promises'

/** After the multiple: a timer may end a millisecond before its time, and the report would be due a second time. */
const AFTER_MS = 2

export class HealthReporter {
  /** Writes one report. */
  readonly report: () => Promise<void>
  readonly #everyMs: number
  #wake = new AbortController()

  constructor(report: () => Promise<void>, everyMs: number) {
    this.report = report
    this.#everyMs = everyMs
  }

  /** Reports until `signal` aborts. @throws errors of reporting: a worker that cannot write its health cannot store rows either. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController() // before the report: a change while it is written leads to another report
      await this.report()
      const woken = AbortSignal.any([signal, this.#wake.signal])
      await setTimeout(this.#untilDueMs(), undefined, { signal: woken }).catch(() => undefined)
    }
  }

  /** Something changed: report without waiting. */
  wake(): void {
    this.#wake.abort()
  }

  #untilDueMs(): number {
    return this.#everyMs - (Date.now() % this.#everyMs) + AFTER_MS
  }
}
