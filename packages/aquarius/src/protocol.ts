// Aquarius as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { aquariusSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'

export const aquarius = defineProtocol({
  id: 'aquarius',
  displayName: 'Aquarius',
  version: 4,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: aquariusSteps,
  accountEntries,
})
