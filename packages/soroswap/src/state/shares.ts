// LP shares of a holder: an account, a contract, or the pair itself.

import { amountValue, stateEntry } from '@orrery/fold-kit'
import { readShares } from '../chain/entries.ts'
import type { Changes } from './changes.ts'
import { ownedPairOf, pairOf, type SoroswapState, setShares } from './state.ts'

export const shares = stateEntry<SoroswapState, Changes>()({
  key: '@{owner}:shares',
  value: amountValue,
  read: readShares,
  place: (state, { contract, owner }) => {
    const pair = ownedPairOf(state, contract)
    return { get: () => pair.holders.get(owner)?.shares ?? null, set: (live) => setShares(pair, owner, live) }
  },
  // A pair never removes a balance: it leaves a zero.
  removal: 'kept',
  notices: { unreadable: 'unreadable balance of shares', removed: 'a balance of shares was removed' },
  onChange: ({ before, now }, { contract, owner }, { state, changes }) => {
    // An entry of zero, created for a holder that never had a share (a transfer of zero): no position.
    if (before === null && now === 0n) return
    changes.shares(pairOf(state, contract), owner, before ?? 0n)
  },
  docs: { under: 'pair', from: '`Balance(holder)`', what: 'LP shares: accounts, contracts, and the pair itself' },
})
