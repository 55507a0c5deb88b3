// FxDAO as a value: what it follows, what it remembers, and the fold that turns slices into rows.

import { defineProtocol } from '@orrery/fold-kit'
import { peggedCoins } from './chain/pegged-coins.ts'
import { deployment } from './deployment.ts'
import { fxdaoSteps } from './fold/fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState } from './state/entries.ts'
import { accountEntries } from './view/account-entries.ts'
import { fxdaoView } from './view/view.ts'

export const fxdao = defineProtocol({
  id: 'fxdao',
  number: 4,
  displayName: 'FxDAO',
  // Its list of vaults is global.
  defaultPartitions: 1,
  maxPartitions: 1,
  deployment,
  pricePool: null,
  peggedCoins,
  version: 5,
  routing,
  entries: ENTRIES,
  emptyState,
  steps: fxdaoSteps,
  accountEntries,
  view: {
    kind: 'vault',
    positionTypes: ['collateral', 'liability', 'supply', 'vault'],
    pool: 'a currency of FxDAO',
    tvl: 'collateral and locked stakes',
    indexingMode: 'state_driven',
    hasEmissions: false,
    experimental: ['positions', 'history'],
    of: fxdaoView,
  },
})
