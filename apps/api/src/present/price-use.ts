// What an answer used besides stored rows: prices, their age and their sources. Collected while presenting, shown in `meta`.

import type { Price } from '@orrery/protocol-kit'

export class PriceUse {
  readonly #closeTimeSeconds: number
  readonly #sources = new Set<string>()
  #oldestSeconds = 0

  /** `closeTimeSeconds` of the answer's ledger: ages are told as of it. */
  constructor(closeTimeSeconds: number) {
    this.#closeTimeSeconds = closeTimeSeconds
  }

  add(price: Price | null): void {
    if (price !== null) this.addSource(price.source, this.#closeTimeSeconds - price.observedAtSeconds)
  }

  /** `oracle:<id>` is a kind of source of its own; a pool's price comes from the read model. '' is no price. */
  addSource(source: string, ageSeconds: number): void {
    if (source === '') return
    if (source.startsWith('oracle:')) this.#sources.add(source)
    // A price may be stamped a little ahead of the ledger: such a price is fresh.
    this.#oldestSeconds = Math.max(this.#oldestSeconds, ageSeconds)
  }

  get oldestSeconds(): number {
    return this.#oldestSeconds
  }

  get sources(): readonly string[] {
    return [...this.#sources]
  }
}
