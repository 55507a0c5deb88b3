// Aquarius as a value: what it follows, how its state is loaded, and the fold that turns slices into rows.

import { type Pricing, pricesOf } from '@orrery/pricing'
import type { Adapter, Network, Protocol, StateRow } from '@orrery/protocol-kit'
import { directoryFor } from './fold/directory.ts'
import { fold } from './fold/fold.ts'
import { rootPools, routing } from './registry.ts'
import { type AquariusState, emptyPool } from './state/state.ts'
import { takeRow } from './state/state-rows.ts'
import { accountEntries } from './view/account-entries.ts'

/** Raised whenever the same slices would give other rows. */
const VERSION = 4

export const aquarius: Protocol<AquariusState> = {
  id: 'aquarius',
  displayName: 'Aquarius',
  routing,
  adapter: aquariusAdapter,
  accountEntries,
}

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
