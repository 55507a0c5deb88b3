// Writes the fields of binary layouts into one growing buffer. Big-endian like XDR; counts are LEB128 varints.
// The same calls always give the same bytes, because rolling hashes are computed over them.

import { assert } from '@orrery/errors'

export class ByteWriter {
  #buffer: Buffer
  #length = 0

  constructor(initialBytes = 1024) {
    this.#buffer = Buffer.allocUnsafe(initialBytes)
  }

  get length(): number {
    return this.#length
  }

  u8(value: number): void {
    this.#reserve(1)
    this.#buffer[this.#length++] = value
  }

  u16(value: number): void {
    this.#reserve(2)
    this.#length = this.#buffer.writeUInt16BE(value, this.#length)
  }

  u32(value: number): void {
    this.#reserve(4)
    this.#length = this.#buffer.writeUInt32BE(value, this.#length)
  }

  u64(value: bigint): void {
    this.#reserve(8)
    this.#length = this.#buffer.writeBigUInt64BE(value, this.#length)
  }

  /** LEB128 of a whole number from 0 to 2^53 - 1. */
  varint(value: number): void {
    assert(Number.isSafeInteger(value) && value >= 0, 'A varint is a whole number from 0 on.', { value })
    this.#reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.#buffer[this.#length++] = (rest % 0x80) | 0x80
      rest = Math.floor(rest / 0x80)
    }
    this.#buffer[this.#length++] = rest
  }

  /** The bytes alone: the reader must know their length. */
  raw(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#buffer.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Varint length, then the bytes. */
  bytes(bytes: Uint8Array): void {
    this.varint(bytes.length)
    this.raw(bytes)
  }

  /** Varint length in bytes, then UTF-8. */
  text(text: string): void {
    const length = Buffer.byteLength(text)
    this.varint(length)
    this.#reserve(length)
    this.#length += this.#buffer.write(text, this.#length)
  }

  /** `length` bytes given as lowercase hex. */
  hex(text: string, length: number): void {
    this.#reserve(length)
    const written = this.#buffer.write(text, this.#length, 'hex')
    assert(written === length && text.length === 2 * length, 'A hash has a fixed number of hex characters.', { text, length })
    this.#length += length
  }

  /**
   * Starts again in the same memory: the result of `finish` must be copied or no longer needed by then.
   * Releases memory beyond `keptBytes`, so that one large value does not occupy it for ever.
   */
  clear(keptBytes: number): void {
    this.#length = 0
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafe(keptBytes)
  }

  /** The bytes written. A view that later writes may invalidate: call it last. */
  finish(): Uint8Array {
    return this.#buffer.subarray(0, this.#length)
  }

  #reserve(more: number): void {
    const needed = this.#length + more
    if (needed <= this.#buffer.length) return
    const grown = Buffer.allocUnsafe(Math.max(needed, 2 * this.#buffer.length))
    this.#buffer.copy(grown, 0, 0, this.#length)
    this.#buffer = grown
  }
}
