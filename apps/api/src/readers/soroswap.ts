// Soroswap for the endpoints: pairs, what accounts hold of them, and who its contracts are.

import type { Address, ContractId } from '@orrery/ledger'
import type { LpPool, LpPosition, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import type { FeeWindow, SoroswapState, SoroswapView } from '@orrery/soroswap'
import { lpValue, presentLpItem } from '../present/lp-position.ts'
import { liquidityEntry } from '../present/position-item.ts'
import type { PriceUse } from '../present/price-use.ts'
import { poolReserves } from '../present/reserve.ts'
import type { RouteContext } from '../route.ts'
import type { AccountState, ContractDescription, Moment, Names, PoolsState, ProtocolReader } from './protocol-reader.ts'
import { type Loadable, type Loaded, StateLoader } from './state-loader.ts'

interface SoroswapNames extends Names {
  /** The tokens of a pair at the moment; none of what is no pair. */
  tokensOf(pair: ContractId): readonly ContractId[]
}

interface SoroswapAccount extends AccountState {
  /** Open positions, by pair. Their prices go into `prices`. */
  positions(prices: PriceUse): LpPosition[]
}

interface SoroswapReader extends ProtocolReader {
  account(address: Address, own: Promise<readonly StateRow[]>, moment: Moment): Promise<SoroswapAccount>
  contracts(ids: readonly ContractId[], at: LedgerTime): Promise<SoroswapNames>
}

export function soroswapReader(context: RouteContext): SoroswapReader {
  const { soroswap: view } = context.views
  const loader = new StateLoader(loadable(view), context)
  return {
    protocol: 'soroswap',
    hasEmissions: false,
    account: async (address, own, moment) => accountOf(address, await loader.account(address, own, moment), context),
    pools: async (moment) => poolsOf(await loader.allPools(moment), context),
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

function accountOf(address: Address, loaded: SoroswapAsOf, context: RouteContext): SoroswapAccount {
  const { soroswap: view } = context.views
  const { state, at, window } = loaded
  const positions = (prices: PriceUse): LpPosition[] => {
    const open = view.positions(state, address, at, window)
    for (const token of open.flatMap((position) => position.tokens)) prices.add(token.price)
    return open
  }
  return {
    ...namesOf(loaded, context),
    positions,
    portfolio(prices) {
      const open = positions(prices)
      if (open.length === 0) return null
      const items = open.map((position) => presentLpItem(position, at.ledger))
      return { entry: liquidityEntry('soroswap', items), complete: open.every((position) => lpValue(position).complete) }
    },
  }
}

function poolsOf(loaded: SoroswapAsOf, context: RouteContext): PoolsState {
  const { soroswap: view } = context.views
  const { state, at, window } = loaded
  return {
    ...namesOf(loaded, context),
    reserves(prices) {
      const pools: LpPool[] = view.pools(state).flatMap((pool) => view.pool(state, pool, at, window) ?? [])
      for (const { price } of pools.flatMap((pool) => pool.reserves)) prices.add(price)
      return {
        reserves: pools.flatMap((pool) => poolReserves(pool, 'constant_product')),
        backstops: [],
        complete: pools.every((pool) => pool.unpricedAssets === 0),
      }
    },
    emissions: () => ({ pools: [], complete: true }),
  }
}

function namesOf(loaded: SoroswapAsOf, { views: { soroswap: view }, network }: RouteContext): SoroswapNames {
  const { state, at } = loaded
  return {
    protocol: 'soroswap',
    knowsPool: (id) => view.pools(state).includes(id),
    tokensOf: (pair) => state.pairs.get(pair)?.tokens ?? [],
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
