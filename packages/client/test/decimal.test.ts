import BigNumber from 'bignumber.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toBigNumber } from '../src/bignumber.ts'
import { compareDecimals, fromRaw, sumDecimals, toRaw } from '../src/index.ts'

/** Decimal strings as the API writes them: no exponent, no zero at the end of a fraction, no negative zero. */
const decimals = fc
  .tuple(fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n }), fc.integer({ min: 0, max: 18 }))
  .map(([digits, scale]) => new BigNumber(digits.toString()).shiftedBy(-scale).toFixed())

describe('decimal helpers', () => {
  it('an amount and its raw integer are converted without loss', () => {
    expect(toRaw('1.5', 7)).toBe(15_000_000n)
    expect(toRaw('-0.0000001', 7)).toBe(-1n)
    expect(toRaw('12', 0)).toBe(12n)
    expect(toRaw('1.500', 1)).toBe(15n)
    expect(fromRaw(15_000_000n, 7)).toBe('1.5')
    expect(fromRaw(-1n, 7)).toBe('-0.0000001')
    expect(fromRaw(0n, 7)).toBe('0')
    expect(fromRaw(1200n, 0)).toBe('1200')
  })

  it('a text that is no decimal, or has more digits than the token, is refused', () => {
    for (const text of ['', '1e5', '.5', '1.', 'NaN', '1,5', ' 1']) expect(() => toRaw(text, 7), text).toThrow(RangeError)
    expect(() => toRaw('0.00000001', 7)).toThrow('0.00000001 has more than 7 fractional digits.')
  })

  it('sums and comparisons are those of bignumber.js, for any decimals', () => {
    fc.assert(
      fc.property(fc.array(decimals, { maxLength: 8 }), (values) => {
        expect(sumDecimals(values)).toBe(BigNumber.sum('0', ...values).toFixed())
      }),
    )
    fc.assert(
      fc.property(decimals, decimals, (a, b) => {
        expect(compareDecimals(a, b)).toBe(new BigNumber(a).comparedTo(b))
      }),
    )
    expect(sumDecimals(['0.1', null, '0.2'])).toBe('0.3')
    expect(sumDecimals([])).toBe('0')
  })

  it('a BigNumber has every digit of the string, and null stays null', () => {
    expect(toBigNumber('123456789012345678901234567890.0000001').toFixed()).toBe('123456789012345678901234567890.0000001')
    expect(toBigNumber(null)).toBeNull()
  })
})
