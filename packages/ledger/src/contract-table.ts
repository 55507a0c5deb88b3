// A set of contract ids that is searched by bytes in place, for each change and event of a ledger.
// Open addressing on the first word; ids are hashes, so one word is distributed evenly and other ids fail the first comparison.

import type { ContractId } from './record.ts'
import { contractBytes } from './strkey.ts'

const WORDS = 8

export class ContractTable {
  readonly ids: ContractId[] = []
  /** Index into `ids` plus one; 0 is free. */
  #slots = new Int32Array(64)
  /** Eight words per id, as read by `DataView.getInt32`. */
  #words = new Int32Array(32 * WORDS)
  readonly #places = new Map<ContractId, number>()

  indexOf(id: ContractId): number {
    return this.#places.get(id) ?? -1
  }

  /** Index of the id, which is added if it is missing. @throws OrreryError `invalid_strkey`. */
  add(id: ContractId): number {
    const known = this.#places.get(id)
    if (known !== undefined) return known
    const bytes = contractBytes(id)
    const place = this.ids.length
    if ((place + 1) * WORDS > this.#words.length) this.#grow()
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    for (let n = 0; n < WORDS; n++) this.#words[place * WORDS + n] = view.getInt32(n * 4)
    this.ids.push(id)
    this.#places.set(id, place)
    this.#put(place)
    return place
  }

  /** Index of the id whose 32 bytes are at `at`, or -1. */
  find(view: DataView, at: number): number {
    const first = view.getInt32(at)
    const mask = this.#slots.length - 1
    for (let slot = spread(first) & mask; ; slot = (slot + 1) & mask) {
      const place = (this.#slots[slot] as number) - 1
      if (place < 0) return -1
      const base = place * WORDS
      if (this.#words[base] === first && this.#rest(view, at, base)) return place
    }
  }

  #rest(view: DataView, at: number, base: number): boolean {
    for (let n = 1; n < WORDS; n++) if (this.#words[base + n] !== view.getInt32(at + n * 4)) return false
    return true
  }

  #put(place: number): void {
    const mask = this.#slots.length - 1
    let slot = spread(this.#words[place * WORDS] as number) & mask
    while (this.#slots[slot] !== 0) slot = (slot + 1) & mask
    this.#slots[slot] = place + 1
  }

  /** Slots stay at most half full, so a search for another id ends soon. */
  #grow(): void {
    const words = new Int32Array(this.#words.length * 2)
    words.set(this.#words)
    this.#words = words
    this.#slots = new Int32Array(this.#slots.length * 2)
    for (let place = 0; place < this.ids.length; place++) this.#put(place)
  }
}

/** Ids of artificial networks may share their first bytes; a multiplication mixes the low bits into the slot. */
function spread(word: number): number {
  return Math.imul(word, 0x9e3779b1) >>> 8
}
