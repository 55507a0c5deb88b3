// Integers of a query: plain decimal digits, nothing else. A sign, a point, an exponent, hex or a space is refused.
// Ledgers are int64 on the wire, wider than a JSON number is exact, so they are read as bigint and narrowed where they meet the index.

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

/** A ledger sequence as asked, also one that no index will ever reach. */
export const LedgerParameter = int64(0)

/** Width of a ledger bucket. */
export const LedgerBucket = int64(1)

/** How many rows: 1 to `maximum`. */
export function rowLimit(maximum: number) {
  const rule = `must be a whole number in plain decimal digits, from 1 to ${maximum}.`
  return textValue({ type: 'integer', format: 'int32', minimum: 1, maximum }, rule, (text) => {
    const value = readDigits(text, 1n, BigInt(maximum))
    return value === null ? null : Number(value)
  })
}

/** The largest ledger sequence that the network's format holds (u32). */
const LEDGER_MAX = 4_294_967_295n

/** What was asked as a sequence that a ledger can have: beyond the last possible one, that one. */
export function narrowLedger(asked: bigint): number {
  return Number(asked > LEDGER_MAX ? LEDGER_MAX : asked)
}
