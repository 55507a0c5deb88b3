// Numbers of `/v1`: in units of the token, at most the token's decimals, no exponent, no trailing zeros.

import { scaledText, USD_SCALE } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import { exact, exactText, minus, roundedText, total } from './exact.ts'

/** Description of every member `decimals`. */
export const DECIMALS = 'Decimals of the token. Null if they are unknown; amounts of the token are then in its smallest unit.'

/** A raw amount in units of the token. If its decimals are unknown, the amount stays in the smallest unit. */
export function wholeUnits(raw: bigint, decimals: number | null): DecimalText {
  return scaledText(raw, decimals ?? 0)
}

/** Sum of shown values. */
export function sumOf(values: readonly DecimalText[]): DecimalText {
  return exactText(total(values.map(exact)))
}

/** Difference of shown values. */
export function difference(a: DecimalText, b: DecimalText): DecimalText {
  return exactText(minus(exact(a), exact(b)))
}

/** Sum of the known values, and whether all of them are known. */
export function sumOfPriced(values: readonly (DecimalText | null)[]): { readonly sum: DecimalText; readonly complete: boolean } {
  const priced = values.filter((value) => value !== null)
  return { sum: sumOf(priced), complete: priced.length === values.length }
}

/** A decimal with at most `digits` fractional digits, rounded half up once, without trailing zeros. */
export function rounded(value: DecimalText, digits: number = USD_SCALE): DecimalText {
  return roundedText(exact(value), digits)
}
