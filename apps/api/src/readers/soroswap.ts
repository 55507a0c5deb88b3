// Soroswap for the endpoints: pairs, what accounts hold of them, and who its contracts are.

import type { Address, ContractId } from '@orrery/ledger'
import type { StateRow } from '@orrery/protocol-kit'
import type { FeeWindow, SoroswapState, SoroswapView } from '@orrery/soroswap'
import type { RouteContext } from '../route.ts'
import { type LiquidityAccount, liquidityAccount, liquidityPools } from './liquidity.ts'
import type { ContractDescription, Moment, Names, PoolNames, ProtocolReader } from './protocol-reader.ts'
import { readerAt } from './registry-as-of.ts'
import { type Loadable, type Loaded, StateLoader } from './state-loader.ts'

interface SoroswapReader extends ProtocolReader {
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<LiquidityAccount>
}

export function soroswapReader(context: RouteContext): SoroswapReader {
  const at = readerAt(context, readerWith)
  return {
    protocol: 'soroswap',
    hasEmissions: false,
    account: async (address, own, moment) => (await at(moment.at.ledger)).account(address, own, moment),
    pool: async (pool, moment) => (await at(moment.at.ledger)).pool(pool, moment),
    pools: async (moment) => (await at(moment.at.ledger)).pools(moment),
    contracts: async (ids, then) => (await at(then.ledger)).contracts(ids, then),
  }
}

/** With the registry of the context. */
function readerWith(context: RouteContext): SoroswapReader {
  const { soroswap: view } = context.views
  const loader = new StateLoader(loadable(view), context)
  return {
    protocol: 'soroswap',
    hasEmissions: false,
    async account(address, own, moment) {
      const loaded = await loader.account(address, own, moment)
      return liquidityAccount('soroswap', address, view, loaded, namesOf(loaded, context))
    },
    pool: async (pool, { at }) => poolNamesOf(pool, await loader.contracts([pool], at), context),
    async pools(moment) {
      const loaded = await loader.allPools(moment)
      return liquidityPools(view, loaded, namesOf(loaded, context))
    },
    contracts: async (ids, at) => namesOf(await loader.contracts(ids, at), context),
  }
}

function loadable(view: SoroswapView): Loadable<SoroswapState, FeeWindow> {
  return {
    protocol: 'soroswap',
    listings: view.factories(),
    nameKeys: ['pair', 'asset'],
    sharedRefs: () => view.sharedRefs(),
    assetRefs: (state) => view.assetRefs(state),
    load: (rows, asOf) => view.load(rows, asOf),
    pools: (state) => view.pools(state),
    window: { seconds: view.windowSeconds, refs: (pools) => view.windowRefs(pools), load: (rows, at) => view.feeWindow(rows, at) },
  }
}

type SoroswapAsOf = Loaded<SoroswapState, FeeWindow>

/** A pair's own ratio can price one of its tokens, but the network's prices tell their age as well. */
function poolNamesOf(pair: ContractId, loaded: SoroswapAsOf, context: RouteContext): PoolNames {
  const { soroswap: view } = context.views
  const { state, at } = loaded
  const tokens = state.pairs.get(pair)?.tokens ?? []
  return { ...namesOf(loaded, context), prices: () => tokens.flatMap((token) => view.price(state, token, at) ?? []) }
}

function namesOf(loaded: SoroswapAsOf, { views: { soroswap: view }, network }: RouteContext): Names {
  const { state, at } = loaded
  return {
    protocol: 'soroswap',
    knowsPool: (id) => view.pools(state).includes(id),
    contract(id) {
      const pair = describePair(id, view, state)
      if (pair !== null) return pair
      for (const { factory, routers } of network.deployments.soroswap) {
        const name = id === factory ? 'Soroswap factory' : routers.includes(id) ? 'Soroswap router' : null
        if (name !== null) return { name, protocol: 'soroswap', position_types: [], status: 'active', version: '' }
      }
      return null
    },
    // A pair that the registry knows before it exists is a contract of nobody yet, not a token.
    isToken: (id) => !state.pairs.has(id) && view.asset(state, id).decimals !== null,
    asset: (id) => view.asset(state, id),
    price: (id) => view.price(state, id, at),
  }
}

function describePair(id: ContractId, view: SoroswapView, state: SoroswapState): ContractDescription | null {
  const pair = state.pairs.get(id)
  if (pair?.tokens == null) return null
  const symbols = pair.tokens.map((token) => view.asset(state, token).symbol || `${token.slice(0, 4)}…${token.slice(-4)}`)
  return {
    name: `${symbols.join('/')} (constant product 0.3%)`,
    protocol: 'soroswap',
    position_types: ['lp'],
    // A pair cannot be paused, and its factory never forgets it.
    status: 'active',
    version: pair.instance?.value.code ?? '',
  }
}
