// The vaults and stakes of an account, from the state. Health depends on the ledger: the feed changes it without a change of the vault.

import { costBasisFact } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import { Decimal, ratio } from '@orrery/pricing'
import type { DecimalText, Price, TokenAmount } from '@orrery/protocol-kit'
import { type CurrencyTotals, RATE_ONE, type Vault } from '../chain/entries.ts'
import { closing, collateralRatio, headroom, lockingReward, percent } from '../math/formulas.ts'
import { type LockingState, type VaultState, vaultsInOrder } from '../state/state.ts'
import type { Valuation } from './valuation.ts'

/** One vault of an account. Ratios: percent and fractions with at most 8 fractional digits. */
export type VaultPosition = Readonly<NonNullable<ReturnType<typeof vaultPosition>>>

export type LockedPosition = Readonly<ReturnType<typeof lockedPositions>[number]>

/** The account's vault of a currency; null when it has none. */
export function vaultPosition(vaultState: VaultState, valuation: Valuation) {
  const { state } = valuation
  const { owner, denomination } = vaultState
  const vault = vaultState.vault?.value
  const core = state.core?.value
  const currency = state.currencies.get(denomination)?.value
  const totals = state.totals.get(denomination)?.value
  if (vault === undefined || core === undefined || currency === undefined || totals === undefined) return null
  const collateral = valuation.amount(core.collateral, vault.collateral)
  const debt = valuation.amount(currency.coin, vault.debt)
  const order = vaultsInOrder(state, denomination)
  const rate = valuation.rate(denomination)
  return {
    contract: state.vaultsContract,
    denomination,
    owner,
    collateral,
    debt,
    /** Scale 8. Null when one of the two has no price. */
    netUsd: difference(collateral.usdValue, debt.usdValue),
    ...healthOf(vault, totals, collateral, debt, rate),
    /** 1: the next of its currency to be redeemed. */
    redemptionRank: 1 + order.filter((it) => it.vault.index < vault.index).length,
    /** What paying everything back costs and pays out, raw. */
    closing: closing(vault.collateral, vault.debt, core.fee),
    /** What may still be owed or taken out before the opening ratio is reached, raw. Null while the feed has no rate. */
    headroom: rate === null ? null : headroom(rate, vault.collateral, vault.debt, totals.openingRatio),
    costBasis: vaultState.collateralCost && costBasisFact(vaultState.collateralCost),
    /** Of the debt: what it was worth when it was borrowed. */
    debtCostBasis: vaultState.debtCost && costBasisFact(vaultState.debtCost),
    index: vault.index,
  }
}

interface Health {
  /** Null while the vaults' feed has no rate, or without debt. */
  readonly collateralRatioPct: DecimalText | null
  readonly minimumRatioPct: DecimalText
  /** Collateral ratio over minimum ratio: below 1 the vault may be liquidated. */
  readonly healthFactor: DecimalText | null
  /** 100 / health factor: how much of what may be owed is owed. */
  readonly borrowLimitPct: DecimalText | null
  readonly isLiquidatable: boolean | null
  /** Price of the collateral in USD at which the health factor is 1. */
  readonly liquidationPrice: DecimalText | null
  /** Price of the coin in USD at which the health factor is 1, upward. */
  readonly debtLiquidationPrice: DecimalText | null
  /** USD that could be owed more before the health factor is 1; negative when it is below. Scale 8. */
  readonly borrowCapUsd: DecimalText | null
}

/**
 * Health by the vaults' feed alone, as the contract decides:
 *
 *   collateral ratio CR  = floor(rate · collateral / debt)                 liquidatable: CR < minimum
 *   health factor        = CR / minimum
 *   liquidation price    = price of the collateral · minimum · debt / (rate · collateral); of the coin the other way round
 *   borrow cap           = collateral USD / (minimum / 100 %) − debt USD
 *
 * With a minimum of zero there is no factor and no cap.
 */
function healthOf(
  { collateral, debt }: Vault,
  { minimumRatio }: CurrencyTotals,
  held: TokenAmount,
  owed: TokenAmount,
  rate: bigint | null,
): Health {
  const minimumRatioPct = percent(minimumRatio)
  if (rate === null || debt === 0n) return { ...UNKNOWN_HEALTH, minimumRatioPct, borrowLimitPct: debt === 0n ? '0' : null }
  const current = collateralRatio(rate, collateral, debt)
  const worth = rate * collateral
  const due = minimumRatio * debt
  const scaled = (price: Price | null, numerator: bigint, denominator: bigint): DecimalText | null =>
    price === null || denominator === 0n
      ? null
      : new Decimal(price.usd).times(numerator.toString()).div(denominator.toString()).decimalPlaces(18).toFixed()
  const isBounded = minimumRatio > 0n
  const cap =
    held.usdValue === null || !isBounded ? null : new Decimal(held.usdValue).times(RATE_ONE.toString()).div(minimumRatio.toString())
  return {
    collateralRatioPct: percent(current),
    minimumRatioPct,
    healthFactor: isBounded ? ratio(current, minimumRatio, 8) : null,
    borrowLimitPct: current === 0n ? null : ratio(minimumRatio * 100n, current, 8),
    isLiquidatable: current < minimumRatio,
    liquidationPrice: scaled(held.price, due, worth),
    debtLiquidationPrice: scaled(owed.price, worth, due),
    borrowCapUsd: cap === null || owed.usdValue === null ? null : cap.minus(owed.usdValue).decimalPlaces(8).toFixed(),
  }
}

const UNKNOWN_HEALTH = {
  collateralRatioPct: null,
  healthFactor: null,
  isLiquidatable: null,
  liquidationPrice: null,
  debtLiquidationPrice: null,
  borrowCapUsd: null,
} as const

/** What an account has locked in a contract, by asset. */
export function lockedPositions(locking: LockingState, owner: Address, valuation: Valuation) {
  const rewards = locking.rewardsAsset?.value ?? null
  return [...locking.stakes.values()]
    .filter((stake) => stake.owner === owner)
    .sort((a, b) => (a.asset < b.asset ? -1 : 1))
    .flatMap(({ asset, deposit, cost }) => {
      if (deposit === null) return []
      const { amount, snapshot, unlocksAt } = deposit.value
      const factor = locking.pools.get(asset)?.value.factor ?? 0n
      return [
        {
          contract: locking.contract,
          owner,
          stake: valuation.amount(asset, amount),
          /** Unix seconds. */
          unlocksAt: Number(unlocksAt),
          /** Null where the asset of rewards is unknown. */
          claimable: rewards === null ? null : valuation.amount(rewards, lockingReward(amount, factor, snapshot)),
          costBasis: cost && costBasisFact(cost),
        },
      ]
    })
}

function difference(a: DecimalText | null, b: DecimalText | null): DecimalText | null {
  return a === null || b === null ? null : new Decimal(a).minus(b).toFixed()
}
