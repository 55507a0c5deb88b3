// The state of one price pool: the facts that its protocol's reader reads from its entries.

import { OrreryError } from '@orrery/errors'
import type { ContractId, EntryRecord, TtlRecord } from '@orrery/ledger'
import type { At, PoolQuote, PricePoolFacts, PricePoolReader } from '@orrery/protocol-kit'
import type { Book, Unusable } from './oracle.ts'

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
    try {
      const facts = this.#reader.read(record, this.#facts)
      if (facts !== this.#facts) this.dirty.add('price_pool')
      this.#facts = facts
      return null
    } catch (error) {
      // A pool of an unexpected layout has no prices; it must not stop the fold of a protocol that only reads its price.
      if (error instanceof OrreryError && error.code === 'unexpected_shape') return 'unexpected_shape'
      throw error
    }
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
