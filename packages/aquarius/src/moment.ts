// The end of one ledger, as the steps of the fold see it: state, prices, and every pool valued once.

import type { Journal } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import type { AquariusState, PoolState } from './state.ts'
import { type ValuedPool, valuePool } from './valuation.ts'

export class Moment {
  readonly state: AquariusState
  readonly slice: Slice
  readonly journal: Journal
  readonly network: Network
  readonly pricing: Pricing
  readonly #valued = new Map<ContractId, ValuedPool | null>()

  constructor(state: AquariusState, slice: Slice, journal: Journal, network: Network, pricing: Pricing) {
    this.state = state
    this.slice = slice
    this.journal = journal
    this.network = network
    this.pricing = pricing
  }

  /** The pool at the ledger's end, or null while its instance is not known. Ask only after entries and prices were applied. */
  value(pool: PoolState): ValuedPool | null {
    let valued = this.#valued.get(pool.pool)
    if (valued === undefined) {
      valued = valuePool(this.state, pool, this.slice, this)
      this.#valued.set(pool.pool, valued)
    }
    return valued
  }
}
