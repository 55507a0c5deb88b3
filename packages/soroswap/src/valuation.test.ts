import { Decimal, usd } from '@orrery/pricing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Counters } from './state.ts'
import { usdText } from './usd-units.ts'
import { compoundDaily, countersAt, feeYield, valuedToken } from './valuation.ts'

const DAY = 86_400
const dollars = (amount: number) => BigInt(amount) * 100_000_000n

describe('a token', () => {
  it('is worth to the last digit what pricing says', () => {
    const digits = fc.integer({ min: 0, max: 18 })
    fc.assert(
      fc.property(fc.bigInt(0n, 10n ** 30n), digits, fc.bigInt(1n, 10n ** 24n), digits, (amount, decimals, scaled, scale) => {
        const text = scaled.toString().padStart(scale + 1, '0')
        const price = scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`
        const info = { asset: 'C', symbol: 'X', decimals, tags: [] }
        const value = valuedToken(info, { usd: price, source: 'oracle:C', observedAtSeconds: 0 }).value(amount)
        const worth = usd(amount, decimals, price)
        expect(value === null ? null : usdText(value)).toBe(new Decimal(worth).gt('1e24') ? null : worth)
      }),
    )
  })

  it('without a price or decimals has no value, unless there is nothing of it', () => {
    const price = { usd: '1', source: 'oracle:C', observedAtSeconds: 0 }
    expect(valuedToken({ asset: 'C', symbol: '', decimals: 7, tags: [] }, null).value(5n)).toBeNull()
    expect(valuedToken({ asset: 'C', symbol: '', decimals: null, tags: [] }, price).value(5n)).toBeNull()
    expect(valuedToken({ asset: 'C', symbol: '', decimals: null, tags: [] }, price).value(0n)).toBe(0n)
  })
})

describe('a value beyond all there is', () => {
  it('is none: the largest amount that a contract can hold, of a token that a pool has one unit of', () => {
    const price = { usd: '1000', source: 'pool:C', observedAtSeconds: 0 }
    const { value } = valuedToken({ asset: 'C', symbol: 'EVIL', decimals: 0, tags: [] }, price)
    expect(value(2n ** 127n - 1n)).toBeNull()
    expect(value(10n ** 21n)).toBe(10n ** 32n)
    expect(value(10n ** 21n + 1n)).toBeNull()
  })
})

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

  it('of a young pair looks at its own age', () => {
    const now = { ...countersAt(start, DAY), lpFeesUsd: dollars(300) }
    expect(feeYield(null, now).apr).toBe('0.219')
  })

  it('compounds daily', () => {
    // (1 + 0.219 / 365)^365 − 1 = 0.24474952665651872
    expect(compoundDaily('0.219')).toBe('0.24474953')
  })

  it('of a drained pair ends at a million', () => {
    expect(compoundDaily('100000')).toBe('1000000')
  })

  it('is zero while nothing is known', () => {
    expect(feeYield(null, start)).toEqual({ apr: '0', apy: '0' })
  })
})
