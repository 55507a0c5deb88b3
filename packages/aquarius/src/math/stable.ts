// Formulas of stable pools: shares for tokens, one coin for shares, and what imbalance costs. Integers, rounding as in the contract.
// The invariant itself is in `stable-swap.ts`.
// Source: soroban-amm liquidity_pool_stableswap/src/{contract,normalize}.rs, since v1.7.

import { tenTo } from '@orrery/pricing'
import { mulDivCeil } from '@orrery/protocol-kit'
import { FEE_DENOMINATOR, feeCeil } from './constant-product.ts'
import { balanceAt, invariant } from './stable-swap.ts'

/** A stable pool at one moment. */
export interface StablePool {
  readonly reserves: readonly bigint[]
  readonly decimals: readonly number[]
  readonly amp: bigint
  /** Of 10,000. */
  readonly fee: bigint
  readonly protocolPart: bigint
  readonly totalShares: bigint
}

/** 10^(most decimals): the scale that D and shares are counted in. */
export function precision({ decimals }: Pick<StablePool, 'decimals'>): bigint {
  return tenTo(Math.max(...decimals))
}

function multipliers({ decimals }: Pick<StablePool, 'decimals'>): bigint[] {
  const most = Math.max(...decimals)
  return decimals.map((it) => tenTo(most - it))
}

function normalized(pool: StablePool, reserves: readonly bigint[] = pool.reserves): bigint[] {
  const mul = multipliers(pool)
  return reserves.map((reserve, n) => reserve * (mul[n] ?? 1n))
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

/** What a swap pays: fee = ⌈dx · f / 10⁴⌉, dy = ⌊(x_out − y(x_in + (dx − fee) · mul) − 1) / mul_out⌋. Null where the contract panics. */
export function stableSwapExactIn(pool: StablePool, from: number, to: number, amountIn: bigint) {
  const mul = multipliers(pool)
  const balances = normalized(pool)
  const totalFee = feeCeil(amountIn, pool.fee)
  const d = invariant(balances, pool.amp)
  if (d === null) return null
  const after = balances.map((balance, n) => (n === from ? balance + (amountIn - totalFee) * (mul[n] ?? 1n) : balance))
  const y = balanceAt(d, to, after, pool.amp)
  if (y === null) return null
  const amountOut = ((balances[to] ?? 0n) - y - 1n) / (mul[to] ?? 1n)
  return { amountOut, totalFee, protocolFee: feeCeil(totalFee, pool.protocolPart) }
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

/** How far reserves are from their share of D1, and what that costs: fees and the protocol's part, by token. */
function imbalance(pool: StablePool, now: readonly bigint[], d0: bigint, d1: bigint) {
  const fees = now.map((reserve, n) => {
    const ideal = (d1 * (pool.reserves[n] ?? 0n)) / d0
    return imbalanceFee(ideal > reserve ? ideal - reserve : reserve - ideal, pool)
  })
  return { fees, protocolFees: fees.map((fee) => feeCeil(fee, pool.protocolPart)) }
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
  if (d0 === null || d0 === 0n) return null
  const { fees, protocolFees } = imbalance(pool, now, d0, d1)
  const d2 = invariantOf(
    pool,
    now.map((reserve, n) => reserve - (fees[n] ?? 0n)),
  )
  if (d2 === null) return null
  return {
    shares: (pool.totalShares * (d2 - d0)) / d0,
    reserves: now.map((reserve, n) => reserve - (protocolFees[n] ?? 0n)),
    protocolFees,
  }
}

/** Shares burnt for exact amounts: ⌊(D0 − D2) · S / D0⌋ + 1. Null where the contract panics. */
export function imbalanceShares(pool: StablePool, amounts: readonly bigint[]) {
  const d0 = invariantOf(pool)
  const now = pool.reserves.map((reserve, n) => reserve - (amounts[n] ?? 0n))
  const d1 = invariantOf(pool, now)
  if (d0 === null || d0 === 0n || d1 === null) return null
  const { fees, protocolFees } = imbalance(pool, now, d0, d1)
  const d2 = invariantOf(
    pool,
    now.map((reserve, n) => reserve - (fees[n] ?? 0n)),
  )
  if (d2 === null) return null
  return {
    shares: ((d0 - d2) * pool.totalShares) / d0 + 1n,
    reserves: now.map((reserve, n) => reserve - (protocolFees[n] ?? 0n)),
    protocolFees,
  }
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
