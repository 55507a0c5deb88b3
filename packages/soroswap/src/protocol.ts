// Soroswap as a value: what it follows, how its state is loaded, and the fold that turns slices into rows.

import { type Pricing, pricesOf } from '@orrery/pricing'
import type { Adapter, Network, Protocol, StateRow } from '@orrery/protocol-kit'
import { accountEntries } from './account-entries.ts'
import { directoryFor } from './directory.ts'
import { fold } from './fold.ts'
import { rootPairs, routing } from './registry.ts'
import { emptyPair, type SoroswapState } from './state.ts'
import { takeRow } from './state-rows.ts'

/** Raised whenever the same slices would give other rows. */
const VERSION = 3

export const soroswap: Protocol<SoroswapState> = {
  id: 'soroswap',
  displayName: 'Soroswap',
  routing,
  adapter: soroswapAdapter,
  accountEntries,
}

function soroswapAdapter(network: Network): Adapter<SoroswapState> {
  const prices = pricesOf(network)
  const directoryOf = directoryFor(network)
  return {
    protocol: 'soroswap',
    version: VERSION,
    load: (rows, asOf) => loadState(rows, asOf, network, prices),
    fold: (state, slice) => fold(state, slice, { network, pricing: prices, directoryOf }),
  }
}

/** State at the end of `asOf`, or before the first ledger without rows. */
export function loadState(rows: Iterable<StateRow>, asOf: number, network: Network, prices: Pricing): SoroswapState {
  const state = emptyState(network, prices)
  for (const row of rows) {
    if (row.ledger > asOf) continue
    if (!prices.take(state.pricing, row)) takeRow(state, row)
  }
  state.ledger = asOf
  return state
}

/** Nothing but the pairs that the registry names. */
function emptyState(network: Network, prices: Pricing): SoroswapState {
  return {
    ledger: 0,
    factories: new Map(),
    pairs: new Map(rootPairs(network).map(({ contract, balances }) => [contract, { ...emptyPair(contract), tokens: twoOf(balances) }])),
    assets: new Map(),
    pricing: prices.empty(),
  }
}

function twoOf(tokens: readonly string[]): readonly [string, string] | null {
  const [token0, token1] = tokens
  return token0 === undefined || token1 === undefined ? null : [token0, token1]
}
