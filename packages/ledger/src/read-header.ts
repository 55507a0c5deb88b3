// The first part of a LedgerCloseMeta: which version it is, the facts of its header, and where its transaction set begins.

import { OrreryError } from '@orrery/errors'
import { hexOf } from './hex.ts'
import type { LedgerHeaderFacts } from './record.ts'
import { skip } from './skip.ts'
import { unreadable } from './unreadable.ts'

export interface OpenedLedger {
  /** 1: protocols 20 to 22; 2: from 23 on. The transaction metas inside have versions of their own. */
  readonly version: 1 | 2
  readonly header: LedgerHeaderFacts
  /** Where the GeneralizedTransactionSet begins. */
  readonly txSetAt: number
}

/**
 * Header facts alone, without a look at the rest: bytes that are cut off later go unseen.
 * @throws OrreryError `corrupt`/`ledger_unreadable` or `invalid`/`ledger_version_unsupported`.
 */
export function readLedgerHeader(bytes: Uint8Array): LedgerHeaderFacts {
  return withinBounds(bytes, (view) => openLedger(bytes, view).header)
}

export function openLedger(bytes: Uint8Array, view: DataView): OpenedLedger {
  const version = view.getInt32(0)
  if (version === 0) {
    throw new OrreryError(
      'invalid',
      'ledger_version_unsupported',
      'This ledger is in LedgerCloseMeta version 0, from before protocol 20. Contracts did not exist then: begin at a later ledger.',
      { context: { version } },
    )
  }
  if (version !== 1 && version !== 2) throw unreadable('LedgerCloseMeta', 0, `unknown arm ${version}`, version)
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
  return { version, header, txSetAt: skip.LedgerHeaderHistoryEntry(view, hashAt) }
}

/** Runs `read` over the bytes. Where it runs past their end, that is said as every other fault is. */
export function withinBounds<T>(bytes: Uint8Array, read: (view: DataView) => T): T {
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw unreadable('LedgerCloseMeta', bytes.length, 'the bytes end in the middle')
  }
}
