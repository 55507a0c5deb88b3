// Aquarius as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { pricePool } from './chain/price-pool.ts'
import { deployment } from './deployment.ts'
import { aquariusSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'
import { aquariusView } from './view/view.ts'

export const aquarius = defineProtocol({
  id: 'aquarius',
  number: 2,
  displayName: 'Aquarius',
  defaultPartitions: 4,
  deployment,
  pricePool,
  version: 6,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: aquariusSteps,
  accountEntries,
  view: {
    kind: 'amm',
    page: 'pools',
    positionTypes: ['lp'],
    pool: 'an Aquarius pool',
    tvl: 'all reserves',
    indexingMode: 'event_driven',
    hasEmissions: true,
    experimental: [],
    of: aquariusView,
  },
})
