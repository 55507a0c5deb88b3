// Boost tokens locked by all accounts. Every partition needs them: they are part of the boost in pools of old releases.

import { amountValue, item, stateEntry } from '@orrery/fold-kit'
import { readBoostSupply } from '../chain/boost-entries.ts'
import type { AquariusState } from './state.ts'

export const boost = stateEntry<AquariusState>()({
  key: 'boost',
  value: amountValue,
  shared: true,
  read: (bytes, { contract }) => readBoostSupply(bytes, contract),
  place: ({ boostSupplies }, { contract }) => item(boostSupplies, contract),
  removal: 'kept',
  docs: { under: 'boost feed', from: 'instance', what: 'boost tokens locked' },
})
