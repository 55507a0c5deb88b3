// Expected figures: assertions of the contracts' own tests (soroban-amm liquidity_pool_stableswap/src/test.rs), named at each.

import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { concentratedQuote, stableQuote } from '../src/math/pool-quotes.ts'
import { ampAt, invariant } from '../src/math/stable-swap.ts'

const pool = testContract('pool')
const [tokenA, tokenB] = [testContract('A'), testContract('B')]
const unknownDecimals = () => null

describe('a stable pool', () => {
  it('a stable pool has the invariant of the contract, with two to four tokens and very different balances', () => {
    // test_happy_flow, …_3_tokens step 2, …_4_tokens step 2, test_pool_imbalance_draw_tokens
    expect(invariant([2_000_000_000n, 2_000_000_000n], 10n)).toBe(4_000_000_000n)
    expect(invariant([2_090_000_000n, 1_920_290_237n, 2_000_000_000n], 10n)).toBe(6_009_963_148n)
    expect(invariant([2_090_000_000n, 1_920_290_237n, 2_000_000_000n, 2_000_000_000n], 10n)).toBe(8_009_963_083n)
    expect(invariant([8_734_464n, 1_000_000_000n, 789_020n, 789_020n], 85n)).toBe(207_044_704n)
  })

  it('a stable pool with a zero balance has no invariant, because the contract fails then', () => {
    expect(invariant([1n, 0n], 10n)).toBeNull()
    expect(invariant([0n, 0n], 10n)).toBe(0n)
  })

  it('the rate of a stable pool is the amount that the contract pays for one token without a fee', () => {
    const reserves = [1_000_000_000n, 1_000_000_000n]
    const quote = stableQuote(pool, { tokens: [tokenA, tokenB], reserves, decimals: [7, 7], amp: 10n })
    // test_custom_fee, fee 0: 10,000,000 in, 9,990,916 out
    expect(quote.rate(0, 1, unknownDecimals)).toEqual({ numerator: 9_990_916n, denominator: 10_000_000n })
  })

  it('a stable pool has no rate of tokens with unknown decimals', () => {
    const quote = stableQuote(pool, { tokens: [tokenA, tokenB], reserves: [10n, 10n], decimals: null, amp: 10n })
    expect(quote.rate(0, 1, (token) => (token === tokenA ? 7 : null))).toBeNull()
    expect(quote.rate(0, 0, () => 7)).toBeNull()
  })

  it('the amplification of a stable pool changes linearly, up and down', () => {
    const up = { initial: 100n, initialTime: 0n, future: 201n, futureTime: 1_000n }
    // 100 + ⌊101 · 500 / 1000⌋ and 201 − ⌊101 · 500 / 1000⌋
    expect(ampAt(up, 500n)).toBe(150n)
    expect(ampAt({ ...up, initial: 201n, future: 100n }, 500n)).toBe(151n)
    expect(ampAt(up, 1_000n)).toBe(201n)
  })
})

describe('a concentrated pool', () => {
  it('the rate of a concentrated pool is the square of its square-root price, in both directions', () => {
    const quote = concentratedQuote(pool, [tokenA, tokenB], [1n, 1n], 1n << 97n)
    // √price = 2: four of token 1 for one of token 0
    const [there, back] = [quote.rate(0, 1, unknownDecimals), quote.rate(1, 0, unknownDecimals)]
    expect((there?.numerator ?? 0n) / (there?.denominator ?? 1n)).toBe(4n)
    expect((back?.denominator ?? 0n) / (back?.numerator ?? 1n)).toBe(4n)
  })
})
