// A stored slice value as plain JSON, for people and other programs.

import type { LedgerRecord, TransactionFacts } from '@orrery/ledger'
import { decodeSlice } from './slice-codec.ts'
import { readSliceValue } from './slice-header.ts'

/** JSON without bytes and bigints: XDR as base64. */
export type JsonObject = { readonly [name: string]: JsonValue }
type JsonValue = string | number | boolean | null | readonly JsonValue[] | JsonObject

/**
 * All fields of one value. For one part of a large slice only the header: pass all of its parts to get the records.
 * @throws OrreryError `corrupt`/`slice_broken`.
 */
export function describeSlice(...parts: readonly Uint8Array[]): JsonObject {
  const [first] = parts
  const { header, zstd, bodyBytes } = readSliceValue(first ?? new Uint8Array())
  const facts = { format: 1, ...header, zstd, bodyBytes }
  if (parts.length !== header.parts) return facts
  const slice = decodeSlice(parts)
  return {
    ...facts,
    transactions: slice.transactions.map(describeTransaction),
    records: slice.records.map(({ class: recordClass, record }) => ({ class: recordClass, ...describeRecord(record) })),
  }
}

function describeTransaction({ feeCharged, memo, ...facts }: TransactionFacts): JsonObject {
  return { ...facts, feeCharged: feeCharged?.toString() ?? null, memo: memo === null ? null : Buffer.from(memo).toString('base64') }
}

function describeRecord(record: LedgerRecord): JsonObject {
  const fields: readonly [string, string | number | Uint8Array | null][] = Object.entries(record)
  return Object.fromEntries(
    fields.map(([name, value]) => [name, value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value]),
  )
}
