// How a protocol tells ingest which contracts are its own and where their records go.
// Contract identity decides, never a topic name or a code hash.

import type { ContractId, EntryRecord, EventRecord, LedgerRecord } from '@orrery/ledger'
import type { Network } from './network.ts'
import type { ProtocolId } from './protocol-id.ts'

export interface TrackedContract {
  readonly protocol: ProtocolId
  readonly contract: ContractId
  /** Names the kind of contract inside its protocol, e.g. `factory`, `router`, `pair`, `oracle`. */
  readonly role: string
  /** The contract whose hash chooses the partition that owns its records. Null: nothing of it is owned, everything is shared. */
  readonly home: ContractId | null
  /** Tokens whose `Balance(contract)` entries are followed, and owned by `home`. */
  readonly balances: readonly ContractId[]
  /** First ledger that it is tracked at. */
  readonly fromLedger: number
}

/** Where a record of a tracked contract goes. Both may hold: a price pool is owned by one partition and copied to the others. */
export interface Route {
  readonly owned: boolean
  readonly shared: boolean
}

export interface ProtocolRouting {
  readonly protocol: ProtocolId
  /** What is tracked from the start: factories, routers, the network's oracles, price pools and known pools of this protocol. */
  roots(network: Network): readonly TrackedContract[]
  /**
   * Contracts that a record of the tracked contract `source` makes known (a factory's `new_pair`). Pure; called for every event
   * and entry of this protocol's tracked contracts. A ledger is extracted again until nothing new is found.
   */
  discover(record: EventRecord | EntryRecord, source: TrackedContract, network: Network): readonly TrackedContract[]
  /** Where a record goes whose contract is `source`. Token balances and context never ask: they follow the pool and the operation. */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route
}
