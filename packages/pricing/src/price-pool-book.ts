// The state of one price pool: the facts that its protocol's reader reads from its entries.

import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import type { At, PoolQuote, PricePoolFacts, PricePoolReader } from '@orrery/protocol-kit'
import type { Book, Unusable } from './oracle.ts'
import { unlessUnusable } from './unusable.ts'

export class PricePoolBook implements Book {
  readonly dirty = new Set<string>()
  readonly #pool: ContractId
  readonly #reader: PricePoolReader
  #facts: PricePoolFacts | null = null

  constructor(pool: ContractId, reader: PricePoolReader) {
    this.#pool = pool
    this.#reader = reader
  }

  static keys(): string[] {
    return ['price_pool']
  }

  needsPreImage(): boolean {
    return this.#facts === null
  }

  apply(record: EntryRecord | TtlRecord): Unusable | null {
    if (record.kind !== 'entry') return null
    return unlessUnusable(() => {
      const facts = this.#reader.read(record, this.#facts)
      if (facts !== this.#facts) this.dirty.add('price_pool')
      this.#facts = facts
    })
  }

  quote(at: At): PoolQuote | null {
    return this.#facts === null ? null : this.#reader.quote(this.#pool, this.#facts, at)
  }

  value(): unknown {
    return this.#facts
  }

  restore(_key: string, value: unknown): void {
    this.#facts = value as PricePoolFacts
  }
}
