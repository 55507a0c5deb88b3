// The rolling hash of a partition: one number over all of its records.
// Ledgers without records do not count, so coalescing and resending cannot change it.

import type { Slice } from '@orrery/protocol-kit'
import { xxhash64OfPieces } from './checksum.ts'
import { writeSliceBody } from './slice-body.ts'

/** Before the first record. */
export const EMPTY_ROLLING_HASH = '0000000000000000'

/**
 * xxhash64 of (ledger as u32, `body`), seeded with the hash before it. `body` is the unpacked body of a slice with records.
 * 16 hex characters.
 */
export function chainRollingHash(previous: string, ledger: number, body: Uint8Array): string {
  const head = Buffer.allocUnsafe(4)
  head.writeUInt32BE(ledger)
  return xxhash64OfPieces([head, body], BigInt(`0x${previous}`))
    .toString(16)
    .padStart(16, '0')
}

/**
 * The value that `slice.rollingHash` must have after `previous`. A difference means that records are missing or changed: `corrupt`.
 * @param body the unpacked body that the slice was read from; without it, the body that its records have.
 */
export function sliceRollingHash(previous: string, slice: Pick<Slice, 'ledger' | 'transactions' | 'records'>, body?: Uint8Array): string {
  return slice.records.length === 0 ? previous : chainRollingHash(previous, slice.ledger, body ?? writeSliceBody(slice))
}
