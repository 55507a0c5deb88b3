// The largest size of a lake file. Another party may run the lake, and plain HTTP can be changed on the way: without a bound, a file of some
// kilobytes could unpack into all of the memory.

import { OrreryError } from '@orrery/errors'
import type { LakeManifest } from './lake-layout.ts'

/** Mainnet ledgers have up to about 1.5 MB of metadata; this leaves space for higher limits of the network. */
const LEDGER_BYTES = 4 * 1024 ** 2
/** A single ledger can be much larger than the others: an upgrade, a large eviction. */
const FILE_BYTES = 32 * 1024 ** 2
/** The lake's own manifest states how many ledgers a file has, so the bound that follows from it needs a maximum. */
const MOST_BYTES = 512 * 1024 ** 2
/** A manifest has a few hundred bytes of JSON. */
export const MANIFEST_BYTES = 64 * 1024

/** Most bytes that a file of this lake may have, unpacked; the packed file is never larger. */
export function mostBytesOf({ ledgersPerBatch }: Pick<LakeManifest, 'ledgersPerBatch'>): number {
  return Math.min(MOST_BYTES, Math.max(FILE_BYTES, ledgersPerBatch * LEDGER_BYTES))
}

/** The error for a file beyond its bound. `how`: packed or unpacked, as a part of the sentence. */
export function tooLarge(place: string, how: 'packed' | 'unpacked', mostBytes: number): OrreryError {
  const size = mostBytes >= 1024 ** 2 ? `${mostBytes / 1024 ** 2} MiB` : `${mostBytes / 1024} KiB`
  const message = `The lake file ${place} has more than ${size} ${how}, which no file of such a lake has. It was not read to its end: a broken or hostile file could use all memory. Everything before it is complete and stored. Check the address of the lake and fetch the file again. If the file is right, make the lake again with fewer ledgers per file.`
  return new OrreryError('corrupt', 'lake_file_too_large', message, { context: { path: place, mostBytes } })
}
