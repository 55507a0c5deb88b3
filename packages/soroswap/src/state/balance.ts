// A pair's balance of a token, from the token's own entry.

import { amountValue, item, readTokenBalance, stateEntry } from '@orrery/fold-kit'
import type { Changes } from './changes.ts'
import { ownedPairOf, pairOf, type SoroswapState } from './state.ts'

export const balance = stateEntry<SoroswapState, Changes>()({
  key: 'balance:{token}',
  value: amountValue,
  read: readTokenBalance,
  place: (state, { contract, token }) => item(ownedPairOf(state, contract).balances, token),
  // A token may drop an empty balance.
  removal: { means: 0n },
  notices: { unreadable: 'unreadable balance of a token' },
  onChange: ({ before }, { contract, token }, { state, changes }) => changes.balance(pairOf(state, contract), token, before),
  docs: { under: 'pair', from: "the token's `Balance(pair)`", what: 'what the pair really holds' },
})
