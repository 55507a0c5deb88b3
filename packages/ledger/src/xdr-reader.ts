// Reads XDR step by step: big-endian, everything padded to four bytes.
// Each step checks its bounds first, so a length is never used before the bytes are known to exist.

import { unreadable } from './unreadable.ts'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const lenientUtf8 = new TextDecoder('utf-8', { ignoreBOM: true })

/** A text in XDR: bytes that are nearly always UTF-8. `raw` exists only when they are not; `text` is then an approximation. */
export interface XdrText {
  readonly text: string
  readonly raw: Uint8Array | null
}

export class XdrReader {
  readonly bytes: Uint8Array
  readonly view: DataView
  /** Offset of the next step. */
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.at = at
  }

  /** Skips `length` bytes and returns their offset. */
  take(length: number, type: string): number {
    const from = this.at
    if (length > this.bytes.length - from)
      throw unreadable(type, from, `${length} bytes are announced, ${this.bytes.length - from} are left`, length)
    this.at = from + length
    return from
  }

  u32(type = 'u32'): number {
    return this.view.getUint32(this.take(4, type))
  }

  i32(type = 'i32'): number {
    return this.view.getInt32(this.take(4, type))
  }

  u64(type = 'u64'): bigint {
    return this.view.getBigUint64(this.take(8, type))
  }

  i64(type = 'i64'): bigint {
    return this.view.getBigInt64(this.take(8, type))
  }

  /** A bool or the flag of an optional value: only 0 and 1 are allowed. */
  flag(type = 'bool'): boolean {
    const at = this.at
    const value = this.u32(type)
    if (value > 1) throw unreadable(type, at, `a flag is ${value}`, value)
    return value === 1
  }

  /** A count of items that take at least `leastItemBytes` each; a count that cannot fit is refused before any allocation. */
  count(leastItemBytes: number, type: string): number {
    const at = this.at
    const count = this.u32(type)
    if (count * leastItemBytes > this.bytes.length - this.at)
      throw unreadable(type, at, `${count} items are announced, more than can follow`, count)
    return count
  }

  /** A view of `length` bytes, without padding: for lengths that are multiples of four. */
  fixed(length: number, type: string): Uint8Array {
    const from = this.take(length, type)
    return this.bytes.subarray(from, from + length)
  }

  /** A view of bytes of variable length. Padding must be zero. */
  opaque(type: string, limit = 0xffffffff): Uint8Array {
    const at = this.at
    const length = this.u32(type)
    if (length > limit) throw unreadable(type, at, `a length is ${length}, the limit ${limit}`, length)
    const padded = (length + 3) & ~3
    if (length > 0x7ffffffc) throw unreadable(type, at, `a length is ${length}`, length)
    const from = this.take(padded, type)
    for (let n = from + length; n < from + padded; n++) {
      if (this.bytes[n] !== 0) throw unreadable(type, n, 'padding is not zero', this.bytes[n] as number)
    }
    return this.bytes.subarray(from, from + length)
  }

  text(type: string, limit?: number): XdrText {
    return textOf(this.opaque(type, limit))
  }

  /** Checks that all bytes are used. */
  end(type: string): void {
    const left = this.bytes.length - this.at
    if (left !== 0) throw unreadable(type, this.at, `${left} bytes are left over`, left)
  }
}

function textOf(bytes: Uint8Array): XdrText {
  // Most texts are short and ASCII (symbols, codes); for these a loop is several times faster than the decoder.
  if (bytes.length <= 32) {
    let text = ''
    let n = 0
    for (; n < bytes.length; n++) {
      const byte = bytes[n] as number
      if (byte > 0x7f) break
      text += String.fromCharCode(byte)
    }
    if (n === bytes.length) return { text, raw: null }
  }
  try {
    return { text: utf8.decode(bytes), raw: null }
  } catch {
    // Contracts may store any bytes as a string: the text is then an approximation, and `raw` has the bytes.
    return { text: lenientUtf8.decode(bytes), raw: bytes }
  }
}
