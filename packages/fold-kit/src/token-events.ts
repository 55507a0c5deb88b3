// Events that all token contracts emit, in the old and the new layout: CAP-67 adds the asset's name as the last topic and drops the admin of a
// mint, and a muxed receiver makes the data a map.

import { type Address, address, type EventRecord, event, i128, literal, matchEvent, oneOf, string, struct, topicText } from '@orrery/ledger'

type Bytes = Pick<EventRecord, 'topics' | 'data'>

const Amount = oneOf([i128, struct({ amount: i128 })])
const TRANSFER = event([literal('symbol', 'transfer'), address, address], Amount)
const TRANSFER_NAMED = event([literal('symbol', 'transfer'), address, address, string], Amount)
const MINT = event([literal('symbol', 'mint'), address], Amount)
const MINT_NAMED = event([literal('symbol', 'mint'), address, string], Amount)
const MINT_BY = event([literal('symbol', 'mint'), address, address], Amount)
const MINT_BY_NAMED = event([literal('symbol', 'mint'), address, address, string], Amount)
const BURN = event([literal('symbol', 'burn'), address], Amount)
const BURN_NAMED = event([literal('symbol', 'burn'), address, string], Amount)

export interface TokenTransfer {
  readonly from: Address
  readonly to: Address
  readonly amount: bigint
}

/** A `transfer` of any token, or null for any other event. */
export function readTokenTransfer(record: Bytes): TokenTransfer | null {
  const first = topicText(record, 0)
  if (first?.type !== 'symbol' || first.text !== 'transfer') return null
  const read = matchEvent(TRANSFER_NAMED, record) ?? matchEvent(TRANSFER, record)
  return read === null ? null : { from: read.topics[1], to: read.topics[2], amount: amountOf(read.data) }
}

/** What a token event moved. `from` is null for a mint, `to` for a burn. */
export interface TokenMove {
  readonly from: Address | null
  readonly to: Address | null
  readonly amount: bigint
}

/** A `transfer`, `mint` or `burn` of any token, or null for any other event. */
export function readTokenMove(record: Bytes): TokenMove | null {
  const first = topicText(record, 0)
  if (first?.type !== 'symbol') return null
  switch (first.text) {
    case 'transfer':
      return readTokenTransfer(record)
    case 'mint': {
      const read = matchEvent(MINT_NAMED, record) ?? matchEvent(MINT, record)
      if (read !== null) return { from: null, to: read.topics[1], amount: amountOf(read.data) }
      const by = matchEvent(MINT_BY_NAMED, record) ?? matchEvent(MINT_BY, record)
      return by === null ? null : { from: null, to: by.topics[2], amount: amountOf(by.data) }
    }
    case 'burn': {
      const read = matchEvent(BURN_NAMED, record) ?? matchEvent(BURN, record)
      return read === null ? null : { from: read.topics[1], to: null, amount: amountOf(read.data) }
    }
    default:
      return null
  }
}

function amountOf(data: bigint | { readonly amount: bigint }): bigint {
  return typeof data === 'bigint' ? data : data.amount
}
