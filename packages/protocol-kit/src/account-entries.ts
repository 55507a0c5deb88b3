// Which entries tell what an account has in a pool: for asking a node about accounts that have done nothing since the index began.
// Pure. Positions cannot be listed, but of a known account and a known pool they can be spelled.

import type { Address, ContractId } from '@orrery/ledger'
import type { EntryName } from './entry-name.ts'
import type { Network } from './network.ts'
import type { StateRow } from './rows.ts'

export interface EntryValue extends EntryName {
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
}

export interface AccountEntries<State> {
  /** Contracts whose rows that are nobody's say which pools there are. */
  listings(network: Network): readonly ContractId[]
  /** Keys of rows of a pool that tell how its accounts' entries are spelled and read. */
  readonly poolKeys: readonly string[]
  /**
   * Pools in which accounts may have something that no row tells, by address: those that the index did not see begin. Of the others it knows
   * everybody. `state` is loaded from the rows of the listings.
   */
  olderPools(state: State): readonly ContractId[]
  /** The pool that a row of an account is about. */
  poolOf(row: StateRow): ContractId
  /**
   * Entries of the account in a pool, as far as they can be spelled. `read`: those of them that were read and exist, whose values may name
   * more; asked again until nothing new is named. `state` is loaded from the rows of the listings and the `poolKeys` of the pools.
   */
  names(pool: ContractId, address: Address, read: readonly EntryValue[], state: State): readonly EntryName[]
}
