// The list of pairs, by the factories' announcements.

import { nullable, number, object, stateEntry, text } from '@orrery/fold-kit'
import { pairOf, type SoroswapState } from './state.ts'

export const listing = stateEntry<SoroswapState>()({
  key: 'pair:{pair}',
  value: object({
    token0: text,
    token1: text,
    /** Place in the factory's list. Null for a pair that predates the index: not all of its holders are known. */
    index: nullable(number),
  }),
  shared: true,
  place: (state, { contract, pair }) => ({
    set: (live) => {
      if (live === null) return
      const { token0, token1, index } = live.value
      const listed = pairOf(state, pair)
      listed.factory = contract
      listed.tokens = [token0, token1]
      listed.listing = index === null ? null : { index }
    },
  }),
  docs: {
    under: 'factory',
    from: 'event `new_pair`',
    what: "a pair's tokens and place in the list; without a place it predates the index",
  },
})
