// The prices that an answer used, with their ages and sources. Collected while the answer is built, shown in `meta`.

import type { Price } from '@orrery/protocol-kit'

export class PriceUse {
  readonly #closeTimeSeconds: number
  readonly #sources = new Set<string>()
  #oldestSeconds = 0

  /** `closeTimeSeconds` of the answer's ledger: ages are measured from it. */
  constructor(closeTimeSeconds: number) {
    this.#closeTimeSeconds = closeTimeSeconds
  }

  add(price: Price | null): void {
    if (price !== null) this.addSource(price.source, this.#closeTimeSeconds - price.observedAtSeconds)
  }

  /** Only `oracle:<id>` is listed as a source: the price of a pool comes from the read model. '' means no price. */
  addSource(source: string, ageSeconds: number): void {
    if (source === '') return
    if (source.startsWith('oracle:')) this.#sources.add(source)
    // The time of a price may be slightly after the close time of the ledger: such a price counts as fresh.
    this.#oldestSeconds = Math.max(this.#oldestSeconds, ageSeconds)
  }

  get oldestSeconds(): number {
    return this.#oldestSeconds
  }

  get sources(): readonly string[] {
    return [...this.#sources]
  }
}
