// The key of an activity: used in ids, cursors, sort keys and order.
// A key is 32 lowercase hex characters, so keys sort as text exactly as their numbers sort.

import { OrreryError } from '@orrery/errors'
import { type ProtocolId, protocolNumber } from './protocol-id.ts'

export interface EventKey {
  /** u32. */
  readonly ledger: number
  /** Apply order in the ledger, from 1. 20 bits suffice (RPC event ids), 24 are kept. */
  readonly txOrder: number
  /** From 0. 16 bits: an envelope holds at most 100 operations. */
  readonly opIndex: number
  /** Index of the event in its operation; for a row without an event: event count + pre-order index of its call. 24 bits. */
  readonly eventIndex: number
  /** Protocol number in the high 8 of 32 bits, then the index of the row in its action. */
  readonly row: number
}

const WIDTHS = [8, 6, 4, 6, 8] as const

/** The key as 32 hex characters: ledger 8, transaction 6, operation 4, event 6, row 8. */
export function encodeEventKey(key: EventKey): string {
  return [key.ledger, key.txOrder, key.opIndex, key.eventIndex, key.row]
    .map((part, n) => part.toString(16).padStart(WIDTHS[n] as number, '0'))
    .join('')
}

/** @throws OrreryError `invalid`/`invalid_cursor` when the text is not 32 lowercase hex characters. */
export function decodeEventKey(text: string): EventKey {
  if (!/^[0-9a-f]{32}$/.test(text)) {
    throw new OrreryError('invalid', 'invalid_cursor', 'An event key is 32 lowercase hex characters.')
  }
  const part = (from: number, to: number): number => Number.parseInt(text.slice(from, to), 16)
  return { ledger: part(0, 8), txOrder: part(8, 14), opIndex: part(14, 18), eventIndex: part(18, 24), row: part(24, 32) }
}

/** `row` of a protocol's n-th row (from 0) of an action. */
export function rowNumber(protocol: ProtocolId, n: number): number {
  return protocolNumber(protocol) * 0x1000000 + n
}
