// A pool itself: its instance and its list of reserves.

import { member } from '@orrery/fold-kit'
import { readPoolInstance, readReserveList } from '../chain/pool-entries.ts'
import { contractList, poolInstance } from '../chain/values.ts'
import { changesOf } from './changes.ts'
import { blendEntry, inPool, poolChanged } from './entry.ts'
import { poolOf } from './state.ts'

export const pool = blendEntry({
  key: 'pool',
  value: poolInstance,
  read: (bytes, { contract }) => readPoolInstance(bytes, contract),
  place: (state, { contract }) =>
    inPool(state, contract, (of) => ({
      get: () => of.instance,
      set: (live) => {
        of.instance = live
        const backstop = live === null ? undefined : state.contracts.get(live.value.backstop)
        if (backstop?.role === 'backstop') of.deployment ??= backstop.deployment
      },
    })),
  // A pool is made before it is set up: until then its instance has no settings.
  notices: { unreadable: null },
  onChange: ({ before }, { contract }, { state, changes }) => {
    const of = changesOf(changes, poolOf(state, contract))
    of.pool = true
    of.instanceBefore ??= before
  },
  docs: { under: 'pool', from: 'instance', what: 'name, admin, oracle, take rate, status, limits' },
})

export const reserveList = blendEntry({
  key: 'reserves',
  value: contractList,
  read: readReserveList,
  place: (state, { contract }) => inPool(state, contract, (of) => member(of, 'reserveList')),
  notices: { unreadable: 'unreadable list of reserves' },
  onChange: poolChanged,
  docs: { under: 'pool', from: '`ResList`', what: 'assets; the place is the index that positions use' },
})
