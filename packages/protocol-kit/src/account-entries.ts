// Names of the entries that hold an account's position in a pool, to read positions from an RPC that have not changed since the index began.
// Pure. An RPC cannot list positions, but the keys of a known account in a known pool can be constructed.

import type { Address, ContractId } from '@orrery/ledger'
import type { EntryName } from './entry-name.ts'
import type { Network } from './network.ts'
import type { StateRow } from './rows.ts'

export interface EntryValue extends EntryName {
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
}

export interface AccountEntries<State> {
  /** Contracts whose rows without an owner list the pools. */
  listings(network: Network): readonly ContractId[]
  /** Keys of the rows of a pool that are needed to construct and read its accounts' entries. */
  readonly poolKeys: readonly string[]
  /**
   * Pools that predate the index, sorted by address: accounts may have positions in them without a row. All positions in other pools have
   * rows. `state` is loaded from the rows of the listings.
   */
  predatingPools(state: State): readonly ContractId[]
  /** The pool of a row of an account. */
  poolOf(row: StateRow): ContractId
  /**
   * Entries of the account in a pool whose keys can be constructed. `read`: those that were already read and exist; their values may name
   * further entries, so it is called until it names no new one. `state` is loaded from the rows of the listings and the `poolKeys` of the pools.
   */
  names(pool: ContractId, address: Address, read: readonly EntryValue[], state: State): readonly EntryName[]
}
