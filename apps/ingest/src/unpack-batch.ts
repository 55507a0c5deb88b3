// The work of one thread: reads and unpacks a file of a lake and finds the ledgers in it. Synchronous, since nothing else waits for this thread:
// asynchronous zstd takes twice the CPU time, because its output comes in small pieces.

import { closeSync, fstatSync, openSync, readFileSync } from 'node:fs'
import { zstdDecompressSync } from 'node:zlib'
import { reasonOf } from '@orrery/errors'
import { readBatch } from '@orrery/ledger'
import { move, transferableSymbol, valueSymbol } from 'piscina'

export interface PackedBatch {
  /** The bytes of a file, or the path of a local one. */
  readonly packed: Uint8Array | string
  /** A file that has more bytes, packed or unpacked, is not read or unpacked to its end. */
  readonly mostBytes: number
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

const SMALLEST_CHUNK = 64 * 1024
/** A file is probably about as large as the one before: output that fits into one chunk is not copied. */
const MARGIN = 1.25
let chunkBytes = SMALLEST_CHUNK

export default function unpackBatch({ packed, mostBytes }: PackedBatch): UnpackedBatch {
  if (typeof packed !== 'string') return unpackBytes(packed, mostBytes)
  try {
    const read = readUpTo(packed, mostBytes)
    return read === null ? { kind: 'too_large', how: 'packed' } : unpackBytes(read, mostBytes)
  } catch (error) {
    return isAbsent(error) ? { kind: 'absent' } : { kind: 'unreadable', reason: reasonOf(error) }
  }
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

function unpackBytes(packed: Uint8Array, mostBytes: number): UnpackedBatch {
  try {
    const bytes = unpack(packed, mostBytes)
    const { start, ledgers, unread } = readBatch(bytes)
    if (unread !== null) return moved({ kind: 'newer', bytes }, bytes)
    const ends = Uint32Array.from(ledgers, (ledger) => ledger.byteOffset - bytes.byteOffset + ledger.length)
    return moved({ kind: 'whole', bytes, start, begin: (ends[0] ?? 0) - (ledgers[0]?.length ?? 0), ends }, bytes)
  } catch (error) {
    return isTooLarge(error) ? { kind: 'too_large', how: 'unpacked' } : { kind: 'broken', reason: reasonOf(error) }
  }
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
