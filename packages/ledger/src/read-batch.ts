// SEP-54: a file of a lake is a LedgerCloseMetaBatch, several ledgers behind one another. This cuts it into ledgers.

import { openLedger, withinBounds } from './read-header.ts'
import { skip } from './skip.ts'
import { unreadable } from './unreadable.ts'

export interface LedgerBatch {
  /** First ledger. */
  readonly start: number
  /** Last ledger. */
  readonly end: number
  /** Views into the batch, in order: ledger `start + n` at place n. */
  readonly ledgers: readonly Uint8Array[]
}

/**
 * @param bytes A LedgerCloseMetaBatch, already unzipped.
 * @throws OrreryError `corrupt`/`ledger_unreadable`, also when the ledgers are not those that the batch announces;
 *   `invalid`/`ledger_version_unsupported`.
 */
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
      const next = skip.LedgerCloseMeta(view, at)
      const ledger = bytes.subarray(at, next)
      const { sequence } = openLedger(ledger, new DataView(bytes.buffer, bytes.byteOffset + at, ledger.length)).header
      if (sequence !== start + n)
        throw unreadable('LedgerCloseMetaBatch', at, `ledger ${sequence} stands where ${start + n} should`, sequence)
      ledgers.push(ledger)
      at = next
    }
    if (at !== bytes.length) throw unreadable('LedgerCloseMetaBatch', at, `${bytes.length - at} bytes are left over`, bytes.length - at)
    return { start, end, ledgers }
  })
}
