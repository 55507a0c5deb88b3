// The routers' lists of pools. Each pool has the same row twice: under the router for readers that ask which pools there are, and under the pool
// for readers that ask about it alone.

import { type FactPlace, stateEntry } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type Listing, listingValue } from './derived-values.ts'
import { type AquariusState, poolOf } from './state.ts'

export const listing = stateEntry<AquariusState>()({
  key: 'pool:{pool}',
  value: listingValue,
  shared: true,
  place: (state, { pool }) => placeOf(state, pool),
  docs: { under: 'router', from: '`add_pool`, `TokensSetPools`', what: 'tokens, kind, index, still listed' },
})

export const registered = stateEntry<AquariusState>()({
  key: 'registered',
  value: listingValue,
  shared: true,
  place: (state, { contract }) => placeOf(state, contract),
  docs: { under: 'pool', from: 'likewise', what: 'the same, for readers that ask about the pool alone' },
})

function placeOf(state: AquariusState, contract: ContractId): FactPlace<Listing> {
  const pool = poolOf(state, contract)
  return {
    set: (live) => {
      pool.listing = live?.value ?? null
      // The instance is the better source of tokens, whichever row comes first.
      if (pool.instance === null && live !== null && live.value.tokens.length > 0) pool.tokens = live.value.tokens
    },
  }
}
