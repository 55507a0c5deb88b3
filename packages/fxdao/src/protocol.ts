// FxDAO as a value: what it follows, how its state is loaded, and the fold that turns slices into rows.

import { type Pricing, pricesOf } from '@orrery/pricing'
import type { Adapter, Network, Protocol, StateRow } from '@orrery/protocol-kit'
import { accountEntries } from './account-entries.ts'
import { fold } from './fold.ts'
import { routing } from './registry.ts'
import { emptyLocking, type FxdaoState } from './state.ts'
import { takeRow } from './state-rows.ts'

/** Raised whenever the same slices would give other rows. */
const VERSION = 3

export const fxdao: Protocol<FxdaoState> = {
  id: 'fxdao',
  displayName: 'FxDAO',
  routing,
  adapter: fxdaoAdapter,
  accountEntries,
}

function fxdaoAdapter(network: Network): Adapter<FxdaoState> {
  const prices = pricesOf(network)
  return {
    protocol: 'fxdao',
    version: VERSION,
    load: (rows, asOf) => loadState(rows, asOf, network, prices),
    fold: (state, slice) => fold(state, slice, { network, pricing: prices }),
  }
}

/** State at the end of `asOf`, or before the first ledger without rows. */
export function loadState(rows: Iterable<StateRow>, asOf: number, network: Network, prices: Pricing): FxdaoState {
  const state = emptyState(network, prices)
  for (const row of rows) {
    if (row.ledger > asOf) continue
    if (!prices.take(state.pricing, row)) takeRow(state, row)
  }
  state.ledger = asOf
  return state
}

/** FxDAO is one deployment: its list of vaults is global. */
function emptyState(network: Network, prices: Pricing): FxdaoState {
  const [deployment] = network.deployments.fxdao
  return {
    ledger: 0,
    vaultsContract: deployment?.vaults ?? '',
    core: null,
    currencies: new Map(),
    totals: new Map(),
    changedLedgers: new Map(),
    vaults: new Map(),
    smallVaults: new Set(),
    balances: new Map(),
    locking: new Map((deployment?.lockingPools ?? []).map((contract) => [contract, emptyLocking(contract)])),
    assets: new Map(),
    pricing: prices.empty(),
  }
}
