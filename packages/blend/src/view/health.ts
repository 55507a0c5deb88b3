// How far an account is from liquidation, and at which price of an asset it gets there.

import { usdSum } from '@orrery/fold-kit'
import { divHalfUp, PRICE_SCALE, ratio, scaledText, tenTo, USD_SCALE } from '@orrery/pricing'
import { type DecimalText, mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import type { Positions } from '../chain/values.ts'
import { rateText } from '../math/rates.ts'
import { type EffectiveBalance, effectiveBalances, type ValuedAccount, type ValuedBalance } from './account-value.ts'
import type { ValuedPool } from './valuation.ts'

type Effective = ReturnType<typeof effectiveBalances>
type EffectiveUsd = Pick<ValuedAccount, 'effectiveCollateralUsd' | 'effectiveLiabilitiesUsd'>

/**
 * How far a position is from liquidation. Null when nothing is owed, and where an asset has no price.
 *
 *   collateral = Σ ⌊price · ⌊⌊bTokens · bRate / S⌋ · cFactor / 1e7⌋ / 10^decimals⌋     collateral only, not plain supply
 *   owed       = Σ ⌈price · ⌈⌈dTokens · dRate / S⌉ · 1e7 / lFactor⌉ / 10^decimals⌉
 *   health     = ⌊collateral · 10^D / owed⌋                                            D: decimals of the pool's oracle
 *
 * Prices are those of the pool's own oracle and every step rounds against the account as the contract does, so a position that is
 * valued by them is never shown safer than the contract sees it. The pool refuses a new borrow below 1.0000100; liquidation opens at
 * owed > collateral (v2) or owed ≥ collateral (v1).
 *
 * Without the own oracle's prices the USD values that are shown give the ratio, and that promise does not hold:
 * - the oracle is silent or too old: the pool itself refuses to act, so the contract sees nothing either;
 * - the oracle cannot be read here (`oracleReadable` of the pool is false): an estimate from other oracles, which may be above or below
 *   what the contract sees. On mainnet in June 2026 the feeds that the registry asks first were 0.153 % apart from a pool's own.
 *
 * Source: blend-contracts-v2 pool/src/pool/health_factor.rs.
 */
export function healthFactor(account: ValuedAccount, pool: ValuedPool): DecimalText | null {
  if (account.borrow.length === 0) return null
  return ownHealthFactor(account, pool) ?? shownHealthFactor(account)
}

/** `healthFactor` of `valueAccount`, without the values that it does not need: for the positions of a whole pool. */
export function healthFactorOf(positions: Positions, pool: ValuedPool): DecimalText | null {
  const balances = effectiveBalances(positions, pool)
  if (balances.borrow.length === 0) return null
  const own = ownHealthFactor(balances, pool)
  if (own !== null) return own
  const sumOf = (side: readonly EffectiveBalance[]) =>
    usdSum(side.map(({ reserve, effectiveAmount }) => reserve.token.value(effectiveAmount)))
  return shownHealthFactor({ effectiveCollateralUsd: sumOf(balances.supply), effectiveLiabilitiesUsd: sumOf(balances.borrow) })
}

function ownHealthFactor({ supply, borrow }: Effective, { oracleDecimals }: ValuedPool): DecimalText | null {
  if (oracleDecimals === null) return null
  let collateral = 0n
  let owed = 0n
  for (const { reserve, effectiveAmount } of supply) {
    if (effectiveAmount === 0n) continue
    if (reserve.own === null) return null
    collateral += mulDivFloor(reserve.own.price, effectiveAmount, tenTo(reserve.config.decimals))
  }
  for (const { reserve, effectiveAmount } of borrow) {
    if (reserve.own === null) return null
    owed += mulDivCeil(reserve.own.price, effectiveAmount, tenTo(reserve.config.decimals))
  }
  return owed === 0n ? null : scaledText(mulDivFloor(collateral, tenTo(oracleDecimals), owed), oracleDecimals)
}

function shownHealthFactor({ effectiveCollateralUsd, effectiveLiabilitiesUsd }: EffectiveUsd): DecimalText | null {
  if (effectiveCollateralUsd === null || effectiveLiabilitiesUsd === null || effectiveLiabilitiesUsd === 0n) return null
  return scaledText(mulDivFloor(effectiveCollateralUsd, tenTo(USD_SCALE), effectiveLiabilitiesUsd), USD_SCALE)
}

/** 100 · owed / collateral, both effective, percent. '0' without debt; null with debt and no collateral value. */
export function borrowLimitPct({ borrow, effectiveCollateralUsd, effectiveLiabilitiesUsd }: ValuedAccount): DecimalText | null {
  if (borrow.length === 0) return '0'
  if (effectiveCollateralUsd === null || effectiveLiabilitiesUsd === null || effectiveCollateralUsd === 0n) return null
  return ratio(effectiveLiabilitiesUsd * 100n, effectiveCollateralUsd, USD_SCALE)
}

/**
 * The USD price of the balance's asset at which effective collateral and debt are equal, all else fixed. An asset that is collateral and owed at the same
 * time has one price, which moves both:
 *
 *   (E_debt of other assets − E_collateral of other assets) / (effective collateral of the asset − effective debt of the asset)
 *
 * Below it the position can be liquidated if more of the asset counts as collateral than is owed; above it if more is owed. Null where no price above zero
 * does that, and for a balance that counts nothing.
 */
export function liquidationPrice({ effectiveAmount, reserve }: ValuedBalance, account: ValuedAccount): DecimalText | null {
  const { effectiveCollateralUsd, effectiveLiabilitiesUsd } = account
  const { decimals } = reserve.token.info
  if (effectiveCollateralUsd === null || effectiveLiabilitiesUsd === null || decimals === null) return null
  if (effectiveAmount === 0n || account.borrow.length === 0) return null
  const isOfAsset = (balance: ValuedBalance): boolean => balance.reserve === reserve
  const [held, owed] = [account.supply.find(isOfAsset), account.borrow.find(isOfAsset)]
  const others = effectiveLiabilitiesUsd - (owed?.effectiveUsd ?? 0n) - (effectiveCollateralUsd - (held?.effectiveUsd ?? 0n))
  const amount = (held?.effectiveAmount ?? 0n) - (owed?.effectiveAmount ?? 0n)
  // Both are turned, so that the ratio is of positive numbers.
  const [worth, units] = amount < 0n ? [-others, -amount] : [others, amount]
  return worth <= 0n || units === 0n ? null : ratio(worth * tenTo(decimals), units * tenTo(USD_SCALE), PRICE_SCALE)
}

/** (Σ supplied · apy − Σ owed · apy) / net value: interest only. '0' where the net value is not above 0, null where a price is missing. */
export function netApy({ supply, borrow, suppliedUsd, borrowedUsd }: ValuedAccount): DecimalText | null {
  if (suppliedUsd === null || borrowedUsd === null) return null
  const net = suppliedUsd - borrowedUsd
  if (net <= 0n) return '0'
  let yearly = 0n
  for (const { usd, reserve } of supply) yearly += (usd ?? 0n) * reserve.supplyApy
  for (const { usd, reserve } of borrow) yearly -= (usd ?? 0n) * reserve.borrowApy
  return rateText(divHalfUp(yearly, net))
}
