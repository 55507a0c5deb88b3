// Soroswap as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { soroswapSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'

export const soroswap = defineProtocol({
  id: 'soroswap',
  displayName: 'Soroswap',
  version: 3,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: soroswapSteps,
  accountEntries,
})
