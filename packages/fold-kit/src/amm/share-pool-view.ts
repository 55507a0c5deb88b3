// Share pools as the API reads every AMM: pools, what accounts hold of them, and prices. They have no yields: nothing counts their fees.

import type { ContractId } from '@orrery/ledger'
import { pricesOf, ratio } from '@orrery/pricing'
import type { AmmView, At, LpPosition, Network } from '@orrery/protocol-kit'
import type { FeeWindow } from '../fee-window.ts'
import { NO_YIELD } from '../fee-yield.ts'
import { usdText } from '../usd-units.ts'
import { emptySharePools, type SharePool, type SharePoolState } from './share-pool.ts'
import type { SharePoolAmm } from './share-pool-amm.ts'
import { hintedAsset, valueSharePool, worthOfShares } from './share-pool-value.ts'
import { tokenAmounts } from './valuation.ts'

export function sharePoolView({ entries, shareDecimals, factoriesOf }: SharePoolAmm, network: Network): AmmView<SharePoolState, FeeWindow> {
  const pricing = pricesOf(network)
  const valued = (state: SharePoolState, id: ContractId, at: At) => {
    const pool = state.pools.get(id)
    return pool === undefined ? null : valueSharePool(state, pool, at, { network, pricing })
  }
  const common = (pool: SharePool) => ({
    pool: pool.pool,
    poolType: 'constant_product' as const,
    shareAsset: pool.pool,
    shareDecimals,
    feeApr: NO_YIELD.apr,
    feeApy: NO_YIELD.apy,
  })
  const nameOf = ({ instance }: SharePool) => (instance?.value.tokens ?? []).map((id) => hintedAsset(network, id).symbol).join('/')
  return {
    nameKeys: [entries.pool.key],
    windowSeconds: 0,
    pricesNeed: 'pool',
    listings: () => factoriesOf(network),
    sharedRefs: () => pricing.stateRefs(),
    assetRefs: () => [],
    windowRefs: () => [],
    feeWindow: () => new Map(),
    load: (rows, asOf) => entries.all.load(emptySharePools(network, pricing), rows, asOf, pricing),
    pools: ({ pools }) => [...pools.keys()].sort(),
    hasPool: ({ pools }, id) => pools.has(id),
    pool(state, id, at) {
      const of = valued(state, id, at)
      if (of === null) return null
      return {
        ...common(of.pool),
        name: nameOf(of.pool),
        shareSupply: of.supply,
        reserves: tokenAmounts(of.tokens, of.reserves),
        balances: of.reserves,
        fee: '0',
        emissions: [],
        tvlUsd: usdText(of.tvlUsd),
        unpricedAssets: of.unpricedAssets,
        status: 'active',
        ledger: state.ledger,
      }
    },
    positions: (state, address, at) =>
      [...state.pools.values()].flatMap((pool): LpPosition[] => {
        const [shares, of] = [pool.holders.get(address)?.value ?? 0n, valued(state, pool.pool, at)]
        if (of === null || shares === 0n) return []
        const { amounts, netUsd } = worthOfShares(shares, of)
        return [
          {
            ...common(pool),
            poolName: nameOf(pool),
            address,
            shares,
            shareSupply: of.supply,
            poolSharePct: of.supply === 0n ? '0' : ratio(shares * 100n, of.supply, 8),
            tokens: tokenAmounts(of.tokens, amounts),
            netUsd: netUsd === null ? null : usdText(netUsd),
            emissionApy: '0',
            claimable: [],
            ranges: [],
            exact: true,
            costBasis: null,
          },
        ]
      }),
    pricesOfPool: (state, id, at) => (valued(state, id, at)?.tokens ?? []).flatMap(({ price }) => price ?? []),
    contract({ pools }, id) {
      const pool = pools.get(id)
      return pool === undefined ? null : { name: nameOf(pool), positionTypes: ['lp'], status: 'active', version: '' }
    },
    isToken: ({ pools }, id) => !pools.has(id) && network.assets[id] !== undefined,
    asset: (_, id) => hintedAsset(network, id),
    price: (state, id, at) => pricing.priceOf(state.pricing, id, at),
  }
}
