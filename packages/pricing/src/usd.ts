// USD values: exact integer arithmetic on decimal text, rounded half up once.
// `Decimal` is the one BigNumber of Orrery: no exponent in its text, half up, 40 places in divisions.

import type { DecimalText } from '@orrery/protocol-kit'
import { BigNumber } from 'bignumber.js'

export const Decimal = BigNumber.clone({ EXPONENTIAL_AT: 1_000_000, DECIMAL_PLACES: 40, ROUNDING_MODE: BigNumber.ROUND_HALF_UP })

/** Fractional digits of a USD value. */
export const USD_SCALE = 8
/** Fractional digits of a price. */
export const PRICE_SCALE = 18

/** `numerator / denominator` with at most `scale` fractional digits, rounded half up (away from zero), no trailing zeros. `denominator` > 0. */
export function ratio(numerator: bigint, denominator: bigint, scale: number): DecimalText {
  const negative = numerator < 0n
  const scaled = (negative ? -numerator : numerator) * 10n ** BigInt(scale)
  return scaledText(((scaled * 2n + denominator) / (denominator * 2n)) * (negative ? -1n : 1n), scale)
}

/** `value / 10^scale` as text without trailing zeros. */
export function scaledText(value: bigint, scale: number): DecimalText {
  const digits = (value < 0n ? -value : value).toString().padStart(scale + 1, '0')
  const whole = digits.slice(0, digits.length - scale)
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '')
  return `${value < 0n ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`
}

/** A decimal text as a fraction of integers: `12.5` is 125 / 10. */
export function fraction(text: DecimalText): { readonly numerator: bigint; readonly denominator: bigint } {
  const [whole, part = ''] = text.split('.') as [string, string?]
  return { numerator: BigInt(whole + part), denominator: 10n ** BigInt(part.length) }
}

/** USD value of `amount` raw units at `price` USD for a whole unit: scale 8, rounded half up once. */
export function usd(amount: bigint, decimals: number, price: DecimalText): DecimalText {
  const { numerator, denominator } = fraction(price)
  return ratio(amount * numerator, denominator * 10n ** BigInt(decimals), USD_SCALE)
}
