// An answer for as long as it is kept, in bytes. A large one is compressed: its texts repeat the same members, and take about a tenth.

import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { Written, WrittenAnswer } from './written-answer.ts'

/** In UTF-8; `data` is compressed where it is long. Packing costs one time, unpacking each. */
export type PackedAnswer = Omit<WrittenAnswer, 'data' | 'enrichment'> & {
  readonly data: Buffer
  readonly enrichment: Buffer
  readonly isCompressed: boolean
}

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** Shorter data are sent again sooner than they are unpacked. */
const PACKED_FROM = 64 * 1024

export async function pack({ data, enrichment, ...answer }: WrittenAnswer): Promise<PackedAnswer> {
  const bytes = bytesOf(data)
  const isCompressed = bytes.length >= PACKED_FROM
  return { ...answer, data: isCompressed ? await compress(bytes) : bytes, enrichment: bytesOf(enrichment), isCompressed }
}

export async function unpack({ isCompressed, data, ...answer }: PackedAnswer): Promise<WrittenAnswer> {
  return { ...answer, data: isCompressed ? await decompress(data) : data }
}

/** In memory of its own: a slice of a common one would keep all of that for as long as it is kept itself. */
export function bytesOf(written: Written): Buffer {
  if (typeof written !== 'string') return written
  const bytes = Buffer.allocUnsafeSlow(Buffer.byteLength(written))
  bytes.write(written)
  return bytes
}
