// A pool itself: its listing by its factory, its instance and its list of reserves.

import { flag, member, only } from '@orrery/fold-kit'
import { readContracts } from '../chain/entry-reader.ts'
import { readPoolInstance } from '../chain/pool-entries.ts'
import { contractList, poolInstance } from '../chain/values.ts'
import { changesOf } from './changes.ts'
import { blendEntry, inPool, poolChanged } from './entry.ts'
import { poolOf } from './state.ts'

/** True: the factory made the pool within the index, so every account of it is known. */
export const listing = blendEntry({
  key: 'pool:{pool}',
  value: only('announced', flag),
  shared: true,
  place: (state, { contract, pool }) => {
    const registered = state.contracts.get(contract)
    if (registered?.role !== 'factory') return null
    return {
      set: (live) => {
        const listed = poolOf(state, pool)
        listed.deployment = registered.deployment
        listed.listed = live?.value ?? false
      },
    }
  },
  docs: {
    under: 'factory',
    from: '`Contracts(pool)`',
    what: 'a pool; `announced`: made within the index, so every account of it is known',
  },
})

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
  read: readContracts,
  place: (state, { contract }) => inPool(state, contract, (of) => member(of, 'reserveList')),
  notices: { unreadable: 'unreadable list of reserves' },
  onChange: poolChanged,
  docs: { under: 'pool', from: '`ResList`', what: 'assets; the place is the index that positions use' },
})
