// SEP-54: a file of a lake is a LedgerCloseMetaBatch of consecutive ledgers. This divides it into ledgers.

import { OrreryError } from '@orrery/errors'
import { withProtocolNamed } from './newer-ledger.ts'
import { openLedger, withinBounds } from './read-header.ts'
import { skip } from './skip.ts'
import { unreadable } from './unreadable.ts'

export interface LedgerBatch {
  /** First ledger. */
  readonly start: number
  /** Last ledger that the batch announces. */
  readonly end: number
  /** Views into the batch, in order: ledger `start + n` at index n. All up to `end`, unless `unread` has the reason why the rest cannot be read. */
  readonly ledgers: readonly Uint8Array[]
  /** `invalid`/`ledger_newer_than_build`: why the ledger after the last one of `ledgers`, and all after it, cannot be read. */
  readonly unread: OrreryError | null
}

/**
 * @param bytes A LedgerCloseMetaBatch, already unzipped.
 * @throws OrreryError `corrupt`/`ledger_unreadable`, also when the ledgers are not those that the batch announces;
 * */
export function readBatch(bytes: Uint8Array): LedgerBatch {
  return withinBounds(bytes, (view) => {
    const start = view.getUint32(0)
    const end = view.getUint32(4)
    const count = view.getUint32(8)
    if (count !== end - start + 1)
      throw unreadable('LedgerCloseMetaBatch', 8, `ledgers ${start} to ${end} are announced as ${count}`, count)
    const ledgers: Uint8Array[] = []
    let at = 12
    for (let n = 0; n < count; n++) {
      const next = endOf(bytes, view, at, start + n)
      if (next instanceof OrreryError) return { start, end, ledgers, unread: next }
      const ledger = bytes.subarray(at, next)
      const { sequence } = openLedger(ledger, new DataView(bytes.buffer, bytes.byteOffset + at, ledger.length)).header
      if (sequence !== start + n)
        throw unreadable('LedgerCloseMetaBatch', at, `ledger ${sequence} is in the place of ${start + n}`, sequence)
      ledgers.push(ledger)
      at = next
    }
    if (at !== bytes.length) throw unreadable('LedgerCloseMetaBatch', at, `${bytes.length - at} bytes are left over`, bytes.length - at)
    return { start, end, ledgers, unread: null }
  })
}

/** The end of the ledger that begins at `at`, or the error when only a newer build can read it. */
function endOf(bytes: Uint8Array, view: DataView, at: number, sequence: number): number | OrreryError {
  try {
    return withProtocolNamed(bytes.subarray(at), () => withinBounds(bytes, () => skip.LedgerCloseMeta(view, at)), sequence)
  } catch (error) {
    if (error instanceof OrreryError && error.code === 'ledger_newer_than_build') return error
    throw error
  }
}
