// Contract data at the end of a ledger, computed from the recording's first ledger on when it is requested.
// Entries from before the recording must be given; accounts and code are not supported.

import { type ContractId, contractBytes, extractLedger, type LedgerExtract, TrackedSet, XdrWriter } from '@orrery/ledger'
import type { LedgerShelf } from './ledger-shelf.ts'

/** Contract data from before the recording's first ledger. */
export interface EarlierEntry {
  readonly contract: ContractId
  /** XDR of the key `ScVal`. */
  readonly key: Uint8Array
  readonly durability: 'temporary' | 'persistent'
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
  /** No expiry when not given. */
  readonly liveUntilLedger?: number
}

export interface RecordedEntry {
  readonly durability: 'temporary' | 'persistent'
  /** XDR of the value `ScVal`. */
  readonly value: Uint8Array
  readonly lastModifiedLedger: number
  readonly liveUntilLedger: number
}

const FOR_EVER = 0xffff_ffff
const CONTRACT_DATA = 6
const CONTRACT_ADDRESS = 1

export class RecordedState {
  readonly #shelf: LedgerShelf
  readonly #everything: TrackedSet
  readonly #entries = new Map<string, RecordedEntry>()
  #next: number
  #folding: Promise<void> = Promise.resolve()

  constructor(shelf: LedgerShelf, passphrase: string, earlier: readonly EarlierEntry[]) {
    this.#shelf = shelf
    this.#everything = TrackedSet.everything(passphrase)
    this.#next = shelf.first
    for (const { durability, value, liveUntilLedger = FOR_EVER, ...rest } of earlier) {
      const entry = { durability, value, liveUntilLedger, lastModifiedLedger: shelf.first - 1 }
      this.#entries.set(ledgerKey({ durability, ...rest }), entry)
    }
  }

  /** Advances to `ledger`, and returns a lookup of entries by the base64 of their LedgerKey. Ledgers must be requested in growing order. */
  async at(ledger: number): Promise<ReadonlyMap<string, RecordedEntry>> {
    this.#folding = this.#folding.then(() => this.#foldTo(ledger))
    await this.#folding
    return this.#entries
  }

  async #foldTo(ledger: number): Promise<void> {
    while (this.#next <= ledger) {
      this.#fold(extractLedger(await this.#shelf.ledger(this.#next), this.#everything))
      this.#next++
    }
  }

  #fold({ header: { sequence }, records }: LedgerExtract): void {
    for (const record of records) {
      if (record.kind !== 'entry' && record.kind !== 'ttl') continue
      const key = ledgerKey(record)
      const known = this.#entries.get(key)
      if (record.kind === 'ttl') {
        if (known) this.#entries.set(key, { ...known, liveUntilLedger: record.liveUntil })
      } else if (record.value === null) this.#entries.delete(key)
      else {
        const liveUntilLedger = record.liveUntil ?? known?.liveUntilLedger ?? FOR_EVER
        const { durability } = record
        this.#entries.set(key, { durability, value: Uint8Array.from(record.value), lastModifiedLedger: sequence, liveUntilLedger })
      }
    }
  }
}

/** Base64 of the LedgerKey of a contract's entry. */
function ledgerKey({ contract, key, durability }: Pick<EarlierEntry, 'contract' | 'key' | 'durability'>): string {
  const writer = new XdrWriter().u32(CONTRACT_DATA).u32(CONTRACT_ADDRESS).raw(contractBytes(contract)).raw(key)
  return Buffer.from(writer.u32(durability === 'persistent' ? 1 : 0).done()).toString('base64')
}
