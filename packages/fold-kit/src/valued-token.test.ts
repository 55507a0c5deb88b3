import { Decimal, usd } from '@orrery/pricing'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usdText } from './usd-units.ts'
import { valuedToken } from './valued-token.ts'

describe('a token', () => {
  it('a token has to the last digit the value that pricing gives', () => {
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

  it('a token without a price or decimals has no value, unless there is nothing of it', () => {
    const price = { usd: '1', source: 'oracle:C', observedAtSeconds: 0 }
    expect(valuedToken({ asset: 'C', symbol: '', decimals: 7, tags: [] }, null).value(5n)).toBeNull()
    expect(valuedToken({ asset: 'C', symbol: '', decimals: null, tags: [] }, price).value(5n)).toBeNull()
    expect(valuedToken({ asset: 'C', symbol: '', decimals: null, tags: [] }, price).value(0n)).toBe(0n)
  })
})

describe('a value beyond all there is', () => {
  it('a value beyond all there is is null: the largest amount that a contract can hold, of a token of which a pool has one unit', () => {
    const price = { usd: '1000', source: 'pool:C', observedAtSeconds: 0 }
    const { value } = valuedToken({ asset: 'C', symbol: 'EVIL', decimals: 0, tags: [] }, price)
    expect(value(2n ** 127n - 1n)).toBeNull()
    expect(value(10n ** 21n)).toBe(10n ** 32n)
    expect(value(10n ** 21n + 1n)).toBeNull()
  })
})
