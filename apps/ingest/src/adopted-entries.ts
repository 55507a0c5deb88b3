// Entries that were read elsewhere, as the log has them: what each ledger's slices begin with, and what need not be asked for again.

import type { AdoptedControl } from '@orrery/event-log'
import type { EntryRecord } from '@orrery/ledger'
import { type EntryName, entryText, type ProtocolId } from '@orrery/protocol-kit'

/** One for all loops of a process: who tells a partition again finds what the front has read meanwhile. It only grows. */
export class AdoptedEntries {
  readonly #byLedger = new Map<number, AdoptedControl[]>()
  /** Newest ledger that an entry was read for. */
  readonly #ledgers = new Map<string, number>()

  constructor(told: readonly AdoptedControl[]) {
    this.add(told)
  }

  /** In the order in which they were told. */
  at(ledger: number): readonly AdoptedControl[] {
    return this.#byLedger.get(ledger) ?? []
  }

  has(protocol: ProtocolId, name: EntryName): boolean {
    return this.hasSince(protocol, name, 0)
  }

  /** Whether it was read for this ledger or a later one. */
  hasSince(protocol: ProtocolId, name: EntryName, ledger: number): boolean {
    return (this.#ledgers.get(`${protocol} ${entryText(name)}`) ?? -1) >= ledger
  }

  add(entries: readonly AdoptedControl[]): void {
    for (const entry of entries) {
      const text = `${entry.protocol} ${entryText(entry)}`
      if ((this.#ledgers.get(text) ?? -1) >= entry.ledger) continue // appended twice, for a log may repeat records: the first one counts
      this.#ledgers.set(text, entry.ledger)
      const ofLedger = this.#byLedger.get(entry.ledger)
      if (ofLedger) ofLedger.push(entry)
      else this.#byLedger.set(entry.ledger, [entry])
    }
  }
}

/**
 * The record of an adopted entry. Its value is a pre-image where it held at the end of the ledger before: it was written before the ledger,
 * and the node that gave it has at least seen the ledger before.
 */
export function adoptedRecord(entry: AdoptedControl): EntryRecord {
  const { contract, key, durability, value, ledger, asOfLedger, lastModifiedLedger, liveUntilLedger } = entry
  const held = lastModifiedLedger > 0 && lastModifiedLedger < ledger && asOfLedger >= ledger - 1
  return {
    kind: 'entry',
    change: 'adopted',
    tx: -1,
    opIndex: 0,
    index: 0,
    contract,
    key,
    durability,
    value,
    before: held ? value : null,
    liveUntil: liveUntilLedger === 0 ? null : liveUntilLedger,
  }
}
