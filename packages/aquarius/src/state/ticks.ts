// Ticks of a concentrated pool, in chunks of sixteen.

import { item, stateEntry } from '@orrery/fold-kit'
import { readTickChunk, tickChunk } from '../chain/pool-entries.ts'
import { type AquariusState, ownedPoolOf } from './state.ts'

export const ticks = stateEntry<AquariusState>()({
  key: 'ticks:{chunk}',
  value: tickChunk,
  read: readTickChunk,
  place: (state, { contract, chunk }) => item(ownedPoolOf(state, contract).chunks, Number(chunk)),
  removal: 'kept',
  notices: { unreadable: ({ chunk }) => `unreadable ${chunk}` },
  docs: {
    under: 'pool',
    from: '`TickChunk`',
    what: 'initialised ticks among sixteen: place, fee growth outside (both tokens), gross and net liquidity',
  },
})
