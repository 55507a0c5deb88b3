// The result of a verification: what was compared, and every difference with its place.

import type { TableDifferences } from '@orrery/read-model'

/** What is compared with what: docs/operations/verify.md. */
export const CHECKS = ['log', 'checkpoints', 'source', 'rows', 'invariants', 'entries'] as const
export type CheckName = (typeof CHECKS)[number]

export interface Check {
  readonly check: CheckName
  readonly status: 'equal' | 'different' | 'not_checked'
  /** What was compared: slices, checkpoints, ledgers, rows, entries. */
  readonly compared: number
  /** Why it was not checked, or what `compared` counts. */
  readonly detail: string
}

/** A difference outside of the rows of a table. */
export interface Finding {
  readonly check: CheckName
  /** Topic and partition, table, or contract. */
  readonly where: string
  readonly key: Readonly<Record<string, string>>
  readonly ledger: number
  readonly message: string
}

/** Ledgers that must be folded again to repair the rows. `partitions` null: all of the protocol. */
export interface Repair {
  readonly protocol: string
  readonly partitions: readonly number[] | null
  readonly fromLedger: number
  readonly toLedger: number
}

export interface Verification {
  readonly network: string
  /** The ledgers that were compared. `toLedger` is below `fromLedger` when nothing could be compared. */
  readonly fromLedger: number
  readonly toLedger: number
  readonly versions: readonly { readonly protocol: string; readonly version: number }[]
  readonly verdict: 'equal' | 'different'
  readonly checks: readonly Check[]
  /** At most `FINDINGS_SHOWN` of each check; `findingCounts` has the count of all. */
  readonly findings: readonly Finding[]
  readonly findingCounts: Readonly<Partial<Record<CheckName, number>>>
  /** One for each table that differs. */
  readonly tables: readonly TableDifferences[]
  readonly repairs: readonly Repair[]
  readonly startedAtMs: number
  readonly finishedAtMs: number
}

/** Differences of a table, and findings of a check, that a report names one by one. */
export const SHOWN = 10
