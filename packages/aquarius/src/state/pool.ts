// The instance of a pool: reserves, shares, fees, switches, rewards.

import { type LiveEntry, stateEntry } from '@orrery/fold-kit'
import { type PoolInstance, poolInstance, readPoolInstance } from '../chain/pool-instance.ts'
import type { Changes } from './changes.ts'
import { type AquariusState, ownedPoolOf, type PoolState, poolOf } from './state.ts'

export const pool = stateEntry<AquariusState, Changes>()({
  key: 'pool',
  value: poolInstance,
  read: (bytes, { contract }) => readPoolInstance(bytes, contract),
  place: (state, { contract }) => {
    const of = ownedPoolOf(state, contract)
    return { get: () => of.instance, set: (live, ledger) => setInstance(state, of, live, ledger) }
  },
  removal: 'kept',
  onChange: (_, { contract }, { state, changes }) => changes.pools.add(poolOf(state, contract)),
  // The share token has a row of its own; a reader of the pool alone learns it here.
  onLoad: ({ shareToken }, { contract }, { shareTokens }) => {
    if (shareToken !== '') shareTokens.set(shareToken, { pool: contract, counts: true })
  },
  docs: {
    under: 'pool',
    from: 'instance',
    what: 'layout, release, reserves, fees, switches (deposits, swaps, claims, claims from gauges: true is off), shares, rewards, amplification (stable), price (concentrated)',
  },
})

function setInstance({ gaugePools }: AquariusState, of: PoolState, live: LiveEntry<PoolInstance> | null, ledger: number): void {
  of.instance = live
  of.changedLedger = ledger
  if (live === null) return
  const { tokens, rewards } = live.value
  if (tokens.length > 0) of.tokens = tokens
  for (const [, gauge] of rewards.gauges) gaugePools.set(gauge, of.pool)
}
