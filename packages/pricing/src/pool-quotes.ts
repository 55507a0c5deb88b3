// Rates at which pools would trade, for each type of pool. Protocol packages use them for the pool that they value, readers of price pools for
// the stored facts of a pool.

import type { ContractId } from '@orrery/ledger'
import type { DecimalsOf, PoolQuote, PoolRate } from '@orrery/protocol-kit'
import { balanceAt, invariant } from './stable-swap.ts'
import { tenTo } from './usd.ts'

/** A pool of two or more tokens that trades at the ratio of its reserves (constant product). */
export function constantProductQuote(contract: ContractId, tokens: readonly ContractId[], reserves: readonly bigint[]): PoolQuote {
  return { contract, tokens, reserves, rate: (of, against) => rateOf(reserves[against] ?? 0n, reserves[of] ?? 0n) }
}

/** The state of a stable pool at a moment. */
export interface StablePool {
  readonly tokens: readonly ContractId[]
  readonly reserves: readonly bigint[]
  /** Decimals that the pool stores; null: those of the tokens are used. */
  readonly decimals: readonly number[] | null
  /** `ampAt` of the moment. */
  readonly amp: bigint
}

/** A stable pool: the amount that the contract would pay for one token, without its fee. */
export function stableQuote(contract: ContractId, pool: StablePool): PoolQuote {
  return {
    contract,
    tokens: pool.tokens,
    reserves: pool.reserves,
    rate: (of, against, decimalsOf) => stableRate(pool, of, against, decimalsOf),
  }
}

/**
 *   mulᵢ = 10^(most decimals − decimalsᵢ)        xᵢ = reserveᵢ · mulᵢ
 *   dy   = ⌊(x_against − y(x_of + 10^decimals_of · mul_of) − 1) / mul_against⌋        for dx = 10^decimals_of
 *
 * Source: liquidity_pool_stableswap/src/contract.rs, `_get_dy` with a fee of 0.
 */
function stableRate({ tokens, reserves, decimals, amp }: StablePool, of: number, against: number, decimalsOf: DecimalsOf): PoolRate | null {
  const scales = decimals ?? tokens.map(decimalsOf)
  const known = scales.filter((it) => it !== null)
  const ofDecimals = scales[of]
  if (known.length !== tokens.length || ofDecimals === null || ofDecimals === undefined || of === against) return null
  const most = Math.max(...known)
  const mul = known.map((it) => tenTo(most - it))
  const balances = reserves.map((reserve, n) => reserve * (mul[n] ?? 1n))
  const d = invariant(balances, amp)
  if (d === null || d === 0n) return null
  const unit = tenTo(ofDecimals)
  const after = balances.map((balance, n) => (n === of ? balance + unit * (mul[n] ?? 1n) : balance))
  const y = balanceAt(d, against, after, amp)
  return y === null ? null : rateOf(((balances[against] ?? 0n) - y - 1n) / (mul[against] ?? 1n), unit)
}

const Q192 = 1n << 192n

/** A concentrated pool at its current price. `sqrtPrice`: √(token1 / token0) in raw units, Q64.96. */
export function concentratedQuote(
  contract: ContractId,
  tokens: readonly ContractId[],
  reserves: readonly bigint[],
  sqrtPrice: bigint,
): PoolQuote {
  const price = sqrtPrice * sqrtPrice
  return { contract, tokens, reserves, rate: (of) => (of === 0 ? rateOf(price, Q192) : rateOf(Q192, price)) }
}

function rateOf(numerator: bigint, denominator: bigint): PoolRate | null {
  return numerator > 0n && denominator > 0n ? { numerator, denominator } : null
}
