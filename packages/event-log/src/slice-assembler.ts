// Joins the parts of large slices while a partition is read.
// A new part 1 discards an incomplete set: its writer died between the parts and appended the ledger again.

import type { Slice } from '@orrery/protocol-kit'
import { joinParts } from './slice-codec.ts'
import { readSliceValue, type SliceHeader, type SliceValue } from './slice-header.ts'

export class SliceAssembler {
  #parts: SliceValue[] = []
  #firstPartOffset = 0n
  #nextOffset = 0n
  #body: Uint8Array = new Uint8Array()

  /** The unpacked body of the last complete slice: what its rolling hash is computed from. */
  get body(): Uint8Array {
    return this.#body
  }

  /**
   * The offset at which a reader that stops now must continue: after the last complete slice, or at part 1 of an incomplete one.
   * Checkpoints store it, so a checkpoint never passes a part whose slice was not folded.
   */
  get resumeOffset(): bigint {
    return this.#parts.length > 0 ? this.#firstPartOffset : this.#nextOffset
  }

  /**
   * The slice that `value` completes, or null while parts are missing. Values come in the order of the log; `offset` is the value's.
   * A part without its predecessors is skipped: retention has removed them, or their writer never finished.
   * Callers must not change records: slices of one ledger may share them.
   * @throws OrreryError `corrupt`/`slice_broken`.
   */
  push(value: Uint8Array, offset = 0n): Slice | null {
    const part = readSliceValue(value)
    this.#nextOffset = offset + 1n
    const last = this.#parts.at(-1)
    const continues = last !== undefined && isNextPart(last.header, part.header)
    if (!continues) {
      this.#parts = []
      if (part.header.part !== 1) return null
      this.#firstPartOffset = offset
    }
    this.#parts.push(part)
    if (part.header.part < part.header.parts) return null
    const { slice, body } = joinParts(this.#parts)
    this.#parts = []
    this.#body = body
    return slice
  }
}

function isNextPart(before: SliceHeader, next: SliceHeader): boolean {
  return (
    next.part === before.part + 1 &&
    next.parts === before.parts &&
    next.after === before.after &&
    next.ledger === before.ledger &&
    next.rollingHash === before.rollingHash
  )
}
