// How a protocol defines which contracts ingest tracks for it and where their records go.
// The contract's address decides, never a topic name or a code hash.

import type { ContractId, EntryRecord, EventRecord, LedgerRecord } from '@orrery/ledger'
import type { EntryName } from './entry-name.ts'
import type { Network } from './network.ts'
import type { ProtocolId } from './protocol-id.ts'

export interface TrackedContract {
  readonly protocol: ProtocolId
  readonly contract: ContractId
  /** Kind of the contract in its protocol, e.g. `factory`, `router`, `pair`, `oracle`. */
  readonly role: string
  /** The contract whose hash chooses the partition that owns its records. Null: no partition owns them, all records are shared. */
  readonly home: ContractId | null
  /** Tokens whose `Balance(contract)` entries are tracked; the partition of `home` owns them. */
  readonly balances: readonly ContractId[]
  /** First ledger in which it is tracked. */
  readonly fromLedger: number
}

/** Where a record of a tracked contract goes. Both may be true: a price pool is owned by one partition and copied to the others. */
export interface Route {
  readonly owned: boolean
  readonly shared: boolean
  /** For an owned record about another contract: the home of that contract. A Blend backstop stores entries by pool. */
  readonly home?: ContractId
}

/** Only to its partition. */
export const OWNED: Route = { owned: true, shared: false }
/** To all partitions. */
export const SHARED: Route = { owned: false, shared: true }
/** To its partition, and as a copy to all others. */
export const OWNED_AND_SHARED: Route = { owned: true, shared: true }
/** To no partition by itself: it is context of operations that have owned records. */
export const CONTEXT_ONLY: Route = { owned: false, shared: false }

export interface ProtocolRouting {
  readonly protocol: ProtocolId
  /** Contracts that are tracked from the start: factories, routers, the network's oracles, price pools and known pools of this protocol. */
  roots(network: Network): readonly TrackedContract[]
  /**
   * Contracts that a record of the tracked contract `source` announces (a factory's `new_pair`). Pure; called for every event
   * and entry of this protocol's tracked contracts, bootstrap entries included. A ledger is extracted again until no new contract is found.
   */
  discover(record: EventRecord | EntryRecord, source: TrackedContract, network: Network): readonly TrackedContract[]
  /** Where a record of the contract `source` goes. Not called for token balances and context, which follow the pool and the operation. */
  route(record: LedgerRecord, source: TrackedContract, network: Network): Route
  /**
   * Bootstrap entries of `source`: entries that are read once from an RPC because their last change predates the index, that the fold needs
   * and whose keys can be constructed (a factory's list by index, a pool's reserves). Pure. Called with `read` null when `source` becomes
   * tracked or is found to hold further tokens, and again with each entry of `source` that was read, because it may name further ones.
   *
   * Ingest reads these by itself, so they need not be named: the instance of `source`, its balance in each of `balances`, and the
   * instances of those tokens. An entry that the same ledger creates, or that was read before, is not read. Nothing is read for a root whose
   * `from_ledger` in the registry is not before the ledger, or if no RPC is configured.
   *
   * The entries are delivered at the head of the ledger at which they were requested, as `EntryRecord` with `change: 'bootstrap'`:
   * - `value` is the current entry, which may be years newer. Only immutable parts of it may be used (tokens, decimals, symbol, kind, base).
   * - `before` is the same value if it is certain that it held at the end of the previous ledger (it was not written since), else null.
   *   It is a pre-image like any other: a state row at ledger - 1, `inferred`. `applyTo` of fold-kit does this, and `applyTokenInstance`
   *   does it for `value` of a token's instance, which fills unknown values and never overwrites known ones.
   *
   * `discover` and `route` are called for such records as for all others. An entry of a contract that is not tracked (a token's instance)
   * goes to all partitions as `shared`. See docs/decisions/0010-entries-from-an-rpc-count-only-where-certain.md.
   */
  bootstrap(source: TrackedContract, read: EntryRecord | null, network: Network): readonly EntryName[]
}
