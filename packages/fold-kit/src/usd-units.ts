// USD as integers of 1e-8: counters and costs are stored in it, so that sums are exact and a restart gives the same digits.

import { scaledText, USD_SCALE } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'

/** A whole number of 1e-8 USD. */
export type UsdUnits = bigint

/** `value` has at most 8 fractional digits. */
export function usdUnits(value: DecimalText): UsdUnits {
  const [whole, part = ''] = value.split('.') as [string, string?]
  return BigInt(whole + part.padEnd(USD_SCALE, '0'))
}

export function usdText(units: UsdUnits): DecimalText {
  return scaledText(units, USD_SCALE)
}

/** Sum of values, null as soon as one is unknown. */
export function usdSum(values: readonly (UsdUnits | null)[]): UsdUnits | null {
  let sum = 0n
  for (const value of values) {
    if (value === null) return null
    sum += value
  }
  return sum
}

/**
 * Sum of the values that are known. Null where one is unknown and all others are zero: nothing that is worth something has a price then, and that is
 * not zero.
 */
export function usdSumOfPriced(values: readonly (UsdUnits | null)[]): UsdUnits | null {
  let sum = 0n
  let [hasUnknown, hasWorth] = [false, false]
  for (const value of values) {
    hasUnknown ||= value === null
    hasWorth ||= value !== null && value !== 0n
    sum += value ?? 0n
  }
  return hasUnknown && !hasWorth ? null : sum
}
