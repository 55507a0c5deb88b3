// Formulas of stable pools that no fold or view needs: swaps of an exact output, shares for tokens, one coin for shares, and what imbalance costs.
// Tests compare them with the contracts' answers. Integers, rounding as in the contract.
// Source: soroban-amm liquidity_pool_stableswap/src/{contract,normalize}.rs, since v1.7.

import { tenTo } from '@orrery/pricing'
import { mulDivCeil } from '@orrery/protocol-kit'
import { FEE_DENOMINATOR, feeCeil } from '../../src/math/constant-product.ts'
import { multipliers, normalized, type StablePool } from '../../src/math/stable.ts'
import { balanceAt, invariant } from '../../src/math/stable-swap.ts'

/** 10^(most decimals): the scale that D and shares are counted in. */
export function precision({ decimals }: Pick<StablePool, 'decimals'>): bigint {
  return tenTo(Math.max(...decimals))
}

/** D of the pool's reserves, or of others in it. Null where the contract panics. */
export function invariantOf(pool: StablePool, reserves: readonly bigint[] = pool.reserves): bigint | null {
  return invariant(normalized(pool, reserves), pool.amp)
}

/** ⌊D · 10^(most decimals) / supply⌋: what one share is worth if all tokens are worth the same. Null without shares. */
export function virtualPrice(pool: StablePool): bigint | null {
  const d = invariantOf(pool)
  return d === null || pool.totalShares === 0n ? null : (d * precision(pool)) / pool.totalShares
}

/** What must go in for an amount out: w = ⌊(x − x_in + 1) / mul_in⌋, dx = ⌈w · 10⁴ / (10⁴ − f)⌉. Null where the contract panics. */
export function stableSwapExactOut(pool: StablePool, from: number, to: number, amountOut: bigint) {
  const mul = multipliers(pool)
  const balances = normalized(pool)
  const left = (balances[to] ?? 0n) - amountOut * (mul[to] ?? 1n)
  const d = invariant(balances, pool.amp)
  if (d === null || left <= 0n) return null
  const x = balanceAt(
    d,
    from,
    balances.map((balance, n) => (n === to ? left : balance)),
    pool.amp,
  )
  if (x === null) return null
  const rest = (x - (balances[from] ?? 0n) + 1n) / (mul[from] ?? 1n)
  const amountIn = mulDivCeil(rest, FEE_DENOMINATOR, FEE_DENOMINATOR - pool.fee)
  return { amountIn, totalFee: amountIn - rest, protocolFee: feeCeil(amountIn - rest, pool.protocolPart) }
}

/** Fee on what moves away from balance, half the swap fee over the other coins: ⌈amount · f · n / (10⁴ · 4 · (n − 1))⌉. */
function imbalanceFee(amount: bigint, { fee, reserves }: StablePool): bigint {
  const n = BigInt(reserves.length)
  return mulDivCeil(amount, fee * n, FEE_DENOMINATOR * 4n * (n - 1n))
}

/**
 * Reserves that came out of balance, from D0 to D1: the fee of each token on its distance from its share of D1, the protocol's part of it
 * taken out of the reserves, and D2, the invariant of the reserves less the fees. Null where the contract panics.
 */
function rebalanced(pool: StablePool, now: readonly bigint[], d0: bigint, d1: bigint) {
  const fees = now.map((reserve, n) => {
    const ideal = (d1 * (pool.reserves[n] ?? 0n)) / d0
    return imbalanceFee(ideal > reserve ? ideal - reserve : reserve - ideal, pool)
  })
  const less = (parts: readonly bigint[]) => now.map((reserve, n) => reserve - (parts[n] ?? 0n))
  const protocolFees = fees.map((fee) => feeCeil(fee, pool.protocolPart))
  const d2 = invariantOf(pool, less(fees))
  return d2 === null ? null : { d2, reserves: less(protocolFees), protocolFees }
}

/**
 * Shares for a deposit: the first gets D; later ones S · (D2 − D0) / D0 where D2 counts reserves less the fee on imbalance.
 * Null where the contract panics.
 */
export function depositShares(pool: StablePool, amounts: readonly bigint[]) {
  const now = pool.reserves.map((reserve, n) => reserve + (amounts[n] ?? 0n))
  const d1 = invariantOf(pool, now)
  if (d1 === null) return null
  if (pool.totalShares === 0n) return { shares: d1, reserves: now, protocolFees: now.map(() => 0n) }
  const d0 = invariantOf(pool)
  const after = d0 === null || d0 === 0n ? null : rebalanced(pool, now, d0, d1)
  if (d0 === null || after === null) return null
  const { d2, reserves, protocolFees } = after
  return { shares: (pool.totalShares * (d2 - d0)) / d0, reserves, protocolFees }
}

/** Shares burnt for exact amounts: ⌊(D0 − D2) · S / D0⌋ + 1. Null where the contract panics. */
export function imbalanceShares(pool: StablePool, amounts: readonly bigint[]) {
  const d0 = invariantOf(pool)
  const now = pool.reserves.map((reserve, n) => reserve - (amounts[n] ?? 0n))
  const d1 = invariantOf(pool, now)
  const after = d0 === null || d0 === 0n || d1 === null ? null : rebalanced(pool, now, d0, d1)
  if (d0 === null || after === null) return null
  const { d2, reserves, protocolFees } = after
  return { shares: ((d0 - d2) * pool.totalShares) / d0 + 1n, reserves, protocolFees }
}

/**
 * One coin for shares:
 *
 *   D1 = D0 − ⌊s · D0 / S⌋        dy₀ = ⌊(xᵢ − y_D(i, x, D1)) / mulᵢ⌋        x'ⱼ = xⱼ − fee(distance of xⱼ from its share of D1)
 *   dy = ⌊(x'ᵢ − y_D(i, x', D1) − 1) / mulᵢ⌋        fee = dy₀ − dy
 *
 * `_calc_withdraw_one_coin`. Null where the contract panics.
 */
export function withdrawOneCoin(pool: StablePool, shares: bigint, coin: number) {
  const mul = multipliers(pool)[coin] ?? 1n
  const balances = normalized(pool)
  const d0 = invariant(balances, pool.amp)
  if (d0 === null || d0 === 0n || pool.totalShares === 0n) return null
  const d1 = d0 - (shares * d0) / pool.totalShares
  const y = balanceAt(d1, coin, balances, pool.amp)
  if (y === null) return null
  const reduced = balances.map((balance, n) => {
    const share = (balance * d1) / d0
    return balance - imbalanceFee(n === coin ? share - y : balance - share, pool)
  })
  const reducedY = balanceAt(d1, coin, reduced, pool.amp)
  if (reducedY === null) return null
  const gross = ((balances[coin] ?? 0n) - y) / mul
  const amount = ((reduced[coin] ?? 0n) - reducedY - 1n) / mul
  // Less than nothing wraps in the contract, and the call fails.
  if (amount < 0n) return null
  return { amount, fee: gross - amount, protocolFee: feeCeil(gross - amount, pool.protocolPart) }
}
