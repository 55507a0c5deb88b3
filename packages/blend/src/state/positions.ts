// What an account supplies and owes in a pool.

import { readPositions } from '../chain/pool-entries.ts'
import * as values from '../chain/values.ts'
import { accountChanged } from './changes.ts'
import { blendEntry } from './entry.ts'
import { ownedPoolOf, poolOf, setPositions } from './state.ts'

export const positions = blendEntry({
  key: '@{owner}:positions',
  value: values.positions,
  read: readPositions,
  place: (state, { contract, owner }) => {
    const pool = ownedPoolOf(state, contract)
    return pool === null ? null : { get: () => pool.accounts.get(owner)?.positions ?? null, set: (live) => setPositions(pool, owner, live) }
  },
  notices: { unreadable: 'unreadable positions' },
  onChange: ({ before, now }, { contract, owner }, { state, changes }) => {
    // The filler of an interest auction gets an empty entry: no position.
    if (before === null && now !== null && isEmpty(now)) return
    accountChanged(changes, poolOf(state, contract), owner, { positions: before ?? values.NO_POSITIONS })
  },
  docs: { under: 'pool', from: '`Positions`', what: 'bTokens of plain supply and of collateral, dTokens, by index' },
})

function isEmpty({ supply, collateral, liabilities }: values.Positions): boolean {
  return supply.size === 0 && collateral.size === 0 && liabilities.size === 0
}
