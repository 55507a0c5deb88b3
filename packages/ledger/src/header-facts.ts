// The facts of a ledger's header, even if the rest of the LedgerCloseMeta cannot be read.

import { hexOf } from './hex.ts'
import type { LedgerHeaderFacts } from './record.ts'
import { skip } from './skip.ts'
import { unreadable } from './unreadable.ts'

export interface HeaderPlace {
  readonly header: LedgerHeaderFacts
  /** Offset of the LedgerHeaderHistoryEntry: LedgerCloseMeta versions 1 and 2 have it after their extension. */
  readonly at: number
}

/** @throws OrreryError `corrupt`/`ledger_unreadable`; RangeError where the bytes end first. */
export function readHeaderFacts(bytes: Uint8Array, view: DataView): HeaderPlace {
  const hashAt = skip.LedgerCloseMetaExt(view, 4)
  // LedgerHeaderHistoryEntry: hash b32 | ledgerVersion u32 | previousLedgerHash b32 | StellarValue (txSetHash b32, closeTime u64, …)
  const valueAt = hashAt + 68
  const closeTimeSeconds = Number(view.getBigUint64(valueAt + 32))
  const header: LedgerHeaderFacts = {
    // After StellarValue: txSetResultHash b32 | bucketListHash b32 | ledgerSeq u32.
    sequence: view.getUint32(skip.StellarValue(view, valueAt) + 64),
    closeTimeSeconds,
    hash: hexOf(bytes, hashAt, 32),
    previousHash: hexOf(bytes, hashAt + 36, 32),
    protocolVersion: view.getUint32(hashAt + 32),
  }
  if (!Number.isSafeInteger(closeTimeSeconds)) throw unreadable('StellarValue', valueAt + 32, 'the close time is beyond 2^53 seconds')
  return { header, at: hashAt }
}
