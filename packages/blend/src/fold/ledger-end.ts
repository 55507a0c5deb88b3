// The end of one ledger, as the steps of the fold see it: every pool, and every asset outside of a pool, is valued once.

import { type LedgerContext, LedgerEnd, type ValuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { BlendState, PoolState } from '../state/state.ts'
import { type ValuedPool, valuePool, valueToken } from '../view/valuation.ts'
import type { Directory } from './directory.ts'

export class Moment extends LedgerEnd<BlendState, PoolState, ValuedPool> {
  readonly directory: Directory
  readonly #tokens = new Map<ContractId, ValuedToken>()

  constructor(setting: LedgerContext<BlendState>, directory: Directory) {
    super(setting, valuePool)
    this.directory = directory
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
