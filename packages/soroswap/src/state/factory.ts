// The settings of a factory: its fee switch changes every payout.

import { item, stateEntry } from '@orrery/fold-kit'
import { factoryInstance, readFactoryInstance } from '../chain/entries.ts'
import type { SoroswapState } from './state.ts'

export const factory = stateEntry<SoroswapState>()({
  key: 'factory',
  value: factoryInstance,
  shared: true,
  read: (bytes, { contract }) => readFactoryInstance(bytes, contract),
  place: ({ factories }, { contract }) => item(factories, contract),
  removal: 'kept',
  docs: { under: 'factory', from: 'instance', what: 'settings; `fees_enabled` absent on chain means off' },
})
