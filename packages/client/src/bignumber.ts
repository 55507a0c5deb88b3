// For programs that use bignumber.js, which this package does not bring.

import BigNumber from 'bignumber.js'

/** The decimal string of an answer as a BigNumber, with all of its digits. Null stays null. */
export function toBigNumber<Value extends string | null>(value: Value): Value extends string ? BigNumber : BigNumber | null
export function toBigNumber(value: string | null): BigNumber | null {
  return value === null ? null : new BigNumber(value)
}
