// The end of one ledger, as the steps of a fold see it: state, prices, and every pool valued once.

import type { Pricing } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import type { Journal } from './state/journal.ts'

/** The values that every step of a fold needs. */
export interface LedgerContext<State> {
  readonly state: State
  readonly slice: Slice
  readonly journal: Journal
  readonly network: Network
  readonly pricing: Pricing
}

/** How a protocol values a pool: null while its instance is not known. */
export type PoolValuer<State, Pool, Valued> = (
  state: State,
  pool: Pool,
  at: Slice,
  by: { readonly network: Network; readonly pricing: Pricing },
) => Valued | null

export class LedgerEnd<State, Pool extends object, Valued> implements LedgerContext<State> {
  readonly state: State
  readonly slice: Slice
  readonly journal: Journal
  readonly network: Network
  readonly pricing: Pricing
  readonly #valuer: PoolValuer<State, Pool, Valued>
  readonly #valued = new Map<Pool, Valued | null>()

  constructor({ state, slice, journal, network, pricing }: LedgerContext<State>, valuer: PoolValuer<State, Pool, Valued>) {
    this.state = state
    this.slice = slice
    this.journal = journal
    this.network = network
    this.pricing = pricing
    this.#valuer = valuer
  }

  /** The pool at the ledger's end, or null while its instance is not known. Call it only after entries and prices were applied. */
  value(pool: Pool): Valued | null {
    const known = this.#valued.get(pool)
    if (known !== undefined) return known
    const valued = this.#valuer(this.state, pool, this.slice, this)
    this.#valued.set(pool, valued)
    return valued
  }
}
