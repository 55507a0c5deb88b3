// Writes the health of the workers: one row per partition, every few seconds and at once after a change.
// `/v1/health` shows the rows; ingest reads gaps from them and resends the missing ledgers.

import { setTimeout } from 'node:timers/promises'

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
      await setTimeout(this.#everyMs, undefined, { signal: AbortSignal.any([signal, this.#wake.signal]) }).catch(() => undefined) // woken
    }
  }

  /** Something changed: report without waiting. */
  wake(): void {
    this.#wake.abort()
  }
}
