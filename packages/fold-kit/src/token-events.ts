// Events that every token contract emits alike, old and new layout (CAP-67).

import { type Address, address, type EventRecord, event, i128, literal, matchEvent, oneOf, string, struct, topicText } from '@orrery/ledger'

/** A token's transfer: CAP-67 adds the asset's name as a topic, and a muxed receiver makes the data a map. */
const TRANSFER = event([literal('symbol', 'transfer'), address, address], oneOf([i128, struct({ amount: i128 })]))
const TRANSFER_NAMED = event([literal('symbol', 'transfer'), address, address, string], oneOf([i128, struct({ amount: i128 })]))

export interface TokenTransfer {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

/** A `transfer` of whatever token, or null for any other event. */
export function readTokenTransfer(record: Pick<EventRecord, 'topics' | 'data'>): TokenTransfer | null {
  const first = topicText(record, 0)
  if (first?.type !== 'symbol' || first.text !== 'transfer') return null
  const read = matchEvent(TRANSFER_NAMED, record) ?? matchEvent(TRANSFER, record)
  if (read === null) return null
  return { from: read.topics[1], to: read.topics[2], amount: typeof read.data === 'bigint' ? read.data : read.data.amount }
}
