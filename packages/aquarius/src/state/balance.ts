// What pools and their gauges really hold of a token, by the token's own entries.

import { amountValue, item, readTokenBalance, stateEntry } from '@orrery/fold-kit'
import type { Changes } from './changes.ts'
import { type AquariusState, ownedPoolOf, poolOf } from './state.ts'

export const balance = stateEntry<AquariusState, Changes>()({
  key: 'balance:{token}',
  value: amountValue,
  read: readTokenBalance,
  place: (state, { contract, token }) => item(ownedPoolOf(state, contract).balances, token),
  // A token may drop an empty balance.
  removal: { means: 0n },
  notices: { unreadable: 'unreadable balance of a token' },
  onChange: (_, { contract }, { state, changes }) => changes.pools.add(poolOf(state, contract)),
  docs: { under: 'pool', from: "the token's `Balance(pool)`", what: 'what the pool really holds' },
})

export const gaugeBalance = stateEntry<AquariusState, Changes>()({
  key: 'gauge_balance:{gauge}',
  value: amountValue,
  read: readTokenBalance,
  place: (state, { contract, gauge }) => item(ownedPoolOf(state, contract).gaugeBalances, gauge),
  // A token may drop an empty balance.
  removal: { means: 0n },
  notices: { unreadable: 'unreadable balance of a token' },
  onChange: (_, { contract }, { state, changes }) => changes.pools.add(poolOf(state, contract)),
  docs: { under: 'pool', from: "the token's `Balance(gauge)`", what: 'what the gauge really holds of its reward token' },
})
