// Entries that were read elsewhere as state rows: by the fold itself, which takes over entries that are older than the index in the same way.
// So what an answer makes of them is what it makes of rows that were folded.

import type { EntryRecord } from '@orrery/ledger'
import type { Adapter, Network, Slice, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { ContractDataNow } from '@orrery/stellar-rpc'

export interface Adoption {
  readonly adapter: Adapter<unknown>
  /** As of `at`. It is changed. */
  readonly state: unknown
  readonly network: Network
  readonly at: LedgerTime
  readonly entries: readonly ContractDataNow[]
}

/** Rows of `at`, inferred. What the fold cannot read gives none. */
export function adoptedRows({ adapter, state, network, at, entries }: Adoption): readonly StateRow[] {
  const records = entries.map((entry, n) => ({ class: 'owned' as const, record: recordOf(entry, n) }))
  const slice: Slice = {
    network: network.name,
    protocol: adapter.protocol,
    partition: 0,
    after: at.ledger,
    // What is adopted at the head of a ledger held at the end of the one before.
    ledger: at.ledger + 1,
    closeTimeSeconds: at.closeTimeSeconds,
    hourStart: false,
    dayStart: false,
    ledgerHash: '',
    rollingHash: '',
    transactions: [],
    records,
  }
  return adapter.fold(state, slice).state
}

function recordOf({ contract, key, durability, value, liveUntilLedger }: ContractDataNow, index: number): EntryRecord {
  const liveUntil = liveUntilLedger === 0 ? null : liveUntilLedger
  return { kind: 'entry', change: 'bootstrap', tx: -1, opIndex: 0, index, contract, key, durability, value, before: value, liveUntil }
}
