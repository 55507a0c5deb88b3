// Memory for texts that wait to be sent. Outside of JavaScript's heap, where each collection would copy them, and with one allocation for many.

const CHUNK_BYTES = 64 * 1024
/** The most that one UTF-16 code unit takes in UTF-8. */
const BYTES_A_CHARACTER = 3

export class TextMemory {
  #chunk: Buffer = Buffer.alloc(0)
  #used = 0

  /** `text` in UTF-8. Its memory is free again when nothing that was written into the same chunk is needed any more. */
  write(text: string): Uint8Array {
    let free = this.#chunk.length - this.#used
    if (free < text.length * BYTES_A_CHARACTER) {
      const bytes = Buffer.byteLength(text)
      if (bytes > CHUNK_BYTES) return Buffer.from(text)
      if (bytes > free) {
        this.#chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
        this.#used = 0
        free = CHUNK_BYTES
      }
    }
    const from = this.#used
    this.#used += this.#chunk.write(text, from, free, 'utf8')
    return this.#chunk.subarray(from, this.#used)
  }
}
