// Reads what `ByteWriter` wrote. Invalid bytes throw `corrupt` with the given code and the offset.
// Byte strings are views into the value: nothing is copied.

import { OrreryError } from '@orrery/errors'

export class ByteReader {
  readonly #buffer: Buffer
  readonly #code: string
  readonly #what: string
  #at = 0

  /** `code` and `what` ("slice") are for the error when the bytes are broken. */
  constructor(bytes: Uint8Array, code: string, what: string) {
    this.#buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#code = code
    this.#what = what
  }

  get offset(): number {
    return this.#at
  }

  get remaining(): number {
    return this.#buffer.length - this.#at
  }

  u8(): number {
    this.#need(1)
    return this.#buffer.readUInt8(this.#at++)
  }

  u16(): number {
    this.#need(2)
    this.#at += 2
    return this.#buffer.readUInt16BE(this.#at - 2)
  }

  u32(): number {
    this.#need(4)
    this.#at += 4
    return this.#buffer.readUInt32BE(this.#at - 4)
  }

  u64(): bigint {
    this.#need(8)
    this.#at += 8
    return this.#buffer.readBigUInt64BE(this.#at - 8)
  }

  /** A u64 that must be a safe integer: seconds or milliseconds. */
  time(): number {
    const value = this.u64()
    if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw this.broken('a time beyond 2^53')
    return Number(value)
  }

  varint(): number {
    let value = 0
    let scale = 1
    for (let n = 0; n < 8; n++) {
      const byte = this.u8()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) {
        if (!Number.isSafeInteger(value) || (byte === 0 && n > 0)) break
        return value
      }
      scale *= 0x80
    }
    throw this.broken('a malformed varint')
  }

  /** A varint that counts things of at least `leastBytes` bytes each, so an absurd count fails before anything is allocated. */
  count(leastBytes: number): number {
    const count = this.varint()
    if (count * leastBytes > this.remaining) throw this.broken(`a count of ${count} that the bytes cannot hold`)
    return count
  }

  raw(length: number): Uint8Array {
    this.#need(length)
    this.#at += length
    return this.#buffer.subarray(this.#at - length, this.#at)
  }

  bytes(): Uint8Array {
    return this.raw(this.varint())
  }

  text(): string {
    const length = this.varint()
    this.#need(length)
    this.#at += length
    return this.#buffer.toString('utf8', this.#at - length, this.#at)
  }

  hex(length: number): string {
    this.#need(length)
    this.#at += length
    return this.#buffer.toString('hex', this.#at - length, this.#at)
  }

  /** The item of `choices` that the next byte numbers. */
  choice<T>(choices: readonly T[], name: string): T {
    const n = this.u8()
    const chosen = choices[n]
    if (chosen === undefined) throw this.broken(`an unknown ${name} ${n}`)
    return chosen
  }

  end(): void {
    if (this.remaining !== 0) throw this.broken(`${this.remaining} bytes too many`)
  }

  broken(problem: string): OrreryError {
    return new OrreryError('corrupt', this.#code, `A stored ${this.#what} cannot be read: ${problem} at byte ${this.#at}.`, {
      context: { offset: this.#at, bytes: this.#buffer.length },
    })
  }

  #need(length: number): void {
    if (this.#at + length > this.#buffer.length) throw this.broken(`${length} bytes wanted where ${this.remaining} are left`)
  }
}
