// The records of a slice, put together by operation: what one call did, with everything that travelled along.
// A partition sees all events and calls of an operation that touches it, but only its own entries.

import type { CallRecord, ContractId, EventRecord, TransactionFacts } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import type { Directory } from './directory.ts'
import {
  type FactoryEvent,
  type PairEvent,
  type RouterEvent,
  readFactoryEvent,
  readPairEvent,
  readRouterEvent,
  readTokenTransfer,
  type TokenTransfer,
} from './events.ts'

/** An event of one of our contracts, read. */
export interface Seen<E> {
  /** Place among the events of the operation. */
  readonly index: number
  readonly contract: ContractId
  /** Its contract belongs to this partition. */
  readonly owned: boolean
  readonly event: E
}

export interface SeenTransfer extends TokenTransfer {
  readonly index: number
  readonly token: ContractId
}

export interface Operation {
  readonly transaction: TransactionFacts
  readonly opIndex: number
  readonly pairs: readonly Seen<PairEvent>[]
  readonly routers: readonly Seen<RouterEvent>[]
  readonly factories: readonly Seen<FactoryEvent>[]
  /** Of any token in their order, LP shares included: they can be tokens of other pairs. */
  readonly transfers: readonly SeenTransfer[]
  readonly calls: readonly CallRecord[]
  /** The place of the operation's transaction row is here. */
  readonly writesTransaction: boolean
}

interface Draft {
  readonly tx: number
  readonly opIndex: number
  readonly events: { record: EventRecord; owned: boolean }[]
  readonly calls: CallRecord[]
  ownedEntry: boolean
  ownedCall: boolean
}

/** The operations that touch this partition, in the order of the ledger. */
export function operationsOf(slice: Slice, directory: Directory): Operation[] {
  const drafts: Draft[] = []
  let draft: Draft | null = null
  for (const { class: recordClass, record } of slice.records) {
    if (record.tx < 0) continue
    if (draft === null || draft.tx !== record.tx || draft.opIndex !== record.opIndex) {
      draft = { tx: record.tx, opIndex: record.opIndex, events: [], calls: [], ownedEntry: false, ownedCall: false }
      drafts.push(draft)
    }
    const owned = recordClass === 'owned'
    if (record.kind === 'event') draft.events.push({ record, owned })
    else if (record.kind === 'call') {
      draft.calls.push(record)
      draft.ownedCall ||= owned
    } else if (record.kind === 'entry') draft.ownedEntry ||= owned
  }
  return drafts.filter(touches).map((it) => read(it, slice, directory))
}

function touches(draft: Draft): boolean {
  return draft.ownedEntry || draft.ownedCall || draft.events.some((event) => event.owned)
}

function read(draft: Draft, slice: Slice, directory: Directory): Operation {
  const transaction = slice.transactions[draft.tx]
  if (transaction === undefined) throw new RangeError(`slice ${slice.ledger} has no transaction ${draft.tx}`)
  const pairs: Seen<PairEvent>[] = []
  const routers: Seen<RouterEvent>[] = []
  const factories: Seen<FactoryEvent>[] = []
  const transfers: SeenTransfer[] = []
  for (const { record, owned } of draft.events) {
    const contract = record.contract
    if (contract === null) continue
    const seen = { index: record.index, contract, owned }
    if (directory.isPair(contract)) {
      const event = readPairEvent(record)
      pairs.push({ ...seen, event })
      if (event.name === 'transfer' && event.from !== null && event.to !== null) {
        transfers.push({ index: record.index, token: contract, from: event.from, to: event.to, amount: event.shares })
      }
    } else if (directory.isRouter(contract)) routers.push({ ...seen, event: readRouterEvent(record) })
    else if (directory.isFactory(contract)) factories.push({ ...seen, event: readFactoryEvent(record) })
    else {
      const transfer = readTokenTransfer(record)
      if (transfer !== null) transfers.push({ index: record.index, token: contract, ...transfer })
    }
  }
  return {
    transaction,
    opIndex: draft.opIndex,
    pairs,
    routers,
    factories,
    transfers,
    calls: draft.calls,
    writesTransaction: writes(draft, pairs),
  }
}

/**
 * One partition writes the row of a transaction: that of the first event of a pair, else of the first owned event, entry or call.
 * Entries of others are not seen here; where two partitions have nothing but entries, both write the same row.
 */
function writes(draft: Draft, pairs: readonly Seen<PairEvent>[]): boolean {
  const first = pairs[0]
  return first === undefined ? touches(draft) : first.owned
}
