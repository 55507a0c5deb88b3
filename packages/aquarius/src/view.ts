// Aquarius for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and asks.

import type { Counters } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import type { At } from '@orrery/pricing'
import type { AssetInfo, LpPool, LpPoolType, LpPosition, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import type { RouterInstance } from './router-entries.ts'
import type { AquariusState } from './state.ts'

/** Counters of pools at the beginning of a fee window. Made by `feeWindow`. */
export type FeeWindow = ReadonlyMap<ContractId, Counters>

/** What a contract of Aquarius is. */
export interface AquariusContract {
  readonly role: 'router' | 'pool' | 'share' | 'gauge'
  /** `AQUA/XLM` of pools and what belongs to them; '' of a router. */
  readonly name: string
  /** Of the pool. */
  readonly poolType: LpPoolType
  /** Fraction of a swap's input, '' of a router. */
  readonly fee: string
  readonly status: LpPool['status']
  /** Release of its code, or the first 8 hex characters of the hash of a build that is not on our list. */
  readonly version: string
}

/**
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key). Everything of a pool
 * is filed under the pool: share tokens, gauges and ticks too.
 *
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; their contracts are the pools                              |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `routers()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                    |
 * | who a contract is            | of the contract the keys `nameKeys`, as of L                                                          |
 * | fee APR and APY              | `windowRefs(pools)` as of the last ledger closed at or before `close time of L − windowSeconds`       |
 */
export interface AquariusView {
  /** Rows that every answer needs: everything that prices are made of. */
  sharedRefs(): readonly StateRef[]
  /** The routers: under each stands the list of its pools. */
  routers(): readonly ContractId[]
  readonly nameKeys: readonly string[]
  /** Names and decimals of tokens that the registry does not hint at. Usually none. */
  assetRefs(state: AquariusState): readonly StateRef[]
  /** Counters of the pools: load them as of the beginning of the fee window. */
  windowRefs(pools: readonly ContractId[]): readonly StateRef[]
  /** How far the fee window reaches back. */
  readonly windowSeconds: number

  /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are passed over. */
  load(rows: Iterable<StateRow>, asOf: number): AquariusState
  /** The beginning of the fee window that ends at `at`, from the rows of `windowRefs`. Pools without a row are younger than it. */
  feeWindow(rows: Iterable<StateRow>, at: At): FeeWindow

  /** Every pool that the loaded rows tell of or the registry names, by address. */
  pools(state: AquariusState): ContractId[]
  /** Null when the pool is unknown or holds nothing yet. Type `unknown`: its reserves are what we know. */
  pool(state: AquariusState, pool: ContractId, at: At, window: FeeWindow): LpPool | null
  /** Null when the account never held shares of the pool; zeros when it holds none any more. */
  position(state: AquariusState, pool: ContractId, address: Address, at: At, window: FeeWindow): LpPosition | null
  /** Positions of the account that are open or have rewards to claim, by pool. */
  positions(state: AquariusState, address: Address, at: At, window: FeeWindow): LpPosition[]
  /** Null for what is no contract of Aquarius. */
  contract(state: AquariusState, contract: ContractId): AquariusContract | null
  asset(state: AquariusState, asset: ContractId): AssetInfo
  /** The network's price of an asset: oracles and price pools, without a pool's own opinion. */
  price(state: AquariusState, asset: ContractId, at: At): Price | null
  /** The settings of a router, or null before its first ledger. */
  router(state: AquariusState, router: ContractId): RouterInstance | null
}
