import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, ratio, scaledText, usd } from './usd.ts'

describe('a USD value', () => {
  it('has at most 8 fractional digits, no trailing zeros and no exponent', () => {
    expect(usd(12_500_000n, 7, '1')).toBe('1.25')
    expect(usd(0n, 7, '3.7')).toBe('0')
    expect(usd(10n ** 40n, 0, '1000')).toBe(`1${'0'.repeat(43)}`)
    expect(usd(1n, 7, '0.1')).toBe('0.00000001')
  })

  it('is rounded half up once: away from zero at the middle', () => {
    // 5 · 10^-9 is the middle between 0 and 10^-8.
    expect(usd(5n, 9, '1')).toBe('0.00000001')
    expect(usd(4_999n, 12, '1')).toBe('0')
    expect(usd(-5n, 9, '1')).toBe('-0.00000001')
    // 1 / 3 of a cent in 18 digits, times 3 units: one rounding, not two.
    expect(usd(3n, 0, '0.003333333333333333')).toBe('0.01')
  })

  it('a USD value equals exact decimal arithmetic', () => {
    const amounts = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })
    const prices = fc.bigInt({ min: 0n, max: 10n ** 24n })
    fc.assert(
      fc.property(amounts, fc.integer({ min: 0, max: 18 }), prices, (amount, decimals, rawPrice) => {
        const price = scaledText(rawPrice, 18)
        const exact = new Decimal(amount.toString()).shiftedBy(-decimals).times(price)
        expect(new Decimal(usd(amount, decimals, price)).eq(exact.decimalPlaces(8, Decimal.ROUND_HALF_UP))).toBe(true)
      }),
    )
  })
})

it('writes a ratio with the digits asked for', () => {
  expect(ratio(1n, 3n, 18)).toBe('0.333333333333333333')
  expect(ratio(2n, 3n, 18)).toBe('0.666666666666666667')
  expect(ratio(-2n, 3n, 2)).toBe('-0.67')
  expect(ratio(-1n, 1000n, 2)).toBe('0')
})
