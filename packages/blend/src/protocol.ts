// Blend as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { deployment } from './deployment.ts'
import { blendSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'
import { blendView } from './view/view.ts'

export const blend = defineProtocol({
  id: 'blend',
  number: 1,
  displayName: 'Blend',
  defaultPartitions: 4,
  deployment,
  pricePool: null,
  version: 5,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: blendSteps,
  accountEntries,
  view: {
    kind: 'lending',
    positionTypes: ['supply', 'collateral', 'liability', 'backstop'],
    pool: 'a Blend pool',
    tvl: 'supplied minus borrowed, without the backstop',
    indexingMode: 'event_driven',
    hasEmissions: true,
    experimental: [],
    of: blendView,
  },
})
