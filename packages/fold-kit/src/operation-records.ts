// The records of a slice, grouped by operation: what one call did, with its context records.
// A partition sees all events and calls of an operation that touches it, but only its own entries.

import { assert } from '@orrery/errors'
import type { CallRecord, EntryRecord, EventRecord, TransactionFacts } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'

/** One operation, with the records that this partition received. All lists are in the order of the ledger. */
export interface OperationRecords {
  readonly transaction: TransactionFacts
  readonly opIndex: number
  /** Of every contract that the operation called, tokens included. `owned`: the event's contract belongs to this partition. */
  readonly events: readonly { readonly record: EventRecord; readonly owned: boolean }[]
  readonly calls: readonly { readonly record: CallRecord; readonly owned: boolean }[]
  /** Entries that the operation changed and that this partition received, owned or shared. */
  readonly entries: readonly { readonly record: EntryRecord; readonly owned: boolean }[]
}

interface Draft extends OperationRecords {
  readonly tx: number
  readonly events: { record: EventRecord; owned: boolean }[]
  readonly calls: { record: CallRecord; owned: boolean }[]
  readonly entries: { record: EntryRecord; owned: boolean }[]
}

/** The operations that touch this partition: those with an owned event, entry or call. */
export function operationRecords(slice: Slice): OperationRecords[] {
  const drafts: Draft[] = []
  for (const { class: recordClass, record } of slice.records) {
    if (record.tx < 0) continue
    const last = drafts.at(-1)
    const draft = last?.tx === record.tx && last.opIndex === record.opIndex ? last : open(slice, record.tx, record.opIndex, drafts)
    const owned = recordClass === 'owned'
    if (record.kind === 'event') draft.events.push({ record, owned })
    else if (record.kind === 'call') draft.calls.push({ record, owned })
    else if (record.kind === 'entry') draft.entries.push({ record, owned })
  }
  return drafts.filter(({ events, calls, entries }) => [...events, ...calls, ...entries].some(({ owned }) => owned))
}

function open(slice: Slice, tx: number, opIndex: number, drafts: Draft[]): Draft {
  const transaction = slice.transactions[tx]
  assert(transaction !== undefined, 'A slice has the transaction of every record.', { ledger: slice.ledger, tx })
  const draft: Draft = { tx, transaction, opIndex, events: [], calls: [], entries: [] }
  drafts.push(draft)
  return draft
}
