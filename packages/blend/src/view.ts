// Blend for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and asks.

import type { Address, ContractId } from '@orrery/ledger'
import type { At } from '@orrery/pricing'
import type { AssetInfo, Network, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import type { LendingPool, PoolStatus } from './lending-pool.ts'
import type { LendingPosition } from './lending-position.ts'
import type { BlendState } from './state.ts'

/** Who a contract of ours is. */
export interface BlendContract {
  readonly role: 'pool' | 'backstop' | 'factory' | 'emitter' | 'comet'
  /** A pool's own name; of the others what they are, e.g. `Blend v2 backstop`. */
  readonly name: string
  readonly version: 'v1' | 'v2'
  /** Everything but a pool is `active`. */
  readonly status: PoolStatus
}

/**
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key).
 *
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; `poolsOf(rows)` names the pools                            |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `factories()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                  |
 */
export interface BlendView {
  /** Rows that every answer needs: backstops as wholes, Comet totals, and everything that prices are made of. */
  sharedRefs(): readonly StateRef[]
  /** The factories: under each stands the list of its pools. */
  factories(): readonly ContractId[]
  /** Names and decimals of tokens that the registry does not hint at. Usually none. */
  assetRefs(state: BlendState): readonly StateRef[]
  /** The pools that an account's rows are filed under: others of its rows stand under the Comet pool. */
  poolsOf(ownRows: Iterable<StateRow>): readonly ContractId[]

  /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are passed over. */
  load(rows: Iterable<StateRow>, asOf: number): BlendState

  /** Every pool that the loaded rows tell of or the registry names, by address. */
  pools(state: BlendState): ContractId[]
  /** Null when the pool is unknown or its instance was not seen yet. */
  pool(state: BlendState, pool: ContractId, at: At): LendingPool | null
  /** Null when the account never had anything in the pool; empty with `open` false when it has nothing any more. */
  position(state: BlendState, pool: ContractId, address: Address, at: At): LendingPosition | null
  /** Open positions of the account, by pool. A backstop's own (bad debt) is its position too. */
  positions(state: BlendState, address: Address, at: At): LendingPosition[]
  /** Null: none of ours. */
  contract(state: BlendState, contract: ContractId): BlendContract | null
  asset(state: BlendState, asset: ContractId): AssetInfo
  /** The network's price of an asset: oracles, the Comet pool for BLND and its LP tokens, without a lending pool's own oracle. */
  price(state: BlendState, asset: ContractId, at: At): Price | null
}

/** Readers of one network. It keeps nothing between two questions but what the registry says. */
export declare function blendView(network: Network): BlendView
