// Aquarius for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and asks.

import { FEE_WINDOW_SECONDS, type FeeWindow, readFeeWindow, yieldInWindow } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { type At, type Pricing, pricesOf } from '@orrery/pricing'
import type { AssetInfo, LpPool, LpPosition, Network, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import type { RouterInstance } from '../chain/router-entries.ts'
import { rootPools } from '../registry.ts'
import { boost } from '../state/boost.ts'
import { counters, ENTRIES, emptyState, token } from '../state/entries.ts'
import { registered } from '../state/listing.ts'
import { pool } from '../state/pool.ts'
import { shareToken } from '../state/share-token.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { type AquariusContract, describe } from './describe.ts'
import { isOpen, lpPool, lpPosition } from './position.ts'
import { valuePool } from './valuation.ts'

/**
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key). Everything of a pool
 * is filed under the pool: share tokens, gauges and ticks too.
 *
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; their contracts are the pools                              |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `routers()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                    |
 * | what a contract is           | of the contract the keys `nameKeys`, as of L                                                          |
 * | fee APR and APY              | `windowRefs(pools)` as of the last ledger closed at or before `close time of L − windowSeconds`       |
 */
export interface AquariusView {
  /** Rows that every answer needs: everything that prices are made of. */
  sharedRefs(): readonly StateRef[]
  /** The routers: the list of its pools is filed under each. */
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

  /** Every pool that is in the loaded rows or in the registry, by address. */
  pools(state: AquariusState): ContractId[]
  /** Null when the pool is unknown or holds nothing yet. Of type `unknown` only its reserves are known. */
  pool(state: AquariusState, pool: ContractId, at: At, window: FeeWindow): LpPool | null
  /** Null when the account never held shares of the pool; zeros when it holds none any more. */
  position(state: AquariusState, pool: ContractId, address: Address, at: At, window: FeeWindow): LpPosition | null
  /** Positions of the account that are open or have rewards to claim, by pool. */
  positions(state: AquariusState, address: Address, at: At, window: FeeWindow): LpPosition[]
  /** Null for a contract that is not Aquarius's. */
  contract(state: AquariusState, contract: ContractId): AquariusContract | null
  asset(state: AquariusState, asset: ContractId): AssetInfo
  /** The network's price of an asset: oracles and price pools, without a pool's own opinion. */
  price(state: AquariusState, asset: ContractId, at: At): Price | null
  /** The settings of a router, or null before its first ledger. */
  router(state: AquariusState, router: ContractId): RouterInstance | null
}

/** Readers of one network. It keeps nothing between two questions but the registry. */
export function aquariusView(network: Network): AquariusView {
  return new View(network, pricesOf(network))
}

class View implements AquariusView {
  readonly windowSeconds = FEE_WINDOW_SECONDS
  readonly nameKeys = [pool.key, registered.key, shareToken.key, token.key]
  readonly network: Network
  readonly pricing: Pricing

  constructor(network: Network, prices: Pricing) {
    this.network = network
    this.pricing = prices
  }

  sharedRefs(): readonly StateRef[] {
    const feeds = this.network.deployments.aquarius.flatMap(({ boostFeed }) => boostFeed ?? [])
    return [...feeds.map((contract) => ({ contract, key: boost.key })), ...this.pricing.stateRefs()]
  }

  routers(): readonly ContractId[] {
    return this.network.deployments.aquarius.map((deployment) => deployment.router)
  }

  assetRefs(state: AquariusState): readonly StateRef[] {
    const tokens = new Set([...state.pools.values()].flatMap((pool) => [...pool.tokens, ...rewardTokens(pool)]))
    return [...tokens].filter((token) => this.asset(state, token).decimals === null).map((contract) => ({ contract, key: token.key }))
  }

  windowRefs(pools: readonly ContractId[]): readonly StateRef[] {
    return pools.map((contract) => ({ contract, key: counters.key }))
  }

  load(rows: Iterable<StateRow>, asOf: number): AquariusState {
    return ENTRIES.load(emptyState(this.network, this.pricing), rows, asOf, this.pricing)
  }

  feeWindow(rows: Iterable<StateRow>, at: At): FeeWindow {
    return readFeeWindow(rows, counters.key, at.closeTimeSeconds)
  }

  pools(state: AquariusState): ContractId[] {
    const known = [...state.pools.values()].filter((pool) => pool.instance !== null || pool.listing !== null)
    // Pools of the registry predate the index: no router announced them within it.
    return [...new Set([...known.map((pool) => pool.pool), ...rootPools(this.network).map((root) => root.contract)])].sort()
  }

  pool(state: AquariusState, pool: ContractId, at: At, window: FeeWindow): LpPool | null {
    const known = state.pools.get(pool)
    const valued = known === undefined ? null : valuePool(state, known, at, this)
    return known === undefined || valued === null
      ? null
      : lpPool(state, valued, yieldInWindow(known.pool, known.counters, window, at.closeTimeSeconds), this.network)
  }

  position(state: AquariusState, pool: ContractId, address: Address, at: At, window: FeeWindow): LpPosition | null {
    const known = state.pools.get(pool)
    const valued = known === undefined ? null : valuePool(state, known, at, this)
    return known === undefined || valued === null
      ? null
      : lpPosition(state, address, valued, yieldInWindow(known.pool, known.counters, window, at.closeTimeSeconds), this.network)
  }

  positions(state: AquariusState, address: Address, at: At, window: FeeWindow): LpPosition[] {
    return [...state.pools.values()]
      .filter((pool) => pool.holders.has(address))
      .sort((a, b) => (a.pool < b.pool ? -1 : 1))
      .flatMap((pool) => this.position(state, pool.pool, address, at, window) ?? [])
      .filter(isOpen)
  }

  contract(state: AquariusState, contract: ContractId): AquariusContract | null {
    return this.routers().includes(contract) ? describe.router(state, contract) : describe.ofPool(state, contract, this.network)
  }

  asset(state: AquariusState, asset: ContractId): AssetInfo {
    return assetInfo(state, asset, this.network)
  }

  price(state: AquariusState, asset: ContractId, at: At): Price | null {
    return this.pricing.priceOf(state.pricing, asset, at, { decimalsOf: (it) => this.asset(state, it).decimals })
  }

  router(state: AquariusState, router: ContractId): RouterInstance | null {
    return state.routers.get(router)?.instance?.value ?? null
  }
}

function rewardTokens({ instance }: PoolState): readonly ContractId[] {
  if (instance === null) return []
  const { token, gauges } = instance.value.rewards
  return [...(token === '' ? [] : [token]), ...gauges.map(([reward]) => reward)]
}
