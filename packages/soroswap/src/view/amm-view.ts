// Soroswap's view as the API asks every AMM: pairs, what accounts hold of them, and who its contracts are.

import { type FeeWindow, feeApyOf, volumeInWindow } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { AmmView, ContractDescription, Network } from '@orrery/protocol-kit'
import { token } from '../state/entries.ts'
import { listing } from '../state/listing.ts'
import { pair as pairEntry } from '../state/pair.ts'
import type { SoroswapState } from '../state/state.ts'
import { type SoroswapView, soroswapView } from './view.ts'

export function ammView(network: Network): AmmView<SoroswapState, FeeWindow> {
  const view = soroswapView(network)
  return {
    announcement: { keyOf: (pair) => listing.keyOf({ pair }), isCreation: ({ index }) => index !== null },
    nameKeys: [pairEntry.key, token.key],
    windowSeconds: view.windowSeconds,
    listings: () => view.factories(),
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    windowRefs: (pools) => view.windowRefs(pools),
    load: (rows, asOf) => view.load(rows, asOf),
    feeWindow: (rows, at) => view.feeWindow(rows, at),
    pools: (state) => view.pools(state),
    hasPool: (state, pool) => view.pools(state).includes(pool),
    pool: (state, pool, at, window) => view.pool(state, pool, at, window),
    curve: (state, pool) => ((state.pairs.get(pool)?.instance ?? null) === null ? null : { kind: 'constant_product' }),
    feeApy: feeApyOf,
    volumeUsd: (state, pool, since) => volumeInWindow(pool, state.pairs.get(pool)?.counters ?? null, since),
    positions: (state, address, at, window) => view.positions(state, address, at, window),
    asset: (state, asset) => view.asset(state, asset),
    price: (state, asset, at) => view.price(state, asset, at),
    // A pair's own ratio can price one of its tokens, but the network's prices have their age as well.
    pricesNeed: 'names',
    pricesOfPool: (state, pool, at) => (state.pairs.get(pool)?.tokens ?? []).flatMap((it) => view.price(state, it, at) ?? []),
    contract: (state, id) => describePair(id, view, state) ?? describeRoot(id, network),
    // A pair that the registry knows before it exists is a contract of no protocol yet, not a token.
    isToken: (state, id) => !state.pairs.has(id) && view.asset(state, id).decimals !== null,
  }
}

function describeRoot(id: ContractId, { deployments }: Network): ContractDescription | null {
  for (const { factory, routers } of deployments.soroswap) {
    const name = id === factory ? 'Soroswap factory' : routers.includes(id) ? 'Soroswap router' : null
    if (name !== null) return { name, positionTypes: [], status: 'active', version: '' }
  }
  return null
}

function describePair(id: ContractId, view: SoroswapView, state: SoroswapState): ContractDescription | null {
  const pair = state.pairs.get(id)
  if (pair?.tokens == null) return null
  const symbols = pair.tokens.map((it) => view.asset(state, it).symbol || `${it.slice(0, 4)}…${it.slice(-4)}`)
  return {
    name: `${symbols.join('/')} (constant product 0.3%)`,
    positionTypes: ['lp'],
    // A pair cannot be paused, and its factory never forgets it.
    status: 'active',
    version: pair.instance?.value.code ?? '',
  }
}
