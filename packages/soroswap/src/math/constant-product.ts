// The integer formulas of Soroswap's pair, router and library contracts. All divisions floor unless the name has another rounding.
// Sources: soroswap/core contracts/pair/src/lib.rs, contracts/library/src/quotes.rs (commit b7e7cc93); docs/protocols/soroswap.md, "Formulas".
// Checked by the unit tests' vectors of those contracts and by every recorded payout of the contracts.

import { divCeil, sqrtFloor } from '@orrery/protocol-kit'

/** Decimals of LP shares, whatever the tokens have (pair `initialize`). */
export const SHARE_DECIMALS = 7
/** Part of a swap's input that stays in the pool: 3 / 1000. */
export const FEE_NUMERATOR = 3n
export const FEE_DENOMINATOR = 1_000n

/** The inputs of a payout: real balances, supply and the fee switch. Raw. */
export interface Pool {
  readonly reserve0: bigint
  readonly reserve1: bigint
  /** The pair's balances: reserves plus donations since the last swap, deposit, withdraw or sync. */
  readonly balance0: bigint
  readonly balance1: bigint
  readonly totalSupply: bigint
  /** reserve0 · reserve1 after the last deposit or withdraw with fees on; 0 where absent. */
  readonly kLast: bigint
  /** The factory's switch: one sixth of the growth goes to `fee_to`. */
  readonly feesEnabled: boolean
}

/** ⌈in · 3 / 1000⌉. Up: the pool never takes less than its fee. */
export function swapFee(amountIn: bigint): bigint {
  return divCeil(amountIn * FEE_NUMERATOR, FEE_DENOMINATOR)
}

/**
 * Shares that the next deposit or withdraw mints to `fee_to` before anything else:
 *
 *   T · (√K − √KLast) / (5 · √K + √KLast)        K = reserve0 · reserve1, roots floored; 0 unless fees are on, KLast > 0 and K grew
 *
 * One sixth of the growth since the last deposit or withdraw. A payout is taken after it, so a payout "now" must include it.
 */
export function pendingFeeShares(pool: Pool): bigint {
  if (!pool.feesEnabled || pool.kLast === 0n) return 0n
  const root = sqrtFloor(pool.reserve0 * pool.reserve1)
  const rootLast = sqrtFloor(pool.kLast)
  return root > rootLast ? (pool.totalSupply * (root - rootLast)) / (5n * root + rootLast) : 0n
}

/** Tokens in the pair's order, raw. */
export type Amounts = readonly [bigint, bigint]

/** The supply that a payout is a part of: after the pending fee mint. */
export function payoutSupply(pool: Pool): bigint {
  return pool.totalSupply + pendingFeeShares(pool)
}

/**
 * What `remove_liquidity` of `shares` would pay now: balance · shares / supply, floored, so the pool never promises more than it holds.
 * The balance counts, not the reserve: a donation belongs to the shares at once. `supply` is `payoutSupply(pool)`.
 *
 * Null where the pair refuses: both amounts must be above zero (error 117), so dust pays nothing at all. Shares that the
 * pair holds would be paid to the next withdrawer; they are not counted.
 */
export function removalPayout(shares: bigint, pool: Pool, supply: bigint): Amounts | null {
  if (supply === 0n) return null
  const amount0 = (pool.balance0 * shares) / supply
  const amount1 = (pool.balance1 * shares) / supply
  return amount0 > 0n && amount1 > 0n ? [amount0, amount1] : null
}
