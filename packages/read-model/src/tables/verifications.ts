// Verdicts of `orrery verify`.

import { milliseconds, table, text, unsigned, unsigned64 } from './column.ts'

export interface VerificationRow {
  /** Unix milliseconds. */
  readonly startedAtMs: number
  readonly finishedAtMs: number
  readonly fromLedger: number
  readonly toLedger: number
  readonly verdict: 'equal' | 'different'
  /** JSON, as in the migration. */
  readonly checks: string
  readonly differences: bigint
  /** JSON, as in the migration. */
  readonly repairs: string
}

export const verificationsTable = table<VerificationRow>('verifications_v1', {
  started_at: milliseconds((row) => row.startedAtMs),
  finished_at: milliseconds((row) => row.finishedAtMs),
  from_ledger: unsigned(32, (row) => row.fromLedger),
  to_ledger: unsigned(32, (row) => row.toLedger),
  verdict: text((row) => row.verdict),
  checks: text((row) => row.checks),
  differences: unsigned64((row) => row.differences),
  repairs: text((row) => row.repairs),
})
