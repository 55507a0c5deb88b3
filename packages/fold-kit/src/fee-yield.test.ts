import { describe, expect, it } from 'vitest'
import { type Counters, compoundDaily, countersAt, feeYield } from './fee-yield.ts'

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

  it('of a week is the fees over the mean value, fifty-two times and a bit', () => {
    // 1,260 USD of fees in 7 days on 500,000 USD: 1260 · 365 / 7 / 500000 = 0.1314.
    const now = { ...countersAt(start, 7 * DAY), feesUsd: dollars(1_260), lpFeesUsd: dollars(1_260) }
    expect(feeYield(start, now).apr).toBe('0.1314')
  })

  it('of a young pool looks at its own age', () => {
    const now = { ...countersAt(start, DAY), lpFeesUsd: dollars(300) }
    expect(feeYield(null, now).apr).toBe('0.219')
  })

  it('compounds daily', () => {
    // (1 + 0.219 / 365)^365 − 1 = 0.24474952665651872
    expect(compoundDaily('0.219')).toBe('0.24474953')
  })

  it('of a drained pool ends at a million', () => {
    expect(compoundDaily('100000')).toBe('1000000')
  })

  it('is zero while nothing is known', () => {
    expect(feeYield(null, start)).toEqual({ apr: '0', apy: '0' })
  })
})
