import { describe, expect, it } from 'vitest'
import { type Counters, compoundDaily, countersAt, countSwaps, feeYield } from './fee-yield.ts'

const DAY = 86_400
const dollars = (amount: number) => BigInt(amount) * 100_000_000n

describe('the fee yield', () => {
  const start: Counters = {
    sinceSeconds: 0,
    atSeconds: 0,
    feesUsd: 0n,
    lpFeesUsd: 0n,
    volumeUsd: 0n,
    valueSeconds: 0n,
    tvlUsd: dollars(500_000),
  }

  it('the fee yield of a week is the fees over the mean value, fifty-two times and a bit', () => {
    // 1,260 USD of fees in 7 days on 500,000 USD: 1260 · 365 / 7 / 500000 = 0.1314.
    const now = { ...countersAt(start, 7 * DAY), feesUsd: dollars(1_260), lpFeesUsd: dollars(1_260) }
    expect(feeYield(start, now).apr).toBe('0.1314')
  })

  it('the fee yield comes from counters that grow with every swap, and with the value that the pool had between two ledgers', () => {
    const swap = { feesUsd: 3n, lpFeesUsd: 2n, volumeUsd: 1_000n }
    const first = countSwaps(null, 100, [swap], 50n)
    expect(first).toEqual({ sinceSeconds: 100, atSeconds: 100, ...swap, valueSeconds: 0n, tvlUsd: 50n })
    // 50 for 10 seconds, and what two more swaps brought.
    const twice = { feesUsd: 9n, lpFeesUsd: 6n, volumeUsd: 3_000n }
    expect(countSwaps(first, 110, [swap, swap], 70n)).toEqual({ ...first, atSeconds: 110, ...twice, valueSeconds: 500n, tvlUsd: 70n })
    expect(first.feesUsd).toBe(3n)
  })

  it('the fee yield of a pool that is younger than the window uses the age of the pool', () => {
    const now = { ...countersAt(start, DAY), lpFeesUsd: dollars(300) }
    expect(feeYield(null, now).apr).toBe('0.219')
  })

  it('the fee yield compounds daily', () => {
    // (1 + 0.219 / 365)^365 − 1 = 0.24474952665651872
    expect(compoundDaily('0.219')).toBe('0.24474953')
  })

  it('the fee yield of a drained pool is capped at a million', () => {
    expect(compoundDaily('100000')).toBe('1000000')
  })

  it('the fee yield is zero while nothing is known', () => {
    expect(feeYield(null, start)).toEqual({ apr: '0', apy: '0' })
  })
})
