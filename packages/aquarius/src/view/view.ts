// Aquarius for readers: pools of every kind, what accounts hold of them, and who its contracts are.

import { type PoolView, poolView } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import type { RouterInstance } from '../chain/router-entries.ts'
import { rootPools } from '../registry.ts'
import { boost } from '../state/boost.ts'
import { counters, ENTRIES, emptyState, token } from '../state/entries.ts'
import { listing, registered } from '../state/listing.ts'
import { pool } from '../state/pool.ts'
import { shareToken } from '../state/share-token.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { assetInfo } from './asset.ts'
import { poolCurve } from './curve.ts'
import { describeContract } from './describe.ts'
import { isOpen, poolAnswer, positionAnswer } from './position.ts'
import { type ValuedPool, valuePool } from './valuation.ts'

export interface AquariusView extends PoolView<AquariusState> {
  /** The settings of a router, or null before its first ledger. */
  router(state: AquariusState, router: ContractId): RouterInstance | null
}

/** Readers of one network. Between two calls it keeps only the registry. */
export function aquariusView(network: Network): AquariusView {
  const deployments = network.deployments.aquarius
  const view = poolView<AquariusState, PoolState, ValuedPool>(
    {
      entries: ENTRIES,
      emptyState,
      listings: deployments.map(({ router }) => router),
      announcement: { keyOf: (pool) => listing.keyOf({ pool }), isCreation: ({ announced }) => announced === true },
      sharedRefs: deployments.flatMap(({ boostFeed: contract }) => (contract === null ? [] : { contract, key: boost.key })),
      // Pools of the registry predate the index: no router announced them within it.
      rootPools: rootPools(network).map((root) => root.contract),
      keys: { counters: counters.key, token: token.key },
      pools: ({ pools }) => pools,
      isListed: ({ instance, listing }) => instance !== null || listing !== null,
      tokensOf: (pool) => [...pool.tokens, ...rewardTokens(pool)],
      asset: assetInfo,
      value: valuePool,
      pool: poolAnswer,
      position: positionAnswer,
      curve: poolCurve,
      payout({ type, tokens, payoutReserves, instance }) {
        if (type === 'concentrated') return 'ranges'
        return type === 'unknown' ? null : { tokens, amounts: payoutReserves, supply: instance.totalShares, isOfPair: false }
      },
      isOpen,
    },
    network,
  )
  const contract = (state: AquariusState, id: ContractId) => describeContract(state, id, network)
  return {
    ...view,
    nameKeys: [pool.key, registered.key, shareToken.key, token.key],
    pricesNeed: 'pool',
    pricesOfPool: (state, id, at, window) => (view.pool(state, id, at, window)?.reserves ?? []).flatMap(({ price }) => price ?? []),
    contract,
    isToken: (state, id) => contract(state, id) === null && view.asset(state, id).decimals !== null,
    router: (state, router) => state.routers.get(router)?.instance?.value ?? null,
  }
}

function rewardTokens({ instance }: PoolState): readonly ContractId[] {
  if (instance === null) return []
  const { token, gauges } = instance.value.rewards
  return [...(token === '' ? [] : [token]), ...gauges.map(([reward]) => reward)]
}
