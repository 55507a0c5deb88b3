// Integers of a query: plain decimal digits only. A sign, a point, an exponent, hex or a space is refused.
// Ledgers are int64 in the API, which a JavaScript number cannot hold exactly, so they are read as bigint and narrowed to u32 later.

import { textValue } from './text-value.ts'

const INT64_MAX = 9_223_372_036_854_775_807n

function readDigits(text: string, minimum: bigint, maximum: bigint): bigint | null {
  if (!/^[0-9]+$/.test(text)) return null
  const value = BigInt(text)
  return value < minimum || value > maximum ? null : value
}

function int64(minimum: 0 | 1) {
  const rule = `must be a whole number in plain decimal digits, from ${minimum} to ${INT64_MAX}.`
  return textValue({ type: 'integer', format: 'int64', minimum }, rule, (text) => readDigits(text, BigInt(minimum), INT64_MAX))
}

/** A requested ledger sequence, also one that no ledger can have. */
export const LedgerParameter = int64(0)

/** Width of a ledger bucket. */
export const LedgerBucket = int64(1)

/** A number of rows: 1 to `maximum`. */
export function rowLimit(maximum: number) {
  const rule = `must be a whole number in plain decimal digits, from 1 to ${maximum}.`
  return textValue({ type: 'integer', format: 'int32', minimum: 1, maximum }, rule, (text) => {
    const value = readDigits(text, 1n, BigInt(maximum))
    return value === null ? null : Number(value)
  })
}

/** The largest ledger sequence that the network's format holds (u32). */
const LEDGER_MAX = 4_294_967_295n

/** A requested sequence as one that a ledger can have: at most the largest possible one. */
export function narrowLedger(asked: bigint): number {
  return Number(asked > LEDGER_MAX ? LEDGER_MAX : asked)
}
