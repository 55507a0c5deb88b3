// The one error of this package for invalid bytes.
// It has the XDR type, the byte offset and the found value, so that the fault can be located.

import { OrreryError } from '@orrery/errors'

/** Nesting of recursive XDR types beyond which bytes count as hostile. stellar-core and the SDKs use the same limit. */
export const DEPTH_LIMIT = 1500

/**
 * @param type XDR type that was being read.
 * @param offset Bytes from the start of the input.
 * @param found The invalid value: a discriminant, a length, a count.
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

/** @param length Number of bytes of the input. */
export function truncated(type: string, length: number): OrreryError {
  return unreadable(type, length, 'the bytes end in the middle').with({ isTruncated: true })
}
