// Rates as the API shows them: fractions per year, from the contract's integers.
// Conventions of Blend's own page: supply compounds weekly, borrow daily. Source: blend-sdk-js src/pool/reserve.ts, `setRates`.

import { divHalfUp, scaledText } from '@orrery/pricing'
import { mulDivFloor } from '@orrery/protocol-kit'
import { SCALE_7 } from './scale.ts'

/** Fractions with 8 decimals, as integers. */
export type Rate8 = bigint

export const RATE_DECIMALS = 8
export const RATE_ONE: Rate8 = 10n ** 8n

/** 1.0 in the fixed-point form that powers are computed in: 365 roundings of 2^-80 (1e-24) do not reach the eighth digit, and a step is a shift. */
const POWER_BITS = 80n
const POWER_ONE = 1n << POWER_BITS
/** Rates are capped here: beyond it the digits mean nothing. */
const HIGHEST: Rate8 = 1_000_000n * RATE_ONE

/** A fraction with 7 decimals as text. */
export const fraction7 = (value: bigint): string => scaledText(value, 7)
export const rateText = (rate: Rate8): string => scaledText(rate, RATE_DECIMALS)

/** (1 + apr / periods)^periods − 1, half up, from a rate with 7 decimals. At most 1,000,000. */
export function compound(apr: bigint, periods: 52 | 365): Rate8 {
  const base = POWER_ONE + mulDivFloor(apr, POWER_ONE, SCALE_7 * BigInt(periods))
  const grown = power(base, periods) - POWER_ONE
  const rate = divHalfUp(grown * RATE_ONE, POWER_ONE)
  return rate > HIGHEST ? HIGHEST : rate
}

function power(base: bigint, exponent: number): bigint {
  let result = POWER_ONE
  let square = base
  for (let rest = exponent; rest > 0; rest >>= 1) {
    if (rest & 1) result = (result * square) >> POWER_BITS
    square = (square * square) >> POWER_BITS
  }
  return result
}
