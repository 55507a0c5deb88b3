// Encodes slices as stored values and decodes them. A slice is one value, or several adjacent ones ("parts") when it is large.
// The layout is documented in docs/slices.md and must not change under format 1.

import { zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import { assert, OrreryError } from '@orrery/errors'
import type { Slice } from '@orrery/protocol-kit'
import { RecentBodies } from './recent-bodies.ts'
import { chainRollingHash } from './rolling-hash.ts'
import { readSliceBody, type SliceBody, writeSliceBody } from './slice-body.ts'
import { readSliceValue, type SliceHeader, type SliceValue, writeSliceValue } from './slice-header.ts'

/** Bodies beyond this size are compressed: below it, a frame costs more than it saves. */
const ZSTD_ABOVE_BYTES = 1024
/** By default a broker takes messages of up to 1 MiB, including headers. */
const MAX_PART_BYTES = 1_000_000

/** The minimum of zlib. */
const LEAST_CHUNK_BYTES = 64
/** Memory is allocated in chunks: a broken header must not allocate gigabytes. */
const MOST_CHUNK_BYTES = 256 * 1024

/** Compressed bodies by the bodies themselves: those of a ledger are written one after the other. */
const packedBodies = new RecentBodies<Uint8Array>(1024 ** 2)
/** Bodies by what is stored of them: the partitions of a process read a ledger at different times. */
const readBodies = new RecentBodies<ReadBody>(4 * 1024 ** 2)

interface ReadBody {
  readonly content: SliceBody
  /** The body itself, unpacked. */
  readonly bytes: Uint8Array
}

/** A slice that was read, with its unpacked body. */
export interface StoredSlice {
  readonly slice: Slice
  readonly body: Uint8Array
}

export interface EncodeOptions {
  /** Largest part of the body in one value. */
  readonly maxPartBytes?: number
}

/** The values to append for a slice, in one call so that they stay adjacent. */
export function encodeSlice(slice: Slice, options: EncodeOptions = {}): Uint8Array[] {
  return pack(slice, writeSliceBody(slice), options)
}

/**
 * Encodes a slice and computes its rolling hash together: the body is written once for both.
 * Returns the hash that the partition's next slice starts from.
 */
export function encodeNextSlice(
  previousRollingHash: string,
  slice: Omit<Slice, 'rollingHash'>,
  options: EncodeOptions = {},
): { readonly values: Uint8Array[]; readonly rollingHash: string } {
  const body = writeSliceBody(slice)
  const rollingHash = slice.records.length === 0 ? previousRollingHash : chainRollingHash(previousRollingHash, slice.ledger, body)
  return { values: pack({ ...slice, rollingHash }, body, options), rollingHash }
}

/**
 * The slice of one value, or of all the parts of a large one in order. Another slice of the ledger may have the same record objects: none may be changed.
 * @throws OrreryError `corrupt`/`slice_broken`.
 */
export function decodeSlice(values: Uint8Array | readonly Uint8Array[]): Slice {
  const parts = (values instanceof Uint8Array ? [values] : values).map(readSliceValue)
  const first = parts[0]
  if (first === undefined || parts.length !== first.header.parts || parts.some((part, n) => part.header.part !== n + 1)) {
    throw broken(`${parts.length} parts were given where ${first?.header.parts ?? 1} belong together`, first?.header)
  }
  return joinParts(parts).slice
}

/** Joins parts that belong together and are complete. */
export function joinParts(parts: readonly SliceValue[]): StoredSlice {
  const first = parts[0]
  assert(first, 'A slice has at least one part.')
  const packed = parts.length === 1 ? first.piece : Buffer.concat(parts.map((part) => part.piece))
  const { content, bytes } = first.zstd ? readPacked(packed, first) : readBody(packed, first)
  const { part: _part, parts: _parts, recordCount, ...header } = first.header
  const records = content.records.length
  if (records !== recordCount) throw broken(`${records} records where ${recordCount} belong`, first.header)
  return { slice: { ...header, ...content }, body: bytes }
}

/** Slices of one ledger with the same body share its records and their bytes. */
function readPacked(packed: Uint8Array, value: SliceValue): ReadBody {
  const { ledger } = value.header
  const known = readBodies.find(ledger, packed)
  if (known?.bytes.length === value.bodyBytes) return known
  const body = readBody(unpack(packed, value), value)
  // A copy: what was read from the log may be a view into megabytes.
  readBodies.add(ledger, { bytes: new Uint8Array(packed), value: body, size: packed.length + value.bodyBytes })
  return body
}

function readBody(bytes: Uint8Array, { header, bodyBytes }: SliceValue): ReadBody {
  if (bytes.length !== bodyBytes) throw broken(`${bytes.length} body bytes where ${bodyBytes} belong`, header)
  return { content: readSliceBody(bytes), bytes }
}

function pack(slice: Slice, body: Uint8Array, { maxPartBytes = MAX_PART_BYTES }: EncodeOptions): Uint8Array[] {
  const { transactions: _transactions, records, ...facts } = slice
  const zstd = body.length > ZSTD_ABOVE_BYTES
  const packed = zstd ? compressed(slice.ledger, body) : body
  const parts = Math.max(1, Math.ceil(packed.length / maxPartBytes))
  return Array.from({ length: parts }, (_, n) =>
    writeSliceValue({
      header: { ...facts, recordCount: records.length, part: n + 1, parts },
      zstd,
      bodyBytes: body.length,
      piece: packed.subarray(n * maxPartBytes, (n + 1) * maxPartBytes),
    }),
  )
}

function compressed(ledger: number, body: Uint8Array): Uint8Array {
  const known = packedBodies.find(ledger, body)
  if (known !== undefined) return known
  const packed = zstdCompressSync(body, { chunkSize: chunkBytes(body.length) })
  packedBodies.add(ledger, { bytes: body, value: packed, size: body.length + packed.length })
  return packed
}

/** The chunk size fits the result: the default of zlib, 16 KiB, is several times too large for most slices. */
function chunkBytes(bodyBytes: number): number {
  return Math.min(Math.max(bodyBytes, LEAST_CHUNK_BYTES), MOST_CHUNK_BYTES)
}

function unpack(packed: Uint8Array, { header, bodyBytes }: SliceValue): Uint8Array {
  try {
    return zstdDecompressSync(packed, { maxOutputLength: Math.max(1, bodyBytes), chunkSize: chunkBytes(bodyBytes) })
  } catch (cause) {
    throw broken('its zstd frame is broken', header, cause)
  }
}

function broken(problem: string, header: SliceHeader | undefined, cause?: unknown): OrreryError {
  const context = header ? { protocol: header.protocol, partition: header.partition, ledger: header.ledger } : {}
  return new OrreryError('corrupt', 'slice_broken', `A stored slice cannot be read: ${problem}.`, { context, cause })
}
