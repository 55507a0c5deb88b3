// How large a file of a lake may be. Another party may run the lake, and any party on the way may change what comes over plain http: without a
// bound, a file of some kilobytes unpacks to as much memory as there is.

import { OrreryError } from '@orrery/errors'
import type { LakeManifest } from './lake-layout.ts'

/** Mainnet ledgers have up to some 1.5 MB of metadata; growing limits of the network stay below this. */
const LEDGER_BYTES = 4 * 1024 ** 2
/** A single ledger can be far above the others: an upgrade, a large eviction. */
const FILE_BYTES = 32 * 1024 ** 2
/** The manifest of the lake says how many ledgers a file has, so it must not be able to raise the bound without an end. */
const MOST_BYTES = 512 * 1024 ** 2
/** A manifest is some hundred bytes of JSON. */
export const MANIFEST_BYTES = 64 * 1024

/** Bytes that a file of this lake may have, unpacked; packed it has never more. */
export function mostBytesOf({ ledgersPerBatch }: Pick<LakeManifest, 'ledgersPerBatch'>): number {
  return Math.min(MOST_BYTES, Math.max(FILE_BYTES, ledgersPerBatch * LEDGER_BYTES))
}

/** The error for a file beyond its bound. `how`: packed or unpacked, as a part of the sentence. */
export function tooLarge(place: string, how: 'packed' | 'unpacked', mostBytes: number): OrreryError {
  const size = mostBytes >= 1024 ** 2 ? `${mostBytes / 1024 ** 2} MiB` : `${mostBytes / 1024} KiB`
  const message = `The lake file ${place} has more than ${size} ${how}, which no file of such a lake has. It was not read to its end: a broken or hostile file could take all memory. Everything before it is whole and kept. Check the address of the lake and fetch the file again. If the file is right, make the lake again with fewer ledgers per file.`
  return new OrreryError('corrupt', 'lake_file_too_large', message, { context: { path: place, mostBytes } })
}
