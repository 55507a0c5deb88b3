// Compares the slices of one partition that were extracted again with those of the log. Slices without records may be coalesced in other
// places; the first ledger of an hour always has a slice.

import { isDeepStrictEqual } from 'node:util'
import { type EventLog, type LogPartition, SliceAssembler, storedSlices } from '@orrery/event-log'
import type { ProtocolId, Slice } from '@orrery/protocol-kit'

/** A ledger of a partition where source and log differ. */
export interface SliceDifference {
  readonly topic: string
  readonly partition: number
  readonly ledger: number
  readonly message: string
}

/** The members of a slice that the source determines. */
const COMPARED = ['closeTimeSeconds', 'ledgerHash', 'hourStart', 'dayStart', 'transactions', 'records'] as const

export class ComparedPartition {
  readonly at: LogPartition
  readonly protocol: ProtocolId
  readonly #extracted = new SliceAssembler()
  readonly #stored: AsyncIterator<Slice>
  readonly #from: number
  readonly #to: number
  #waiting: Slice[] = []
  #next: Slice | null = null
  #compared = 0

  /** @param after The slice of the log before the range. */
  constructor(
    log: EventLog,
    protocol: ProtocolId,
    at: LogPartition,
    after: { readonly ledger: number; readonly offset: bigint },
    range: { readonly from: number; readonly to: number },
  ) {
    this.at = at
    this.protocol = protocol
    this.#stored = storedSlices(log, at, after)
    this.#from = range.from
    this.#to = range.to
  }

  /** Slices with records that were compared. */
  get compared(): number {
    return this.#compared
  }

  /** Takes the values of slices that were extracted again, in order. */
  add(values: readonly Uint8Array[]): void {
    for (const value of values) {
      const slice = this.#extracted.push(value)
      if (slice !== null && isFixed(slice) && slice.ledger >= this.#from && slice.ledger <= this.#to) this.#waiting.push(slice)
    }
  }

  /** Compares everything that was added, and the slices of the log up to ledger `read`, which the source was read to. */
  async *differences(read: number): AsyncIterable<SliceDifference> {
    const slices = this.#waiting
    this.#waiting = []
    for (const slice of slices) {
      yield* this.#extraBefore(slice.ledger)
      const stored = await this.#peek()
      if (stored === null || stored.ledger > slice.ledger) {
        yield this.#differs(slice.ledger, `the log has no slice of it, and the source has ${slice.records.length} records`)
        continue
      }
      this.#next = null
      this.#compared++
      const differing = COMPARED.filter((member) => !isDeepStrictEqual(stored[member], slice[member]))
      if (differing.length > 0) yield this.#differs(slice.ledger, differenceOf(stored, slice, differing))
    }
    yield* this.#extraBefore(Math.min(read, this.#to) + 1)
  }

  /** Slices of the log before `ledger` that the source does not give. */
  async *#extraBefore(ledger: number): AsyncIterable<SliceDifference> {
    for (let stored = await this.#peek(); stored !== null && stored.ledger < ledger; stored = await this.#peek()) {
      this.#next = null
      if (!isFixed(stored) || stored.ledger < this.#from) continue
      yield this.#differs(stored.ledger, `the log has ${stored.records.length} records, and the source has none`)
    }
  }

  async #peek(): Promise<Slice | null> {
    this.#next ??= (await this.#stored.next()).value ?? null
    return this.#next
  }

  #differs(ledger: number, message: string): SliceDifference {
    return { ...this.at, ledger, message }
  }
}

function isFixed({ records, hourStart }: Slice): boolean {
  return records.length > 0 || hourStart
}

function differenceOf(stored: Slice, extracted: Slice, members: readonly (typeof COMPARED)[number][]): string {
  const texts = members.map((member) => {
    if (member !== 'records' && member !== 'transactions') return `${member} is ${stored[member]}, and the source has ${extracted[member]}`
    const [own, other] = [stored[member], extracted[member]]
    const first = other.findIndex((value, n) => !isDeepStrictEqual(value, own[n]))
    return `${member} differ from number ${(first < 0 ? other.length : first) + 1} on (${own.length} in the log, ${other.length} of the source)`
  })
  return texts.join('; ')
}
