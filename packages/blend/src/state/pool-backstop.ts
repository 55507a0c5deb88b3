// What a backstop keeps of one pool, filed under the pool: one range of keys is then everything that a pool is.

import { member } from '@orrery/fold-kit'
import { readBackstopBalance, readWaitingEmission } from '../chain/backstop-entries.ts'
import { readEmissionConfig, readEmissionData } from '../chain/pool-entries.ts'
import * as values from '../chain/values.ts'
import { changesOf } from './changes.ts'
import { blendEntry, inPool, poolChanged } from './entry.ts'
import { poolOf } from './state.ts'

export const poolBackstop = blendEntry({
  key: 'backstop',
  value: values.backstopBalance,
  read: readBackstopBalance,
  place: (state, { contract }) => inPool(state, contract, ({ backstop }) => member(backstop, 'balance')),
  notices: { unreadable: 'unreadable pool balance' },
  onChange: ({ before }, { contract }, { state, changes }) => {
    const of = changesOf(changes, poolOf(state, contract))
    of.pool = true
    of.backstopBefore ??= before
  },
  docs: { under: 'pool', from: "the backstop's `PoolBalance`", what: "shares, queued shares and LP tokens of the pool's backstop" },
})

export const backstopEmission = blendEntry({
  key: 'backstop_emission',
  value: values.emissionData,
  read: readEmissionData,
  place: (state, { contract }) => inPool(state, contract, ({ backstop }) => member(backstop, 'emission')),
  notices: { unreadable: 'unreadable backstop emission' },
  onChange: poolChanged,
  docs: { under: 'pool', from: "the backstop's `BEmisData`", what: "emissions of the pool's backstop" },
})

export const backstopEmissionConfig = blendEntry({
  key: 'backstop_emission_config',
  value: values.emissionConfig,
  read: readEmissionConfig,
  place: (state, { contract }) => inPool(state, contract, ({ backstop }) => member(backstop, 'emissionConfig')),
  notices: { unreadable: 'unreadable backstop emission config' },
  onChange: poolChanged,
  docs: { under: 'pool', from: "the backstop's `BEmisCfg` (v1)", what: 'rate and end of these emissions' },
})

export const backstopWaiting = blendEntry({
  key: 'backstop_waiting',
  value: values.waitingEmission,
  read: readWaitingEmission,
  place: (state, { contract }) => inPool(state, contract, ({ backstop }) => member(backstop, 'waiting')),
  notices: { unreadable: 'unreadable waiting emission' },
  docs: { under: 'pool', from: "the backstop's `PoolEmis` (v1), `RzEmis` (v2)", what: 'BLND that the pool has not gulped yet' },
})
