// Decimal texts as integers with a scale, for the sums of an answer: a portfolio adds up some hundred of them, and integers do so several times
// as fast as objects of a decimal library. Nothing is rounded but in `quotient`.

import { divHalfUp, scaledText, tenTo } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'

/** `digits / 10^scale`. */
export interface Exact {
  readonly digits: bigint
  readonly scale: number
}

export const ZERO: Exact = { digits: 0n, scale: 0 }

/** @param text Without an exponent. */
export function exact(text: DecimalText): Exact {
  const point = text.indexOf('.')
  if (point < 0) return { digits: BigInt(text), scale: 0 }
  return { digits: BigInt(text.slice(0, point) + text.slice(point + 1)), scale: text.length - point - 1 }
}

export function plus(a: Exact, b: Exact): Exact {
  const scale = Math.max(a.scale, b.scale)
  return { digits: digitsAt(a, scale) + digitsAt(b, scale), scale }
}

export function minus(a: Exact, b: Exact): Exact {
  return plus(a, { digits: -b.digits, scale: b.scale })
}

export function times(a: Exact, b: Exact): Exact {
  return { digits: a.digits * b.digits, scale: a.scale + b.scale }
}

export function total(values: Iterable<Exact>): Exact {
  let sum = ZERO
  for (const value of values) sum = plus(sum, value)
  return sum
}

/** Negative: a < b. 0: equal. */
export function compare(a: Exact, b: Exact): number {
  const { digits } = minus(a, b)
  return digits < 0n ? -1 : Number(digits > 0n)
}

/** Without trailing zeros. */
export function exactText({ digits, scale }: Exact): DecimalText {
  return scaledText(digits, scale)
}

/** With at most `places` fractional digits, rounded half up once. */
export function roundedText({ digits, scale }: Exact, places: number): DecimalText {
  return scale <= places ? scaledText(digits, scale) : scaledText(divHalfUp(digits, tenTo(scale - places)), places)
}

/** `a / b` with at most `places` fractional digits, rounded half up once. `b` > 0. */
export function quotient(a: Exact, b: Exact, places: number): DecimalText {
  const scale = Math.max(a.scale, b.scale)
  return scaledText(divHalfUp(digitsAt(a, scale) * tenTo(places), digitsAt(b, scale)), places)
}

/** The digits at a scale that is not smaller. */
export function digitsAt({ digits, scale }: Exact, wider: number): bigint {
  return scale === wider ? digits : digits * tenTo(wider - scale)
}
