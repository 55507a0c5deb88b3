// FxDAO for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and calls these functions.

import type { Address, ContractId } from '@orrery/ledger'
import { type At, type Pricing, pricesOf } from '@orrery/pricing'
import type { AssetInfo, Network, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import { ENTRIES, emptyState, token } from '../state/entries.ts'
import type { FxdaoState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import {
  amountOf,
  type CurrencyReserve,
  currencyReserve,
  type LockedPosition,
  type LockedReserve,
  lockedAmounts,
  lockedPositions,
  type VaultPosition,
  vaultPosition,
} from './position.ts'
import { Valuation } from './valuation.ts'

/**
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key).
 *
 * | question                  | rows                                                                                                 |
 * |---------------------------|------------------------------------------------------------------------------------------------------|
 * | vaults of an account      | all rows of `contracts()` as of L (a rank counts the vaults before it), `sharedRefs()` as of L       |
 * | reserves                  | the same: what is locked is the sum of the accounts' deposits                                        |
 * | names and prices          | of `contracts()` the range `key >= 'a'`, `sharedRefs()` as of L                                      |
 */
export interface FxdaoView {
  /** The vaults and the locking pools. One deployment holds everything, so this is all there is to load. */
  contracts(): readonly ContractId[]
  /** All entries that prices depend on. */
  sharedRefs(): readonly StateRef[]
  /** Names and decimals of tokens that neither the registry nor the vaults have. Usually none. */
  assetRefs(state: FxdaoState): readonly StateRef[]
  /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are skipped. */
  load(rows: Iterable<StateRow>, asOf: number): FxdaoState
  /** Denominations in their order. */
  currencies(state: FxdaoState): string[]
  /** Open vaults of the account, by denomination. */
  vaults(state: FxdaoState, address: Address, at: At): VaultPosition[]
  /** What the account has locked, by contract and asset. */
  locked(state: FxdaoState, address: Address, at: At): LockedPosition[]
  reserves(state: FxdaoState, at: At): CurrencyReserve[]
  lockedReserves(state: FxdaoState, at: At): LockedReserve[]
  asset(state: FxdaoState, asset: ContractId): AssetInfo
  /** The network's price of an asset, without the vaults' own feed. */
  price(state: FxdaoState, asset: ContractId, at: At): Price | null
}

/** Readers of one network. Between two calls it keeps only the registry. */
export function fxdaoView(network: Network): FxdaoView {
  return new View(network, pricesOf(network))
}

class View implements FxdaoView {
  readonly network: Network
  readonly pricing: Pricing

  constructor(network: Network, prices: Pricing) {
    this.network = network
    this.pricing = prices
  }

  contracts(): readonly ContractId[] {
    return this.network.deployments.fxdao.slice(0, 1).flatMap(({ vaults, lockingPools }) => [vaults, ...lockingPools])
  }

  sharedRefs(): readonly StateRef[] {
    return this.pricing.stateRefs()
  }

  assetRefs(state: FxdaoState): readonly StateRef[] {
    const locked = [...state.locking.values()].flatMap(({ pools, rewardsAsset }) => [
      ...pools.keys(),
      ...(rewardsAsset ? [rewardsAsset.value] : []),
    ])
    const tokens = new Set([...locked, ...(state.core === null ? [] : [state.core.value.collateral])])
    return [...tokens].filter((it) => this.asset(state, it).decimals === null).map((contract) => ({ contract, key: token.key }))
  }

  load(rows: Iterable<StateRow>, asOf: number): FxdaoState {
    return ENTRIES.load(emptyState(this.network, this.pricing), rows, asOf, this.pricing)
  }

  currencies(state: FxdaoState): string[] {
    return [...state.currencies.keys()].sort()
  }

  vaults(state: FxdaoState, address: Address, at: At): VaultPosition[] {
    const valuation = this.#valuation(state, at)
    return [...state.vaults.values()]
      .filter(({ owner, vault }) => owner === address && vault !== null)
      .sort((a, b) => (a.denomination < b.denomination ? -1 : 1))
      .flatMap((vault) => vaultPosition(vault, valuation) ?? [])
  }

  locked(state: FxdaoState, address: Address, at: At): LockedPosition[] {
    const valuation = this.#valuation(state, at)
    return [...state.locking.values()]
      .sort((a, b) => (a.contract < b.contract ? -1 : 1))
      .flatMap((locking) => lockedPositions(locking, address, valuation))
  }

  reserves(state: FxdaoState, at: At): CurrencyReserve[] {
    const valuation = this.#valuation(state, at)
    return this.currencies(state).flatMap((denomination) => currencyReserve(denomination, valuation) ?? [])
  }

  lockedReserves(state: FxdaoState, at: At): LockedReserve[] {
    const valuation = this.#valuation(state, at)
    return [...state.locking.values()].flatMap((locking) =>
      [...lockedAmounts(locking)].map(([asset, amount]) => ({
        contract: locking.contract,
        stake: amountOf(asset, amount, valuation),
        active: locking.pools.get(asset)?.value.active ?? false,
        lockSeconds: Number(locking.pools.get(asset)?.value.lockSeconds ?? 0n),
      })),
    )
  }

  asset(state: FxdaoState, asset: ContractId): AssetInfo {
    return assetInfo(state, asset, this.network)
  }

  price(state: FxdaoState, asset: ContractId, at: At): Price | null {
    return this.pricing.priceOf(state.pricing, asset, at, { decimalsOf: (it) => this.asset(state, it).decimals })
  }

  #valuation(state: FxdaoState, at: At): Valuation {
    return new Valuation(state, at, this.network, this.pricing)
  }
}
