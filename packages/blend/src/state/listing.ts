// The pools of a factory, by its own list.

import { flag, only } from '@orrery/fold-kit'
import { blendEntry } from './entry.ts'
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
