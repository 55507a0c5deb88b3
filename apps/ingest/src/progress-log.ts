// The log line about progress: often while ingest reads history, which an operator waits for, and seldom at the tip.

import type { Clock, Logger } from '@orrery/service-kit'
import type { IngestProgress } from './progress.ts'

/** How often `look` is called, and how often history has a line. */
export const LOOK_EVERY_MS = 10_000
/** At the tip a line says that ledgers arrive; metrics have the figures. 1,440 lines a day. */
const AT_TIP_MS = 60_000
/** A timer may be early by the grain of a clock: without this, a line at the tip would wait for the look after. */
const EARLY_MS = 500

export interface ProgressLogOptions {
  readonly clock: Clock
  readonly logger: Logger
  readonly progress: () => IngestProgress
  /** Whether the log has the newest ledgers of the source. */
  readonly isAtTip: () => boolean
}

export class ProgressLog {
  readonly #options: ProgressLogOptions
  #ledger: number
  #loggedAtMs: number

  constructor(options: ProgressLogOptions) {
    this.#options = options
    this.#ledger = options.progress().ledger
    this.#loggedAtMs = options.clock.nowMs()
  }

  /** Writes a line when there are new ledgers; at the tip only when the last line is a minute old. */
  look(): void {
    const { clock, logger, progress, isAtTip } = this.#options
    const now = progress()
    if (now.ledger === this.#ledger) return
    const nowMs = clock.nowMs()
    if (isAtTip() && nowMs - this.#loggedAtMs < AT_TIP_MS - EARLY_MS) return
    logger.info(now, 'Read ledgers')
    this.#ledger = now.ledger
    this.#loggedAtMs = nowMs
  }
}
