// The end of one ledger, as the steps of the fold see it: every pool, and every asset outside of a pool, is valued once.

import { getOrMake, type LedgerContext, ledgerEnd, type ValuedToken } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { BlendState } from '../state/state.ts'
import { valuePool, valueToken } from '../view/valuation.ts'
import type { Directory } from './directory.ts'

export type Moment = Readonly<ReturnType<typeof momentOf>>

export function momentOf(context: LedgerContext<BlendState>, directory: Directory) {
  const tokens = new Map<ContractId, ValuedToken>()
  return {
    ...ledgerEnd(context, valuePool),
    directory,
    /** An asset outside of a lending pool: at the network's price. */
    token: (asset: ContractId) => getOrMake(tokens, asset, () => valueToken(context.state, asset, context.slice, context)),
  }
}
