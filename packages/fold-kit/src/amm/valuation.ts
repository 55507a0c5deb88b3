// Amounts of a pool's tokens at their prices: the TVL of reserves, the worth of a part of them, and amounts as the API shows them.

import type { TokenAmount } from '@orrery/protocol-kit'
import { type UsdUnits, usdSum, usdText } from '../usd-units.ts'
import type { ValuedToken } from '../valued-token.ts'

/** Reserves at their prices. */
export interface ReservesValue {
  /** Sum of the priced reserves. */
  readonly tvlUsd: UsdUnits
  /** Reserves above zero without a price. */
  readonly unpricedAssets: number
}

/** Raw amounts, by token in the pool's order, and their values. */
export interface AmountsWorth {
  readonly amounts: readonly bigint[]
  /** Null where unknown. */
  readonly values: readonly (UsdUnits | null)[]
  /** Sum of the values, null when one is unknown. */
  readonly netUsd: UsdUnits | null
  readonly unpricedAssets: number
}

/** The TVL of raw reserves, by token in the pool's order. */
export function valueReserves(tokens: readonly ValuedToken[], reserves: readonly bigint[]): ReservesValue {
  const values = tokens.map((token, n) => token.value(reserves[n] ?? 0n))
  return { tvlUsd: values.reduce<UsdUnits>((sum, value) => sum + (value ?? 0n), 0n), unpricedAssets: unpriced(values) }
}

/** The worth of raw amounts, by token in the pool's order. */
export function worthOfAmounts(amounts: readonly bigint[], tokens: readonly ValuedToken[]): AmountsWorth {
  const values = tokens.map((token, n) => token.value(amounts[n] ?? 0n))
  return { amounts, values, netUsd: usdSum(values), unpricedAssets: unpriced(values) }
}

/** Raw `shares` as a part of reserves: shares · reserve / supply, floored. Zeros while there is no supply. */
export function partOfReserves(shares: bigint, reserves: readonly bigint[], supply: bigint): bigint[] {
  return reserves.map((reserve) => (supply === 0n ? 0n : (shares * reserve) / supply))
}

/** Raw amounts, by token in the pool's order, as the API shows them. */
export function tokenAmounts(tokens: readonly ValuedToken[], amounts: readonly bigint[]): TokenAmount[] {
  return tokens.map((token, n) => tokenAmount(token, amounts[n] ?? 0n))
}

/** A raw amount of a token as the API shows it. */
export function tokenAmount(token: ValuedToken, amount: bigint): TokenAmount {
  const value = token.value(amount)
  return { asset: token.info, amount, price: token.price, usdValue: value === null ? null : usdText(value) }
}

function unpriced(values: readonly (UsdUnits | null)[]): number {
  return values.filter((value) => value === null).length
}
