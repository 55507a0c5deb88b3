// State rows from entries that were read from an RPC. The fold itself makes them, as it does with bootstrap entries, so that an answer treats
// them like any other rows.

import type { EntryRecord } from '@orrery/ledger'
import type { Adapter, Network, Slice, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { ContractDataNow } from '@orrery/stellar-rpc'

export interface EntriesToFold {
  readonly adapter: Adapter<unknown>
  /** State as of `at`. The fold changes it. */
  readonly state: unknown
  readonly network: Network
  readonly at: LedgerTime
  readonly entries: readonly ContractDataNow[]
}

/** Inferred rows as of `at`. Entries that the fold cannot read give none. */
export function rowsFromEntries({ adapter, state, network, at, entries }: EntriesToFold): readonly StateRow[] {
  const records = entries.map((entry, n) => ({ class: 'owned' as const, record: recordOf(entry, n) }))
  const slice: Slice = {
    network: network.name,
    protocol: adapter.protocol,
    partition: 0,
    after: at.ledger,
    // A bootstrap entry of a ledger holds at the end of the ledger before.
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
