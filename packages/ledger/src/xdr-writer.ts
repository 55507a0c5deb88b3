// Writes XDR into a buffer that grows. The counterpart of `xdr-reader.ts`, for keys and for building ledgers in tests.

const utf8 = new TextEncoder()

export class XdrWriter {
  #bytes = new Uint8Array(256)
  #view = new DataView(this.#bytes.buffer)
  #length = 0

  get length(): number {
    return this.#length
  }

  #reserve(length: number): number {
    const from = this.#length
    this.#length += length
    if (this.#length > this.#bytes.length) {
      const bytes = new Uint8Array(Math.max(this.#length, this.#bytes.length * 2))
      bytes.set(this.#bytes)
      this.#bytes = bytes
      this.#view = new DataView(bytes.buffer)
    }
    return from
  }

  u32(value: number): this {
    const at = this.#reserve(4)
    this.#view.setUint32(at, value)
    return this
  }

  i32(value: number): this {
    const at = this.#reserve(4)
    this.#view.setInt32(at, value)
    return this
  }

  u64(value: bigint): this {
    const at = this.#reserve(8)
    this.#view.setBigUint64(at, value)
    return this
  }

  i64(value: bigint): this {
    const at = this.#reserve(8)
    this.#view.setBigInt64(at, value)
    return this
  }

  flag(value: boolean): this {
    return this.u32(value ? 1 : 0)
  }

  /** Bytes as they are: XDR that is already written, or opaque data of a fixed length that is a multiple of four. */
  raw(bytes: Uint8Array): this {
    const at = this.#reserve(bytes.length)
    this.#bytes.set(bytes, at)
    return this
  }

  /** Length, bytes, padding. */
  opaque(bytes: Uint8Array): this {
    this.u32(bytes.length)
    const from = this.#reserve((bytes.length + 3) & ~3)
    this.#bytes.set(bytes, from)
    this.#bytes.fill(0, from + bytes.length, this.#length)
    return this
  }

  text(value: string): this {
    return this.opaque(utf8.encode(value))
  }

  /** u32 count, then the items. */
  array<T>(items: readonly T[], write: (item: T) => unknown): this {
    this.u32(items.length)
    for (const item of items) write(item)
    return this
  }

  /** A copy of what was written. */
  done(): Uint8Array {
    return this.#bytes.slice(0, this.#length)
  }
}
