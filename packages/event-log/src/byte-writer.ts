// Writes the pieces of our binary layouts into one growing buffer. Big-endian like XDR; counts are LEB128 varints.
// The same calls always give the same bytes: rolling hashes are taken over them.

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

  /** The bytes alone: their length must be known to the reader. */
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
   * Begins again from nothing, in the same memory: what `finish` gave must be copied or done with by then.
   * Room for more than `keptBytes` is given back, so that one giant does not stay for ever.
   */
  clear(keptBytes: number): void {
    this.#length = 0
    if (this.#buffer.length > keptBytes) this.#buffer = Buffer.allocUnsafe(keptBytes)
  }

  /** What was written. A view that later writes may leave behind: take it last. */
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
