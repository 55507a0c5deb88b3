// A swap in a stable pool, from which its price is derived. Integers, rounding as in the contract.
// Source: soroban-amm liquidity_pool_stableswap/src/{contract,normalize}.rs, since v1.7.

import { tenTo } from '@orrery/pricing'
import { feeCeil } from './constant-product.ts'
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

/** Factors that bring the reserves of all tokens to the most decimals among them. */
export function multipliers({ decimals }: Pick<StablePool, 'decimals'>): bigint[] {
  const most = Math.max(...decimals)
  return decimals.map((it) => tenTo(most - it))
}

/** Reserves with the most decimals among the tokens. */
export function normalized(pool: StablePool, reserves: readonly bigint[] = pool.reserves): bigint[] {
  const mul = multipliers(pool)
  return reserves.map((reserve, n) => reserve * (mul[n] ?? 1n))
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
