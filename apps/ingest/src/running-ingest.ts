// What ingest offers while it runs.

import type { Readiness } from '@orrery/service-kit'
import type { IngestProgress } from './progress.ts'

export interface RunningIngest {
  /** Newest ledger that the log holds. In catch-up the quiet ledgers before it may wait a second until slices cover them. */
  readonly tip: number
  /** First ledger of the index. */
  readonly firstLedger: number
  progress(): IngestProgress
  /** Not ok while the source has ledgers that the log has not, or when the loop makes no sign of life; then it ends the process with 75. */
  readiness(): Readiness
  /**
   * Resolves with the newest ledger when the log has everything that the source had at the start, to its end when it ends.
   * Rejects on failure; pending for ever when stopped before.
   */
  readonly caughtUp: Promise<number>
  /** Resolves when a source that ends was read to its end and the log has all of it. Rejects on failure; pending for ever when stopped before. */
  readonly ended: Promise<void>
  /** Resolves when nothing runs any more: at the source's end (without `gaps`) or after `stop`. Rejects on failure. */
  readonly finished: Promise<void>
  /** Finishes the ledger in hand, covers what waits, and returns when the log has it. */
  stop(): Promise<void>
}
