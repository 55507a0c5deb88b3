// The one error of this package for bytes that are not what they should be.
// It names the XDR type, the byte offset and what was found, so that a bad ledger can be opened at the right place.

import { OrreryError } from '@orrery/errors'

/** Nesting of recursive XDR types beyond which bytes count as hostile. stellar-core and the SDKs use the same limit. */
export const DEPTH_LIMIT = 1500

/**
 * @param type XDR type that was being read.
 * @param offset Bytes from the start of what was handed in.
 * @param found The value that cannot be: a discriminant, a length, a count.
 * @param isUnknownArm `found` is an arm of a union, or a value of an enumeration, that `layout.ts` does not list: a newer protocol, or damage.
 */
export function unreadable(type: string, offset: number, problem: string, found?: number | bigint, isUnknownArm = false): OrreryError {
  return new OrreryError('corrupt', 'ledger_unreadable', `Unreadable XDR: ${problem} in ${type} at byte ${offset}.`, {
    context: { type, offset, found, ...(isUnknownArm && { unknownArm: found }) },
  })
}

/** A union has an arm that `layout.ts` does not list: a newer protocol, or damage. */
export function unknownArm(type: string, offset: number, arm: number): OrreryError {
  return unreadable(type, offset, `unknown arm ${arm}`, arm, true)
}

/** @param length Bytes that there are. */
export function truncated(type: string, length: number): OrreryError {
  return unreadable(type, length, 'the bytes end in the middle').with({ isTruncated: true })
}
