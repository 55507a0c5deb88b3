// How a protocol tells ingest which contracts are its own and where their records go.
// Contract identity decides, never a topic name or a code hash.

import type { ContractId, EntryRecord, EventRecord, LedgerRecord } from '@orrery/ledger'
import type { EntryName } from './entry-name.ts'
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
  /** Of an owned record that is another contract's affair than its own: the home of whom it names. A Blend backstop keeps entries by pool. */
  readonly home?: ContractId
}

/** To its partition alone. */
export const OWNED: Route = { owned: true, shared: false }
/** To all partitions. */
export const SHARED: Route = { owned: false, shared: true }
/** To its partition, and as a copy to all others. */
export const OWNED_AND_SHARED: Route = { owned: true, shared: true }
/** To no partition by itself: it travels as context of the operations that touch owned records. */
export const CONTEXT_ONLY: Route = { owned: false, shared: false }

export interface ProtocolRouting {
  readonly protocol: ProtocolId
  /** What is tracked from the start: factories, routers, the network's oracles, price pools and known pools of this protocol. */
  roots(network: Network): readonly TrackedContract[]
  /**
   * Contracts that a record of the tracked contract `source` makes known (a factory's `new_pair`). Pure; called for every event
   * and entry of this protocol's tracked contracts, adopted ones included. A ledger is extracted again until nothing new is found.
   */
  discover(record: EventRecord | EntryRecord, source: TrackedContract, network: Network): readonly TrackedContract[]
  /** Where a record goes whose contract is `source`. Token balances and context never ask: they follow the pool and the operation. */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route
  /**
   * What else is to be read once elsewhere (by RPC), because the ledgers that told it lie before the index: entries that cannot be missed and
   * that can be spelled (a factory's list by index, a pool's reserves). Pure. Asked with `read` null when `source` becomes tracked or is
   * found to hold more tokens, and again with each entry of `source` that was read: what was read names more.
   *
   * Ingest asks for the usual by itself, and these need not be named: the instance of `source`, its balance in each of `balances`, and the
   * instances of those tokens. An entry that the same ledger creates, or that was read before, is not asked for. A root that the registry
   * says is no older than the ledger is not asked about at all. Without an RPC nothing is.
   *
   * What comes back is delivered at the head of the ledger at which it was asked for, as `EntryRecord` with `change: 'bootstrap'`:
   * - `value` is the entry as it is now, which may be years later. Take from it only what never changes (tokens, decimals, symbol, kind, base).
   * - `before` is the same value where it is certain that it held at the end of the ledger before (nobody wrote it since), else null.
   *   It is a pre-image like any other: a state row at ledger - 1, `inferred`. `applyTo` of fold-kit does this, and `applyTokenInstance`
   *   does it for `value` of a token's instance, which fills what is unknown and never overwrites.
   *
   * `discover` and `route` are asked about such records as about all others. An entry of a contract that is not tracked (a token's instance)
   * goes to all partitions as `shared`. See docs/decisions/0010-entries-from-an-rpc-count-only-where-certain.md.
   */
  adopt(source: TrackedContract, read: EntryRecord | null, network: Network): readonly EntryName[]
}
