// The bootstrap entries of the log: each ledger's slices begin with its own, and an entry that is here is not requested again.

import type { BootstrapControl } from '@orrery/event-log'
import type { EntryRecord } from '@orrery/ledger'
import { type EntryName, entryText, type ProtocolId } from '@orrery/protocol-kit'

/** Shared by all loops of a process, so that a gap repair finds the entries that the main loop has read since. Entries are only added. */
export class BootstrapEntries {
  readonly #byLedger = new Map<number, BootstrapControl[]>()
  /** Newest ledger that an entry was read for. */
  readonly #ledgers = new Map<string, number>()

  constructor(stored: readonly BootstrapControl[]) {
    this.add(stored)
  }

  /** In the order of the log. */
  at(ledger: number): readonly BootstrapControl[] {
    return this.#byLedger.get(ledger) ?? []
  }

  has(protocol: ProtocolId, name: EntryName): boolean {
    return this.hasSince(protocol, name, 0)
  }

  /** Whether the entry was read for this ledger or a later one. */
  hasSince(protocol: ProtocolId, name: EntryName, ledger: number): boolean {
    return (this.#ledgers.get(`${protocol} ${entryText(name)}`) ?? -1) >= ledger
  }

  add(entries: readonly BootstrapControl[]): void {
    for (const entry of entries) {
      const text = `${entry.protocol} ${entryText(entry)}`
      if ((this.#ledgers.get(text) ?? -1) >= entry.ledger) continue // appended twice, because a log may repeat records: the first one counts
      this.#ledgers.set(text, entry.ledger)
      const ofLedger = this.#byLedger.get(entry.ledger)
      if (ofLedger) ofLedger.push(entry)
      else this.#byLedger.set(entry.ledger, [entry])
    }
  }
}

/**
 * The record of a bootstrap entry. Its value is a pre-image where it was the value at the end of the ledger before: its last write precedes
 * the ledger, and the node that returned it had at least the ledger before.
 */
export function bootstrapRecord(entry: BootstrapControl): EntryRecord {
  const { contract, key, durability, value, ledger, asOfLedger, lastModifiedLedger, liveUntilLedger } = entry
  const held = lastModifiedLedger > 0 && lastModifiedLedger < ledger && asOfLedger >= ledger - 1
  return {
    kind: 'entry',
    change: 'bootstrap',
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
