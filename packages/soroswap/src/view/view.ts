// Soroswap for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and calls these functions.

import { FEE_WINDOW_SECONDS, type FeeWindow, readFeeWindow, yieldInWindow } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { type At, type Pricing, pricesOf } from '@orrery/pricing'
import type { AssetInfo, LpPool, LpPosition, Network, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import type { FactoryInstance } from '../chain/entries.ts'
import { rootPairs } from '../registry.ts'
import { counters, ENTRIES, emptyState, token } from '../state/entries.ts'
import { factory } from '../state/factory.ts'
import type { SoroswapState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { lpPool, lpPosition } from './position.ts'
import { valuePair } from './valuation.ts'

/**
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key).
 *
 * | question                     | rows                                                                                                  |
 * |------------------------------|-------------------------------------------------------------------------------------------------------|
 * | positions of an account      | all rows of the account as owner, as of L; their contracts are the pools                              |
 * | pools, or those of positions | of each pool the range `key >= 'a'` as of L, `sharedRefs()` as of L, `assetRefs(state)` if not empty  |
 * | all pools                    | of `factories()` the range `key >= 'a'` as of L; `pools(state)` then names the pools                  |
 * | fee APR and APY              | `windowRefs(pools)` as of the last ledger closed at or before `close time of L − windowSeconds`       |
 */
export interface SoroswapView {
  /** Rows that every answer needs: fee switches and all entries that prices depend on. */
  sharedRefs(): readonly StateRef[]
  /** The factories: each has the list of its pairs. */
  factories(): readonly ContractId[]
  /** Names and decimals of tokens without a hint in the registry. Usually none. */
  assetRefs(state: SoroswapState): readonly StateRef[]
  /** Counters of the pools: load them as of the beginning of the fee window. */
  windowRefs(pools: readonly ContractId[]): readonly StateRef[]
  /** How far the fee window reaches back. */
  readonly windowSeconds: number

  /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are skipped. */
  load(rows: Iterable<StateRow>, asOf: number): SoroswapState
  /** The beginning of the fee window that ends at `at`, from the rows of `windowRefs`. Pools without a row are younger than it. */
  feeWindow(rows: Iterable<StateRow>, at: At): FeeWindow

  /** Every pool in the loaded rows or in the registry, by address. */
  pools(state: SoroswapState): ContractId[]
  /** Null when the pool is unknown or holds nothing yet. */
  pool(state: SoroswapState, pool: ContractId, at: At, window: FeeWindow): LpPool | null
  /** Null when the account never held shares of the pool; zeros when it holds none any more. */
  position(state: SoroswapState, pool: ContractId, address: Address, at: At, window: FeeWindow): LpPosition | null
  /** Open positions of the account, by pool. The shares that a pool locks in itself belong to no account. */
  positions(state: SoroswapState, address: Address, at: At, window: FeeWindow): LpPosition[]
  asset(state: SoroswapState, asset: ContractId): AssetInfo
  /** The network's price of an asset: oracles and price pools, without a pool's own ratio. */
  price(state: SoroswapState, asset: ContractId, at: At): Price | null
  /** The settings of a factory, or null before its first ledger. */
  factory(state: SoroswapState, factory: ContractId): FactoryInstance | null
}

/** Readers of one network. Between two calls it keeps only the registry. */
export function soroswapView(network: Network): SoroswapView {
  return new View(network, pricesOf(network))
}

class View implements SoroswapView {
  readonly windowSeconds = FEE_WINDOW_SECONDS
  readonly network: Network
  readonly pricing: Pricing

  constructor(network: Network, prices: Pricing) {
    this.network = network
    this.pricing = prices
  }

  sharedRefs(): readonly StateRef[] {
    return [...this.factories().map((contract) => ({ contract, key: factory.key })), ...this.pricing.stateRefs()]
  }

  factories(): readonly ContractId[] {
    return this.network.deployments.soroswap.map((deployment) => deployment.factory)
  }

  assetRefs(state: SoroswapState): readonly StateRef[] {
    const tokens = new Set([...state.pairs.values()].flatMap((pair) => pair.tokens ?? []))
    return [...tokens].filter((it) => this.asset(state, it).decimals === null).map((contract) => ({ contract, key: token.key }))
  }

  windowRefs(pools: readonly ContractId[]): readonly StateRef[] {
    return pools.map((contract) => ({ contract, key: counters.key }))
  }

  load(rows: Iterable<StateRow>, asOf: number): SoroswapState {
    return ENTRIES.load(emptyState(this.network, this.pricing), rows, asOf, this.pricing)
  }

  feeWindow(rows: Iterable<StateRow>, at: At): FeeWindow {
    return readFeeWindow(rows, counters.key, at.closeTimeSeconds)
  }

  pools(state: SoroswapState): ContractId[] {
    // A pair with tokens was listed by a factory, perhaps before the index began: then it has no announcement (`listing`), and where only the
    // factory's rows are loaded no instance either. A pair that only the registry names may have no rows at all.
    const listed = [...state.pairs.values()].filter((pair) => pair.instance !== null || pair.tokens !== null)
    return [...new Set([...listed.map((pair) => pair.pair), ...rootPairs(this.network).map((root) => root.contract)])].sort()
  }

  pool(state: SoroswapState, pool: ContractId, at: At, window: FeeWindow): LpPool | null {
    const pair = state.pairs.get(pool)
    const valued = pair === undefined ? null : valuePair(state, pair, at, this)
    return pair === undefined || valued === null
      ? null
      : lpPool(state, pair, valued, yieldInWindow(pair.pair, pair.counters, window, at.closeTimeSeconds), this.network)
  }

  position(state: SoroswapState, pool: ContractId, address: Address, at: At, window: FeeWindow): LpPosition | null {
    const pair = state.pairs.get(pool)
    const valued = pair === undefined ? null : valuePair(state, pair, at, this)
    return pair === undefined || valued === null
      ? null
      : lpPosition(state, pair, address, valued, yieldInWindow(pair.pair, pair.counters, window, at.closeTimeSeconds), this.network)
  }

  positions(state: SoroswapState, address: Address, at: At, window: FeeWindow): LpPosition[] {
    return [...state.pairs.values()]
      .filter((pair) => pair.pair !== address && (pair.holders.get(address)?.shares?.value ?? 0n) > 0n)
      .sort((a, b) => (a.pair < b.pair ? -1 : 1))
      .flatMap((pair) => this.position(state, pair.pair, address, at, window) ?? [])
  }

  asset(state: SoroswapState, asset: ContractId): AssetInfo {
    return assetInfo(state, asset, this.network)
  }

  price(state: SoroswapState, asset: ContractId, at: At): Price | null {
    return this.pricing.priceOf(state.pricing, asset, at, { decimalsOf: (it) => this.asset(state, it).decimals })
  }

  factory(state: SoroswapState, contract: ContractId): FactoryInstance | null {
    return state.factories.get(contract)?.value ?? null
  }
}
