// Numbers of `/v1`: in units of the token, at most the token's decimals, no exponent, no trailing zeros.

import { Decimal, scaledText, USD_SCALE } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'

/** Description of every member `decimals`. */
export const DECIMALS = 'Decimals of the token. Null if they are unknown; amounts of the token are then in its smallest unit.'

/** A raw amount in units of the token. If its decimals are unknown, the amount stays in the smallest unit. */
export function wholeUnits(raw: bigint, decimals: number | null): DecimalText {
  return scaledText(raw, decimals ?? 0)
}

/** Sum of shown values. */
export function sumOf(values: readonly DecimalText[]): DecimalText {
  return values.reduce((sum, value) => sum.plus(value), new Decimal(0)).toFixed()
}

/** Difference of shown values. */
export function difference(a: DecimalText, b: DecimalText): DecimalText {
  return new Decimal(a).minus(b).toFixed()
}

/** Sum of the known values, and whether all of them are known. */
export function sumOfPriced(values: readonly (DecimalText | null)[]): { readonly sum: DecimalText; readonly complete: boolean } {
  const priced = values.filter((value) => value !== null)
  return { sum: sumOf(priced), complete: priced.length === values.length }
}

/** A decimal with at most `digits` fractional digits, rounded half up once, without trailing zeros. */
export function rounded(value: DecimalText, digits: number = USD_SCALE): DecimalText {
  return new Decimal(value).decimalPlaces(digits).toFixed()
}
