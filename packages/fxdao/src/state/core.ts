// The settings of the vaults: a part of their instance.

import { member, stateEntry } from '@orrery/fold-kit'
import { coreState, readVaultsInstance } from '../chain/entries.ts'
import type { FxdaoState } from './state.ts'

export const core = stateEntry<FxdaoState>()({
  key: 'core',
  value: coreState,
  read: (bytes, { contract }) => readVaultsInstance(bytes, contract)?.core ?? null,
  place: (state, { contract }) => (contract === state.vaultsContract ? member(state, 'core') : null),
  docs: { under: 'vaults', from: 'instance', what: 'administration, fee, oracle, treasury, panic mode' },
})
