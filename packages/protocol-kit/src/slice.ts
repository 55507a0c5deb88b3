// A slice: the records of one ledger for one partition.
// It names the ledgers that it covers, so a reader detects a gap, and repeats and overlaps are harmless.

import type { LedgerRecord, TransactionFacts } from '@orrery/ledger'
import type { ProtocolId } from './protocol-id.ts'

/**
 * Why a record is in this partition.
 * - `owned`: of a contract whose home is in this partition, or of an entry tracked for such a contract (a pool's token balance).
 *   Only owned records make activities, transactions and snapshots.
 * - `shared`: a copy that every partition of the protocol gets (oracles, price pools, factory switch, registrations, assets).
 *   In the partition that owns the record it occurs once, as `owned`.
 * - `context`: other records of an operation with records of this partition: events of tokens and of other pools, calls.
 */
export type RecordClass = 'owned' | 'shared' | 'context'

export interface SliceRecord {
  readonly class: RecordClass
  /** `record.tx` indexes `transactions` of the slice. */
  readonly record: LedgerRecord
}

export interface Slice {
  /** Name of the network in its registry, e.g. `mainnet`. */
  readonly network: string
  readonly protocol: ProtocolId
  readonly partition: number
  /** The slice covers all ledgers in (after, ledger]. Only `ledger` may have records. */
  readonly after: number
  readonly ledger: number
  /** Close time of `ledger`, unix seconds. */
  readonly closeTimeSeconds: number
  /** `ledger` is the first whose UTC hour differs from its predecessor's, or the first of the index. */
  readonly hourStart: boolean
  /** Likewise for the UTC day. Implies `hourStart`. */
  readonly dayStart: boolean
  /** 64 hex characters. */
  readonly ledgerHash: string
  /**
   * 16 hex characters: xxhash64 chained over (ledger, record bytes) of every ledger with records in this partition,
   * this one included. An empty slice repeats the previous value. '0000000000000000' before the first record.
   */
  readonly rollingHash: string
  readonly transactions: readonly TransactionFacts[]
  readonly records: readonly SliceRecord[]
}
