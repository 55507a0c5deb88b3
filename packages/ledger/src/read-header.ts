// The first part of a LedgerCloseMeta: its version, the facts of its header, and the offset of its transaction set.

import { OrreryError } from '@orrery/errors'
import { readHeaderFacts } from './header-facts.ts'
import { withProtocolNamed } from './newer-ledger.ts'
import type { LedgerHeaderFacts } from './record.ts'
import { skip } from './skip.ts'
import { truncated, unknownArm } from './unreadable.ts'

export interface OpenedLedger {
  /** 1: protocols 20 to 22; 2: from 23 on. The transaction metas inside have their own versions. */
  readonly version: 1 | 2
  readonly header: LedgerHeaderFacts
  /** Offset of the GeneralizedTransactionSet. */
  readonly txSetAt: number
}

/**
 * Header facts alone, without reading the rest: a later truncation is not detected.
 * @throws OrreryError `corrupt`/`ledger_unreadable`, `invalid`/`ledger_version_unsupported` or `invalid`/`ledger_newer_than_build`.
 */
export function readLedgerHeader(bytes: Uint8Array): LedgerHeaderFacts {
  return withProtocolNamed(bytes, () => withinBounds(bytes, (view) => openLedger(bytes, view).header))
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
  if (version !== 1 && version !== 2) throw unknownArm('LedgerCloseMeta', 0, version)
  const { header, at } = readHeaderFacts(bytes, view)
  return { version, header, txSetAt: skip.LedgerHeaderHistoryEntry(view, at) }
}

/** Runs `read` over the bytes. A read past their end becomes the same error as every other fault. */
export function withinBounds<T>(bytes: Uint8Array, read: (view: DataView) => T): T {
  try {
    return read(new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause
    throw truncated('LedgerCloseMeta', bytes.length)
  }
}
