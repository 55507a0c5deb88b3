// Soroswap as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { pricePool } from './chain/price-pool.ts'
import { deployment } from './deployment.ts'
import { soroswapSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'
import { soroswapView } from './view/view.ts'

export const soroswap = defineProtocol({
  id: 'soroswap',
  number: 3,
  displayName: 'Soroswap',
  defaultPartitions: 4,
  deployment,
  pricePool,
  version: 5,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: soroswapSteps,
  accountEntries,
  view: {
    kind: 'amm',
    page: 'pairs',
    positionTypes: ['lp'],
    pool: 'a Soroswap pair',
    tvl: 'all reserves',
    indexingMode: 'event_driven',
    hasEmissions: false,
    experimental: ['history'],
    of: soroswapView,
  },
})
