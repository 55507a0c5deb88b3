// The instance of a pair: reserves, supply, K.

import { type LiveEntry, stateEntry } from '@orrery/fold-kit'
import { type PairInstance, pairInstance, readPairInstance } from '../chain/entries.ts'
import type { Changes } from './changes.ts'
import { ownedPairOf, type PairState, pairOf, type SoroswapState } from './state.ts'

export const pair = stateEntry<SoroswapState, Changes>()({
  key: 'pair',
  value: pairInstance,
  // Null: created and not initialised yet; that follows in the same operation.
  read: (bytes, { contract }) => readPairInstance(bytes, contract),
  place: (state, { contract }) => {
    const of = ownedPairOf(state, contract)
    return { get: () => of.instance, set: (live, ledger) => setInstance(of, live, ledger) }
  },
  removal: 'kept',
  onChange: ({ before }, { contract }, { state, changes }) => changes.instance(pairOf(state, contract), before),
  docs: { under: 'pair', from: 'instance', what: 'tokens, reserves, supply, name' },
})

function setInstance(of: PairState, live: LiveEntry<PairInstance> | null, ledger: number): void {
  of.instance = live
  of.changedLedger = ledger
  if (live === null) return
  of.tokens = [live.value.token0, live.value.token1]
  of.factory ||= live.value.factory
}
