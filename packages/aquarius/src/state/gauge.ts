// Gauges of a pool: what each pays, and what holders have there.

import { item, stateEntry } from '@orrery/fold-kit'
import { gaugeInstance, gaugeUser as gaugeUserValue, readGaugeInstance, readGaugeUser } from '../chain/gauge-entries.ts'
import type { Changes } from './changes.ts'
import { type AquariusState, holderOf, ownedPoolOf, poolOf } from './state.ts'

export const gauge = stateEntry<AquariusState, Changes>()({
  key: 'gauge:{gauge}',
  value: gaugeInstance,
  read: (bytes, at) => readGaugeInstance(bytes, at.gauge),
  place: (state, at) => {
    const place = item(ownedPoolOf(state, at.contract).gauges, at.gauge)
    return {
      get: place.get,
      set: (live, ledger) => {
        place.set(live, ledger)
        state.gaugePools.set(at.gauge, at.contract)
      },
    }
  },
  removal: 'kept',
  notices: { unreadable: 'unreadable instance of a gauge' },
  onChange: (_, { contract }, { state, changes }) => changes.pools.add(poolOf(state, contract)),
  docs: { under: 'pool', from: "the gauge's instance", what: 'rates (start, end, tokens a second), accumulated, claimed, index' },
})

export const gaugeUser = stateEntry<AquariusState>()({
  key: '@{owner}:gauge:{gauge}',
  value: gaugeUserValue,
  read: readGaugeUser,
  place: (state, at) => {
    const pool = ownedPoolOf(state, at.contract)
    return {
      get: () => pool.holders.get(at.owner)?.gauges.get(at.gauge) ?? null,
      set: (live, ledger) => item(holderOf(pool, at.owner).gauges, at.gauge).set(live, ledger),
    }
  },
  removal: 'kept',
  notices: { unreadable: 'unreadable gauge' },
  docs: { under: 'pool', from: "the gauge's `UserRewardData(holder)`", what: 'rewards of the gauge as of the last checkpoint' },
})
