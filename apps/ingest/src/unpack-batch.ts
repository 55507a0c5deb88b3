// The work of one thread: reads and unpacks a file of a lake and finds the ledgers in it. Synchronous, since nothing else waits for this thread:
// asynchronous zstd takes twice the CPU time, because its output comes in small pieces.

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { reasonOf } from '@orrery/errors'
import { move, transferableSymbol, valueSymbol } from 'piscina'

export interface PackedBatch {
  /** The bytes of a file, or the path of a local one. */
  readonly packed: Uint8Array | string
  /** A file that has more bytes, packed or unpacked, is not read or unpacked to its end. */
  readonly mostBytes: number
  /** Whether a ledger that is alone in its file is checked as well. Who extracts it does that again, and takes as long as unpacking for it. */
  readonly checksSingle: boolean
}

/** What a file holds. */
export type UnpackedBatch =
  /** There is no such file. */
  | { readonly kind: 'absent' }
  /** The file cannot be read: `reason`. */
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'too_large'; readonly how: 'packed' | 'unpacked' }
  /** It is no batch: `reason`. */
  | { readonly kind: 'broken'; readonly reason: string }
  /** Ledgers in it need a newer build: `readBatch` says which. */
  | { readonly kind: 'newer'; readonly bytes: Uint8Array }
  /** From ledger `start` on. `begin`: offset of the first ledger in `bytes`; `ends`: the offset at which each one ends. */
  | { readonly kind: 'whole'; readonly bytes: Uint8Array; readonly start: number; readonly begin: number; readonly ends: Uint32Array }

const HEAD_BYTES = 12
const SMALLEST_CHUNK = 64 * 1024
/** A file is probably about as large as the one before: output that fits into one chunk is not copied. */
const MARGIN = 1.25
let chunkBytes = SMALLEST_CHUNK

export default async function unpackBatch({ packed, ...options }: PackedBatch): Promise<UnpackedBatch> {
  if (typeof packed !== 'string') return await unpackBytes(packed, options)
  let read: Uint8Array | null
  try {
    read = readUpTo(packed, options.mostBytes)
  } catch (error) {
    return isAbsent(error) ? { kind: 'absent' } : { kind: 'unreadable', reason: reasonOf(error) }
  }
  return read === null ? { kind: 'too_large', how: 'packed' } : await unpackBytes(read, options)
}

/** Null for a file of more than `mostBytes`. */
function readUpTo(path: string, mostBytes: number): Uint8Array | null {
  const file = openSync(path, 'r')
  try {
    return fstatSync(file).size > mostBytes ? null : readFileSync(file)
  } finally {
    closeSync(file)
  }
}

async function unpackBytes(packed: Uint8Array, { mostBytes, checksSingle }: Omit<PackedBatch, 'packed'>): Promise<UnpackedBatch> {
  try {
    const bytes = unpack(packed, mostBytes)
    const single = checksSingle ? null : singleLedger(bytes)
    if (single !== null) return moved(single, bytes)
    // Only now: without it a thread starts in a fraction of the time.
    const { readBatch } = await import('@orrery/ledger')
    const { start, ledgers, unread } = readBatch(bytes)
    if (unread !== null) return moved({ kind: 'newer', bytes }, bytes)
    const ends = Uint32Array.from(ledgers, (ledger) => ledger.byteOffset - bytes.byteOffset + ledger.length)
    return moved({ kind: 'whole', bytes, start, begin: (ends[0] ?? 0) - (ledgers[0]?.length ?? 0), ends }, bytes)
  } catch (error) {
    return isTooLarge(error) ? { kind: 'too_large', how: 'unpacked' } : { kind: 'broken', reason: reasonOf(error) }
  }
}

/** LedgerCloseMetaBatch: first ledger u32 | last ledger u32 | number of ledgers u32 | ledgers. Null if it has not one. */
function singleLedger(bytes: Uint8Array): UnpackedBatch | null {
  if (bytes.length <= HEAD_BYTES) return null
  const view = new DataView(bytes.buffer, bytes.byteOffset, HEAD_BYTES)
  const start = view.getUint32(0)
  if (view.getUint32(4) !== start || view.getUint32(8) !== 1) return null
  return { kind: 'whole', bytes, start, begin: HEAD_BYTES, ends: Uint32Array.of(bytes.length) }
}

function unpack(packed: Uint8Array, mostBytes: number): Uint8Array {
  const options = { chunkSize: Math.min(chunkBytes, mostBytes), maxOutputLength: mostBytes }
  const { buffer, byteOffset, length } = zstdDecompressSync(packed, options)
  chunkBytes = Math.max(SMALLEST_CHUNK, Math.ceil(length * MARGIN))
  return new Uint8Array(buffer, byteOffset, length)
}

/** Gives the memory of `bytes` to the thread that asked, without a copy. */
function moved(batch: UnpackedBatch, bytes: Uint8Array): UnpackedBatch {
  const transferable = { [transferableSymbol]: bytes.buffer, [valueSymbol]: batch }
  return move(transferable as never) as unknown as UnpackedBatch
}

/** There is no such file, or no such folder. */
export function isAbsent(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')
}

function isTooLarge(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
}
