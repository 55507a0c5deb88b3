// FxDAO for readers: which state rows an answer needs, and the functions that make the answer from them.
// Pure, and the same code as the fold: a reader loads rows as of its ledger and calls these functions.

import { ReadValues } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { type At, pricesOf } from '@orrery/pricing'
import type { AssetInfo, Network, PositionTerm, Price, StateRef, StateRow } from '@orrery/protocol-kit'
import { ENTRIES, emptyState, token } from '../state/entries.ts'
import { type FxdaoState, stakedAssets } from '../state/state.ts'
import { contractsOf } from './account-entries.ts'
import { assetInfo } from './asset.ts'
import { type LockedPosition, lockedPositions, type VaultPosition, vaultPosition } from './position.ts'
import { positionTerms } from './position-terms.ts'
import { type CurrencyReserve, currencyReserve, type LockedReserve, lockedReserves } from './reserve.ts'
import { Valuation } from './valuation.ts'

export type FxdaoView = Readonly<ReturnType<typeof fxdaoView>>

/**
 * Readers of one network. Between two calls they keep the registry, and prices of loaded states while these are in use.
 *
 * What a reader loads for an answer as of ledger L. "As of L" is the newest row at or before L of each (contract, key).
 *
 * | question                  | rows                                                                                                 |
 * |---------------------------|------------------------------------------------------------------------------------------------------|
 * | vaults of an account      | all rows of `contracts()` as of L (a rank counts the vaults before it), `sharedRefs()` as of L       |
 * | reserves                  | the same: what is locked is the sum of the accounts' deposits                                        |
 * | names and prices          | of `contracts()` the range `key >= 'a'`, `sharedRefs()` as of L                                      |
 */
export function fxdaoView(network: Network) {
  const pricing = pricesOf(network)
  const valuations = new ReadValues<FxdaoState, Valuation>()
  const valuationAt = (state: FxdaoState, at: At) => valuations.of(state, '', at, () => new Valuation(state, at, network, pricing))
  const asset = (state: FxdaoState, id: ContractId): AssetInfo => assetInfo(state, id, network)
  const currencies = (state: FxdaoState): string[] => [...state.currencies.keys()].sort()
  return {
    /** The vaults and the locking pools. One deployment holds everything, so this is all there is to load. */
    contracts: (): readonly ContractId[] => contractsOf(network),
    /** All entries that prices depend on. */
    sharedRefs: (): readonly StateRef[] => pricing.stateRefs(),
    /** Names and decimals of tokens that neither the registry nor the vaults have. Usually none. */
    assetRefs(state: FxdaoState): readonly StateRef[] {
      const collateral = state.core === null ? [] : [state.core.value.collateral]
      const tokens = new Set([...stakedAssets(state), ...collateral])
      return [...tokens].filter((it) => asset(state, it).decimals === null).map((contract) => ({ contract, key: token.key }))
    },
    /** State from rows in any order. Rows of other protocols must not be among them; rows after `asOf` are skipped. */
    load: (rows: Iterable<StateRow>, asOf: number): FxdaoState =>
      valuations.opened(ENTRIES.read((shared) => emptyState(network, shared), rows, asOf, pricing)),
    /** Denominations in their order. */
    currencies,
    /** Open vaults of the account, by denomination. */
    vaults(state: FxdaoState, address: Address, at: At): VaultPosition[] {
      const valuation = valuationAt(state, at)
      return [...state.vaults.values()]
        .filter(({ owner, vault }) => owner === address && vault !== null)
        .sort((a, b) => (a.denomination < b.denomination ? -1 : 1))
        .flatMap((vault) => vaultPosition(vault, valuation) ?? [])
    },
    /** What the account has locked, by contract and asset. */
    locked(state: FxdaoState, address: Address, at: At): LockedPosition[] {
      const valuation = valuationAt(state, at)
      return [...state.locking.values()]
        .sort((a, b) => (a.contract < b.contract ? -1 : 1))
        .flatMap((locking) => lockedPositions(locking, address, valuation))
    },
    reserves(state: FxdaoState, at: At): CurrencyReserve[] {
      const valuation = valuationAt(state, at)
      return currencies(state).flatMap((denomination) => currencyReserve(denomination, valuation) ?? [])
    },
    /** The terms by which vaults of all currencies and locked stakes are valued. */
    terms: (state: FxdaoState, at: At): PositionTerm[] => positionTerms(valuationAt(state, at)),
    lockedReserves(state: FxdaoState, at: At): LockedReserve[] {
      const valuation = valuationAt(state, at)
      return [...state.locking.values()].flatMap((locking) => lockedReserves(locking, valuation))
    },
    asset,
    /** The network's price of an asset, without the vaults' own feed. */
    price: (state: FxdaoState, id: ContractId, at: At): Price | null =>
      pricing.priceOf(state.pricing, id, at, { decimalsOf: (it) => asset(state, it).decimals }),
  }
}
