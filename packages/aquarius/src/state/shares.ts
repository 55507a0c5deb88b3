// Shares of a holder, by the entries of the pool's share token; while v1.3 exchanges it, also by those of the next one.

import { amountValue, stateEntry } from '@orrery/fold-kit'
import { readShares } from '../chain/share-entries.ts'
import type { Changes } from './changes.ts'
import { type AquariusState, holderMember, ownedPoolOf, poolOf, setShares } from './state.ts'

export const shares = stateEntry<AquariusState, Changes>()({
  key: '@{owner}:shares',
  value: amountValue,
  read: readShares,
  place: (state, { contract, owner }) => {
    const pool = ownedPoolOf(state, contract)
    return { get: () => pool.holders.get(owner)?.shares ?? null, set: (live) => setShares(pool, owner, live) }
  },
  // A share token never removes a balance: it leaves a zero. The last value stands, as in an archive.
  removal: 'kept',
  notices: { unreadable: 'unreadable balance of shares', removed: 'a balance of shares was removed' },
  onChange: ({ before, now }, { contract, owner }, { state, changes }) => {
    // An entry of nothing, made for a holder that never had a share (a transfer of zero): no position.
    if (before === null && now === 0n) return
    changes.shares(poolOf(state, contract), owner, before ?? 0n)
  },
  docs: { under: 'pool', from: '`Balance(holder)` of the share token', what: 'shares' },
})

export const nextShares = stateEntry<AquariusState>()({
  key: '@{owner}:next_shares',
  value: amountValue,
  read: readShares,
  place: (state, { contract, owner }) => holderMember(ownedPoolOf(state, contract), owner, 'nextShares'),
  removal: 'kept',
  notices: { unreadable: 'unreadable next_shares' },
  docs: {
    under: 'pool',
    from: '`Balance(holder)` of the next share token, until it takes the place of the old one',
    what: 'what will be shares',
  },
})
