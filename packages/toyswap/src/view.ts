// What the fold and the API compute from state: a pool at its prices, an account's part of it.

import {
  type FeeWindow,
  NO_YIELD,
  partOfReserves,
  tokenAmounts,
  usdText,
  valuedToken,
  valueReserves,
  worthOfAmounts,
} from '@orrery/fold-kit'
import { constantProductQuote, pricesOf, ratio } from '@orrery/pricing'
import type { AmmView, AssetInfo, At, LpPosition, Network } from '@orrery/protocol-kit'
import { factoriesOf } from './registry.ts'
import { ENTRIES, emptyState, type Pool, type State } from './state.ts'

export function assetInfo({ assets }: Network, asset: string): AssetInfo {
  const hint = assets[asset]
  return { asset, symbol: hint?.code ?? '', decimals: hint?.decimals ?? null, tags: hint?.tags ?? [] }
}

export function tokensOf({ instance }: Pool): readonly string[] {
  return instance === null ? [] : [instance.value.tokenA, instance.value.tokenB]
}

export function valuePool({ pricing: prices }: State, of: Pool, at: At, { network }: { readonly network: Network }) {
  if (of.instance === null) return null
  const { reserveA, reserveB, supply } = of.instance.value
  const [ids, reserves] = [tokensOf(of), [reserveA, reserveB]]
  const impliedBy = [constantProductQuote(of.pool, ids, reserves)]
  const tokens = ids.map((id) => valuedToken(assetInfo(network, id), pricesOf(network).priceOf(prices, id, at, { impliedBy })))
  return { pool: of.pool, tokens, reserves, supply, ...valueReserves(tokens, reserves) }
}
type Valued = NonNullable<ReturnType<typeof valuePool>>

/** shares · reserve / supply, floored as the contract does. */
export function worthOf(shares: bigint, { tokens, reserves, supply }: Valued) {
  return worthOfAmounts(partOfReserves(shares, reserves, supply), tokens)
}

export function ammView(network: Network): AmmView<State, FeeWindow> {
  const pricing = pricesOf(network)
  const nameOf = (pool: Pool): string =>
    tokensOf(pool)
      .map((id) => assetInfo(network, id).symbol)
      .join('/')
  const valued = (state: State, id: string, at: At) => {
    const pool = state.pools.get(id)
    return pool === undefined ? null : valuePool(state, pool, at, { network })
  }
  const position = (state: State, pool: Pool, address: string, at: At): LpPosition[] => {
    const [shares, of] = [pool.holders.get(address)?.value ?? 0n, valued(state, pool.pool, at)]
    if (of === null || shares === 0n) return []
    const { amounts, netUsd } = worthOf(shares, of)
    return [
      {
        ...{
          pool: pool.pool,
          poolName: nameOf(pool),
          poolType: 'constant_product',
          shareAsset: pool.pool,
          address,
          shares,
          shareDecimals: 7,
        },
        ...{ shareSupply: of.supply, poolSharePct: ratio(shares * 100n, of.supply, 8), tokens: tokenAmounts(of.tokens, amounts) },
        ...{ netUsd: netUsd === null ? null : usdText(netUsd), feeApr: NO_YIELD.apr, feeApy: NO_YIELD.apy, emissionApy: '0' },
        ...{ claimable: [], ranges: [], exact: true, costBasis: null },
      },
    ]
  }
  return {
    announcement: { keyOf: (pool) => `pool:${pool}`, isCreation: () => true },
    nameKeys: ['pool'],
    windowSeconds: 0,
    pricesNeed: 'pool',
    listings: () => factoriesOf(network),
    sharedRefs: () => pricing.stateRefs(),
    assetRefs: () => [],
    windowRefs: () => [],
    feeWindow: () => new Map(),
    load: (rows, asOf) => ENTRIES.load(emptyState(network, pricing), rows, asOf, pricing),
    pools: ({ pools }) => [...pools.keys()].sort(),
    hasPool: ({ pools }, id) => pools.has(id),
    pool(state, id, at) {
      const [pool, of] = [state.pools.get(id), valued(state, id, at)]
      if (pool === undefined || of === null) return null
      return {
        ...{ pool: id, name: nameOf(pool), poolType: 'constant_product', shareAsset: id, shareSupply: of.supply, shareDecimals: 7 },
        ...{ reserves: tokenAmounts(of.tokens, of.reserves), balances: of.reserves, fee: '0', feeApr: NO_YIELD.apr, feeApy: NO_YIELD.apy },
        ...{ emissions: [], tvlUsd: usdText(of.tvlUsd), unpricedAssets: of.unpricedAssets, status: 'active', ledger: state.ledger },
      }
    },
    curve: ({ pools }, id) => (pools.has(id) ? { kind: 'constant_product' } : null),
    feeApy: () => NO_YIELD.apy,
    volumeUsd: () => '0',
    positions: (state, address, at) => [...state.pools.values()].flatMap((pool) => position(state, pool, address, at)),
    pricesOfPool: (state, id, at) => (valued(state, id, at)?.tokens ?? []).flatMap(({ price }) => price ?? []),
    contract: ({ pools }, id) => {
      const pool = pools.get(id)
      return pool === undefined ? null : { name: nameOf(pool), positionTypes: ['lp'], status: 'active', version: '' }
    },
    isToken: ({ pools }, id) => !pools.has(id) && network.assets[id] !== undefined,
    asset: (_, id) => assetInfo(network, id),
    price: ({ pricing: prices }, id, at) => pricing.priceOf(prices, id, at),
  }
}
