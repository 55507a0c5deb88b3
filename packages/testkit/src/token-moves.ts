// Token transfers by operation, read from events without the readers of the packages under test.

import { type Address, type ContractId, type EventRecord, readScVal, readScVals, type ScVal } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'

/** One `transfer`, `mint`, `burn` or `clawback` event of a token. */
export interface TokenMove {
  readonly token: ContractId
  /** Null for a mint. */
  readonly from: Address | null
  /** Null for a burn and a clawback. */
  readonly to: Address | null
  /** Raw. */
  readonly amount: bigint
  /** Index among the events of the operation. */
  readonly index: number
}

/** `ledger tx op` of an operation, as returned by `placeOf` for an activity row. */
export type Place = string

/** Events by operation, in the order of the ledger. */
export function eventsByOperation({ ledger, records, transactions }: Slice): Map<Place, EventRecord[]> {
  const operations = new Map<Place, EventRecord[]>()
  for (const { record } of records) {
    if (record.kind !== 'event') continue
    const place = `${ledger} ${transactions[record.tx]?.txOrder} ${record.opIndex}`
    const events = operations.get(place) ?? []
    operations.set(place, events)
    events.push(record)
  }
  return operations
}

/** The token transfers of an operation, in order. */
export function tokenMoves(events: readonly EventRecord[]): TokenMove[] {
  return events.flatMap((event) => tokenMove(event) ?? [])
}

/** The operation of an activity row. */
export function placeOf({ key }: { readonly key: { readonly ledger: number; readonly txOrder: number; readonly opIndex: number } }): Place {
  return `${key.ledger} ${key.txOrder} ${key.opIndex}`
}

/**
 * Reads the event of a token, or null for any other event. Between the name and the asset's name (a string, of classic assets only) are addresses:
 * two of a transfer, sender first; of a mint, a burn and a clawback the holder's is the last, after that of an admin.
 */
function tokenMove({ contract, topics, data, index }: EventRecord): TokenMove | null {
  const [name, ...others] = readScVals(topics)
  const amount = amountOf(readScVal(data))
  if (contract === null || name?.type !== 'symbol' || amount === null) return null
  if (others.at(-1)?.type === 'string') others.pop()
  const addresses = others.flatMap((topic) => (topic.type === 'address' ? [topic.value] : []))
  const last = addresses.at(-1)
  if (last === undefined || addresses.length !== others.length || addresses.length > 2) return null
  const move = { token: contract, amount, index }
  switch (name.value) {
    case 'transfer':
      return addresses.length === 2 ? { ...move, from: addresses[0] ?? null, to: last } : null
    case 'mint':
      return { ...move, from: null, to: last }
    case 'burn':
    case 'clawback':
      return { ...move, from: last, to: null }
    default:
      return null
  }
}

/** The amount alone, or in a map with the id of a multiplexed receiver (CAP-67). */
function amountOf(data: ScVal): bigint | null {
  if (data.type === 'i128') return data.value
  if (data.type !== 'map') return null
  const member = data.value?.find(({ key }) => key.type === 'symbol' && key.value === 'amount')
  return member?.val.type === 'i128' ? member.val.value : null
}
