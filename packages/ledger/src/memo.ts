// The memo of a transaction, from its XDR.

import { hexOf } from './hex.ts'
import { unknownArm } from './unreadable.ts'

/** The types of a memo, in the order of their numbers in XDR. */
export const MEMO_TYPES = ['none', 'text', 'id', 'hash', 'return'] as const
export type MemoType = (typeof MEMO_TYPES)[number]

export interface Memo {
  readonly type: MemoType
  /**
   * `none`: ''. `text`: at most 28 bytes of UTF-8; bytes that are not UTF-8 become U+FFFD. `id`: decimal digits. `hash` and `return`: 64 hex
   * characters.
   */
  readonly value: string
}

/**
 * Reads `memo` of `TransactionFacts`; null is a transaction without a memo.
 * @throws OrreryError `corrupt`/`ledger_unreadable` for an unknown type.
 */
export function readMemo(xdr: Uint8Array | null): Memo {
  if (xdr === null) return { type: 'none', value: '' }
  const view = new DataView(xdr.buffer, xdr.byteOffset, xdr.byteLength)
  const arm = view.getUint32(0)
  const type = MEMO_TYPES[arm]
  switch (type) {
    case 'none':
      return { type, value: '' }
    case 'text':
      return { type, value: new TextDecoder('utf-8', { ignoreBOM: true }).decode(xdr.subarray(8, 8 + view.getUint32(4))) }
    case 'id':
      return { type, value: view.getBigUint64(4).toString() }
    case 'hash':
    case 'return':
      return { type, value: hexOf(xdr, 4, 32) }
    default:
      throw unknownArm('Memo', 0, arm)
  }
}
