// USD values: exact integer arithmetic on decimal text, rounded half up once.
// `Decimal` is the BigNumber configuration of Orrery: text without exponent, rounding half up, 40 places in divisions.

import type { DecimalText } from '@orrery/protocol-kit'
import { BigNumber } from 'bignumber.js'

export const Decimal = BigNumber.clone({ EXPONENTIAL_AT: 1_000_000, DECIMAL_PLACES: 40, ROUNDING_MODE: BigNumber.ROUND_HALF_UP })

/** Fractional digits of a USD value. */
export const USD_SCALE = 8
/** Fractional digits of a price. */
export const PRICE_SCALE = 18

const ZERO = '0'.charCodeAt(0)
const POWERS = Array.from({ length: 64 }, (_, n) => 10n ** BigInt(n))

/** 10^n, n >= 0. Small powers come from a table, because a fold needs the same few for every value. */
export function tenTo(n: number): bigint {
  return POWERS[n] ?? 10n ** BigInt(n)
}

/** `numerator / denominator` with at most `scale` fractional digits, rounded half up (away from zero), no trailing zeros. `denominator` > 0. */
export function ratio(numerator: bigint, denominator: bigint, scale: number): DecimalText {
  return scaledText(divHalfUp(numerator * tenTo(scale), denominator), scale)
}

/** `numerator / denominator` rounded half up (away from zero). `denominator` > 0. */
export function divHalfUp(numerator: bigint, denominator: bigint): bigint {
  return numerator < 0n ? -divHalfUp(-numerator, denominator) : (numerator * 2n + denominator) / (denominator * 2n)
}

/** `value / 10^scale` as text without trailing zeros. */
export function scaledText(value: bigint, scale: number): DecimalText {
  if (value === 0n) return '0'
  if (value < 0n) return `-${scaledText(-value, scale)}`
  const digits = value.toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  let end = digits.length
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--
  return end === point ? digits.slice(0, point) : `${digits.slice(0, point)}.${digits.slice(point, end)}`
}

/** A decimal text as a fraction of integers: `12.5` is 125 / 10. */
export function fraction(text: DecimalText): { readonly numerator: bigint; readonly denominator: bigint } {
  const [whole, part = ''] = text.split('.') as [string, string?]
  return { numerator: BigInt(whole + part), denominator: tenTo(part.length) }
}

/** USD value of `amount` raw units at `price` USD per token: scale 8, rounded half up once. */
export function usd(amount: bigint, decimals: number, price: DecimalText): DecimalText {
  const { numerator, denominator } = fraction(price)
  return ratio(amount * numerator, denominator * tenTo(decimals), USD_SCALE)
}
