// Blend as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { blendSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'

export const blend = defineProtocol({
  id: 'blend',
  displayName: 'Blend',
  version: 2,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: blendSteps,
  accountEntries,
})
