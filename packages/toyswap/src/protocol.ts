// Toyswap as a value. It is deployed nowhere: the smallest constant product AMM, for tests and to copy from.

import { defineProtocol } from '@orrery/fold-kit'
import { balanceName, ContractAddress, defineDeployment, LedgerSequence } from '@orrery/protocol-kit'
import { steps } from './fold.ts'
import { routing } from './registry.ts'
import { ENTRIES, emptyState, pool } from './state.ts'
import { ammView } from './view.ts'

export const toyswap = defineProtocol({
  id: 'toyswap',
  number: 250,
  displayName: 'Toyswap',
  version: 1,
  defaultPartitions: 2,
  deployment: defineDeployment({ identity: 'factory', shape: { factory: ContractAddress, from_ledger: LedgerSequence } }),
  pricePool: null,
  routing,
  entries: ENTRIES,
  emptyState,
  steps,
  accountEntries: {
    listings: (network) => ammView(network).listings(),
    poolKeys: [pool.key],
    predatingPools: () => [],
    poolOf: ({ contract }) => contract,
    names: (contract, address) => [balanceName(contract, address)],
  },
  view: {
    kind: 'amm',
    page: 'pools',
    positionTypes: ['lp'],
    pool: 'a Toyswap pool',
    tvl: 'all reserves',
    hasEmissions: false,
    experimental: ['positions', 'history'],
    of: ammView,
  },
})
