// The end of one ledger, as the steps of the fold see it: state, prices, and every pool valued once.

import type { Journal, ValuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { Pricing } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import type { Directory } from './directory.ts'
import type { BlendState, PoolState } from './state.ts'
import { type ValuedPool, valuePool, valueToken } from './valuation.ts'

export class Moment {
  readonly state: BlendState
  readonly slice: Slice
  readonly journal: Journal
  readonly directory: Directory
  readonly network: Network
  readonly pricing: Pricing
  readonly #valued = new Map<ContractId, ValuedPool | null>()
  readonly #tokens = new Map<ContractId, ValuedToken>()

  constructor(state: BlendState, slice: Slice, journal: Journal, directory: Directory, of: Pick<Moment, 'network' | 'pricing'>) {
    this.state = state
    this.slice = slice
    this.journal = journal
    this.directory = directory
    this.network = of.network
    this.pricing = of.pricing
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

  /** An asset outside of a lending pool: at the network's price. */
  token(asset: ContractId): ValuedToken {
    let token = this.#tokens.get(asset)
    if (token === undefined) {
      token = valueToken(this.state, asset, this.slice, this)
      this.#tokens.set(asset, token)
    }
    return token
  }
}
