// Aquarius as a value: what it follows, how its state is loaded, and the fold that turns slices into rows.

import { type Pricing, pricesOf } from '@orrery/pricing'
import { type Adapter, declareProtocolNumber, MAX_PARTITIONS, type Network, type Protocol, type StateRow } from '@orrery/protocol-kit'
import { accountEntries } from './account-entries.ts'
import { ammView } from './amm-view.ts'
import { pricePool } from './chain/price-pool.ts'
import { deployment } from './deployment.ts'
import { directoryFor } from './directory.ts'
import { fold } from './fold.ts'
import { rootPools, routing } from './registry.ts'
import { type AquariusState, emptyPool } from './state.ts'
import { takeRow } from './state-rows.ts'

/** Raised whenever the same slices would give other rows. */
const VERSION = 4

export const aquarius: Protocol<AquariusState> = {
  id: 'aquarius',
  number: 2,
  displayName: 'Aquarius',
  defaultPartitions: 4,
  maxPartitions: MAX_PARTITIONS,
  deployment,
  pricePool,
  routing,
  adapter: aquariusAdapter,
  accountEntries,
  view: {
    kind: 'amm',
    page: 'pools',
    positionTypes: ['lp'],
    pool: 'an Aquarius pool',
    tvl: 'all reserves',
    hasEmissions: true,
    experimental: [],
    of: ammView,
  },
}
declareProtocolNumber(aquarius.id, aquarius.number)

function aquariusAdapter(network: Network): Adapter<AquariusState> {
  const prices = pricesOf(network)
  const directoryOf = directoryFor(network)
  return {
    protocol: 'aquarius',
    version: VERSION,
    load: (rows, asOf) => loadState(rows, asOf, network, prices),
    fold: (state, slice) => fold(state, slice, { network, pricing: prices, directoryOf }),
  }
}

/** State at the end of `asOf`, or before the first ledger without rows. */
export function loadState(rows: Iterable<StateRow>, asOf: number, network: Network, prices: Pricing): AquariusState {
  const state = emptyState(network, prices)
  state.ledger = asOf
  for (const row of rows) {
    if (row.ledger > asOf) continue
    if (!prices.take(state.pricing, row)) takeRow(state, row)
  }
  return state
}

/** Nothing but the pools that the registry names. */
function emptyState(network: Network, prices: Pricing): AquariusState {
  return {
    ledger: 0,
    routers: new Map(),
    pools: new Map(rootPools(network).map(({ contract, balances }) => [contract, { ...emptyPool(contract), tokens: balances }])),
    shareTokens: new Map(),
    gaugePools: new Map(),
    boostSupplies: new Map(),
    assets: new Map(),
    pricing: prices.empty(),
  }
}
