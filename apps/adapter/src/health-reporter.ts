// Writes what the workers say of themselves: one row a partition, every few seconds and at once when there is news.
// `/v1/health` shows the rows; ingest reads the holes from them and tells the missing ledgers again.

import { setTimeout } from 'node:timers/promises'

export class HealthReporter {
  /** Reports now, once. */
  readonly report: () => Promise<void>
  readonly #everyMs: number
  #wake = new AbortController()

  constructor(report: () => Promise<void>, everyMs: number) {
    this.report = report
    this.#everyMs = everyMs
  }

  /** Reports until `signal` aborts. @throws what reporting throws: a worker that cannot say how it is cannot store rows either. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      this.#wake = new AbortController() // before the report: news that come while it is written are told in the next one
      await this.report()
      await setTimeout(this.#everyMs, undefined, { signal: AbortSignal.any([signal, this.#wake.signal]) }).catch(() => undefined) // woken
    }
  }

  /** There is news: report without waiting. */
  wake(): void {
    this.#wake.abort()
  }
}
