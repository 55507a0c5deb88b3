// Figures from the unit tests of soroswap/core (contracts/library/src/test/get.rs, contracts/pair/src/test/{deposit,swap,withdraw}.rs).

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Pool, payoutSupply, pendingFeeShares, removalPayout, swapFee } from '../src/math/constant-product.ts'
import { amountIn, amountOut, quote, sharesFor } from './formulas/constant-product.ts'

describe('a swap', () => {
  it('a swap pays the amount that the library contract returns', () => {
    expect(quote(1n, 100n, 200n)).toBe(2n)
    expect(amountOut(2n, 100n, 100n)).toBe(0n)
    expect(amountOut(4n, 100n, 100n)).toBe(2n)
    expect(amountOut(10_000_000n, 50_000_000n, 100_000_000n)).toBe(16_624_979n)
    expect(amountOut(10_000_000n, 100_000_000n, 50_000_000n)).toBe(4_533_054n)
  })

  it('a swap requires the input that the library contract returns', () => {
    expect(amountIn(1n, 100n, 100n)).toBe(3n)
    expect(amountIn(2n, 100n, 100n)).toBe(4n)
    expect(amountIn(1n, 1_001n, 1_001n)).toBe(3n)
  })

  it('a swap keeps three in a thousand of the input, rounded up', () => {
    expect([0n, 1n, 333n, 334n, 1_000n, 1_001n].map(swapFee)).toEqual([0n, 1n, 1n, 2n, 3n, 4n])
  })

  it('a swap never lets the product of the reserves fall', () => {
    const reserve = fc.bigInt(1n, 10n ** 15n)
    fc.assert(
      fc.property(reserve, reserve, reserve, (given, reserveIn, reserveOut) => {
        const out = amountOut(given, reserveIn, reserveOut)
        expect((reserveIn + given) * (reserveOut - out)).toBeGreaterThanOrEqual(reserveIn * reserveOut)
      }),
    )
  })
})

describe('shares', () => {
  it('shares of the first deposit are the root of the product, less a thousand that stay', () => {
    expect(sharesFor(1_000_000n, 4_000_000n, 0n, 0n, 0n)).toBe(1_999_000n)
    expect(sharesFor(1_001n, 1_001n, 0n, 0n, 0n)).toBe(1n)
  })

  it('shares of a later deposit follow the scarcer side', () => {
    expect(sharesFor(1_000_000n, 1_389_583n, 60_000_000n, 83_375_021n, 70_710_678n + 2_946n)).toBe(1_178_559n)
  })
})

describe('a payout', () => {
  /** The pair of `fee_on_withdraw`: 50,000,000 and 100,000,000 deposited with fees on, then 10,000,000 of token 0 swapped in. */
  const grown: Pool = {
    reserve0: 60_000_000n,
    reserve1: 83_375_021n,
    balance0: 60_000_000n,
    balance1: 83_375_021n,
    totalSupply: 70_710_678n,
    kLast: 5_000_000_000_000_000n,
    feesEnabled: true,
  }

  it('a payout includes the fee that is minted before it', () => {
    expect(pendingFeeShares(grown)).toBe(2_946n)
    expect(removalPayout(70_709_678n, grown, payoutSupply(grown))).toEqual([59_996_651n, 83_370_368n])
  })

  it('a payout has no fee while the switch is off, or before the first deposit with it on', () => {
    expect(pendingFeeShares({ ...grown, feesEnabled: false })).toBe(0n)
    expect(pendingFeeShares({ ...grown, kLast: 0n })).toBe(0n)
  })

  it('a payout is a part of the pair’s balances, donations included', () => {
    const pool = { ...grown, feesEnabled: false, balance0: 120_000_000n }
    expect(removalPayout(35_355_339n, pool, payoutSupply(pool))).toEqual([60_000_000n, 41_687_510n])
  })

  it('a payout of dust is refused: the pair must pay more than zero of both tokens', () => {
    const uneven = { ...grown, feesEnabled: false, balance0: 5n }
    expect(removalPayout(1_000n, uneven, payoutSupply(uneven))).toBeNull()
    expect(removalPayout(0n, grown, payoutSupply(grown))).toBeNull()
    expect(removalPayout(1n, { ...grown, totalSupply: 0n }, 0n)).toBeNull()
  })
})
