// What a pool, a backstop or the Comet pool really holds of a token, by the token's own entry.

import { amountValue, item, type Place, readTokenBalance } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { blendEntry, inPool, poolChanged } from './entry.ts'
import { type BlendState, backstopOf, cometOf } from './state.ts'

export const balance = blendEntry({
  key: 'balance:{token}',
  value: amountValue,
  read: readTokenBalance,
  place: (state, { contract, token }) => balanceOf(state, contract, token),
  // A token may drop an empty balance.
  removal: { means: 0n },
  notices: { unreadable: 'unreadable balance of a token' },
  onChange: (change, at, context) => {
    if (context.state.pools.has(at.contract)) poolChanged(change, at, context)
  },
  docs: {
    under: 'pool, backstop, Comet pool',
    from: "the token's `Balance(contract)`",
    what: 'what the contract really holds; of a pool its cash',
  },
})

function balanceOf(state: BlendState, holder: ContractId, token: ContractId): Place<bigint> | null {
  const balances = (backstopOf(state, holder) ?? cometOf(state, holder))?.balances
  return balances === undefined ? inPool(state, holder, (pool) => item(pool.balances, token)) : item(balances, token)
}
