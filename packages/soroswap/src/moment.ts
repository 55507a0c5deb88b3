// The end of one ledger, as the steps of the fold see it: state, prices, and every pair valued once.

import type { Journal } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import type { PairState, SoroswapState } from './state.ts'
import { type ValuedPair, valuePair } from './valuation.ts'

export class Moment {
  readonly state: SoroswapState
  readonly slice: Slice
  readonly journal: Journal
  readonly network: Network
  readonly pricing: Pricing
  readonly #valued = new Map<ContractId, ValuedPair | null>()

  constructor(state: SoroswapState, slice: Slice, journal: Journal, network: Network, pricing: Pricing) {
    this.state = state
    this.slice = slice
    this.journal = journal
    this.network = network
    this.pricing = pricing
  }

  /** The pair at the ledger's end, or null while its instance is not known. Ask only after entries and prices were applied. */
  value(pair: PairState): ValuedPair | null {
    let valued = this.#valued.get(pair.pair)
    if (valued === undefined) {
      valued = valuePair(this.state, pair, this.slice, this)
      this.#valued.set(pair.pair, valued)
    }
    return valued
  }
}
