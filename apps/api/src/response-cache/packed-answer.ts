// A large answer, compressed for as long as it is kept: its texts repeat the same members, and take about a tenth.

import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import type { WrittenAnswer } from './written-answer.ts'

/** `data` is a text where it is short, else that text compressed. Both are kept as they are: packing costs one time, unpacking each. */
export type PackedAnswer = Omit<WrittenAnswer, 'data'> & { readonly data: string | Buffer }

const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)

/** In UTF-16 units. A shorter text is sent again sooner than it is unpacked. */
const PACKED_FROM = 64 * 1024

export async function pack(answer: WrittenAnswer): Promise<PackedAnswer> {
  return answer.data.length < PACKED_FROM ? answer : { ...answer, data: await compress(answer.data) }
}

export async function unpack({ data, ...answer }: PackedAnswer): Promise<WrittenAnswer> {
  return { ...answer, data: typeof data === 'string' ? data : (await decompress(data)).toString('utf8') }
}
