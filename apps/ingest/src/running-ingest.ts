// The handle of a running ingest.

import type { Readiness } from '@orrery/service-kit'
import type { IngestProgress } from './progress.ts'

export interface RunningIngest {
  /** Newest ledger that the log holds. During catch-up, slices may cover the quiet ledgers before it up to a second later. */
  readonly tip: number
  /** First ledger of the index. */
  readonly firstLedger: number
  progress(): IngestProgress
  /** Not ok while the source has ledgers that the log lacks, or when the loop is stuck; a stuck loop ends the process with 75. */
  readiness(): Readiness
  /**
   * Resolves with the newest ledger when the log has everything that the source had at the start; of a source that ends, everything.
   * Rejects on failure; never settles when stopped before.
   */
  readonly caughtUp: Promise<number>
  /** Resolves when a source that ends was read to its end and the log has all of it. Rejects on failure; never settles when stopped before. */
  readonly ended: Promise<void>
  /** Resolves when ingest has stopped: at the source's end (without `gaps`) or after `stop`. Rejects on failure. */
  readonly finished: Promise<void>
  /** Finishes the current ledger, covers quiet ledgers, and returns when all is appended. */
  stop(): Promise<void>
}
