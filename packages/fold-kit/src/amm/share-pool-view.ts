// Share pools as the API reads every AMM: pools, what accounts hold of them, and prices. They have no yields: nothing counts their fees.

import type { AmmView, Network } from '@orrery/protocol-kit'
import type { FeeWindow } from '../fee-window.ts'
import { NO_YIELD } from '../fee-yield.ts'
import { type LpFacts, lpPool, lpPosition } from './lp-answers.ts'
import { poolView } from './pool-view.ts'
import { emptySharePools, type SharePool, type SharePoolState } from './share-pool.ts'
import type { SharePoolAmm } from './share-pool-amm.ts'
import { hintedAsset, sharesOf, type ValuedSharePool, valueSharePool, worthOfShares } from './share-pool-value.ts'

export function sharePoolView({ entries, shareDecimals, factoriesOf }: SharePoolAmm, network: Network): AmmView<SharePoolState, FeeWindow> {
  const tokensOf = ({ instance }: SharePool) => instance?.value.tokens ?? []
  const nameOf = (pool: SharePool) =>
    tokensOf(pool)
      .map((id) => hintedAsset(network, id).symbol)
      .join('/')
  const factsOf = (valued: ValuedSharePool): LpFacts => {
    const { pool } = valued.pool
    const name = nameOf(valued.pool)
    return { ...valued, pool, name, poolType: 'constant_product', shareAsset: pool, shareSupply: valued.supply, shareDecimals }
  }
  const view = poolView<SharePoolState, SharePool, ValuedSharePool>(
    {
      entries: entries.all,
      emptyState: emptySharePools,
      listings: factoriesOf(network),
      announcement: { keyOf: (pool) => entries.listing.keyOf({ pool }), isCreation: () => true },
      sharedRefs: [],
      rootPools: [],
      keys: { counters: '', token: '' },
      pools: ({ pools }) => pools,
      isListed: () => true,
      tokensOf,
      asset: (_, id) => hintedAsset(network, id),
      value: valueSharePool,
      pool: ({ ledger }, valued) => lpPool(factsOf(valued), ledger, NO_YIELD),
      position(_, valued, address) {
        const shares = sharesOf(valued.pool, address)
        return lpPosition(factsOf(valued), address, shares, worthOfShares(shares, valued), NO_YIELD)
      },
      curve: ({ instance }) => (instance === null ? null : { kind: 'constant_product' }),
      payout: ({ tokens, reserves, supply }) => ({ tokens, amounts: reserves, supply, isOfPair: false }),
      isOpen: ({ shares }) => shares > 0n,
    },
    network,
  )
  return {
    ...view,
    nameKeys: [entries.pool.key],
    windowSeconds: 0,
    windowRefs: () => [],
    assetRefs: () => [],
    pricesNeed: 'pool',
    pricesOfPool: (state, id, at, window) => (view.pool(state, id, at, window)?.reserves ?? []).flatMap(({ price }) => price ?? []),
    contract({ pools }, id) {
      const pool = pools.get(id)
      return pool === undefined ? null : { name: nameOf(pool), positionTypes: ['lp'], status: 'active', version: '' }
    },
    isToken: ({ pools }, id) => !pools.has(id) && network.assets[id] !== undefined,
  }
}
