// One log line about all partitions of a worker every so often, whatever the number of partitions and ledgers.

import type { ProtocolId } from '@orrery/protocol-kit'
import type { Clock, Logger } from '@orrery/service-kit'

/** While it catches up, an operator waits for it. */
const CATCHING_UP_MS = 10_000
/** At the tip a line says that rows are written; metrics have the figures. 1,440 lines a day. */
const AT_TIP_MS = 60_000

export interface WriteSummaryOptions {
  readonly protocol: ProtocolId
  readonly clock: Clock
  readonly logger: Logger
  /** Whether the worker has stored everything that the log had. */
  readonly isAtTip: () => boolean
}

export class WriteSummary {
  readonly #options: WriteSummaryOptions
  readonly #partitions = new Set<number>()
  #ledger = 0
  #slices = 0
  #rows = 0
  #sinceMs: number

  constructor(options: WriteSummaryOptions) {
    this.#options = options
    this.#sinceMs = options.clock.nowMs()
  }

  /** Adds a stored batch. Writes a line when the last one is older than 10 s, at the tip 60 s. */
  add(batch: { readonly partition: number; readonly ledger: number; readonly slices: number; readonly rows: number }): void {
    const { protocol, clock, logger, isAtTip } = this.#options
    this.#partitions.add(batch.partition)
    this.#ledger = Math.max(this.#ledger, batch.ledger)
    this.#slices += batch.slices
    this.#rows += batch.rows
    const forMs = clock.nowMs() - this.#sinceMs
    if (forMs < (isAtTip() ? AT_TIP_MS : CATCHING_UP_MS)) return
    const totals = { partitions: this.#partitions.size, ledger: this.#ledger, slices: this.#slices, rows: this.#rows }
    logger.info({ protocol, ...totals, durationSeconds: forMs / 1000 }, 'Wrote rows')
    this.#partitions.clear()
    this.#slices = 0
    this.#rows = 0
    this.#sinceMs = clock.nowMs()
  }
}
