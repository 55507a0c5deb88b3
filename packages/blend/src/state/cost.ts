// What each balance of an account cost.

import { costValue, factItem, integer, object } from '@orrery/fold-kit'
import { isCostKey } from '../math/cost.ts'
import { blendEntry } from './entry.ts'
import { accountOf, ownedPoolOf } from './state.ts'

export const cost = blendEntry({
  key: '@{owner}:cost:{balance}',
  value: object({ cost: costValue, netPaid: integer }),
  place: (state, { contract, owner, balance }) => {
    const pool = ownedPoolOf(state, contract)
    if (pool === null || !isCostKey(balance)) return null
    const account = accountOf(pool, owner)
    account.costs ??= new Map()
    return factItem(account.costs, balance)
  },
  docs: { under: 'pool', from: 'fact', what: 'average cost of a balance, and what was paid in less what was taken out' },
})
