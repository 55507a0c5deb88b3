// Pools of an AMM for lists. Yields and volumes need counters of earlier ledgers, so they are read only for the pools that are shown, or
// for all of them where the list is sorted by one.

import type { ContractId } from '@orrery/ledger'
import type { AmmView, ProtocolId } from '@orrery/protocol-kit'
import { type LiquidityFacts, liquidityPoolEntry } from '../present/pools/liquidity-pool.ts'
import type { PoolEntry } from '../present/pools/pool-item.ts'
import type { RouteContext } from '../route.ts'
import { createdLedgers } from './created-ledgers.ts'
import type { ListedPools, Moment, Names } from './protocol-reader.ts'
import type { Loaded, StateLoader } from './state-loader.ts'

const DAY_SECONDS = 86_400

export function listedLiquidity<State, Window>(
  protocol: ProtocolId,
  view: AmmView<State, Window>,
  loader: StateLoader<State, Window>,
  { state, at, window: empty }: Loaded<State, Window>,
  names: Names,
  moment: Moment,
  context: RouteContext,
): ListedPools {
  const entryOf = (id: ContractId, window: Window, volumes: LiquidityFacts['volumes']): PoolEntry | null => {
    const pool = view.pool(state, id, at, window)
    const name = names.contract(id)?.name ?? pool?.name ?? ''
    return pool === null ? null : liquidityPoolEntry(pool, { protocol, name, volumes, curve: () => view.curve(state, id, at) })
  }
  return {
    ...names,
    entries: view.pools(state).flatMap((id) => entryOf(id, empty, null) ?? []),
    createdLedgers: (pools) =>
      createdLedgers({ protocol, listings: view.listings(), announcement: view.announcement }, pools, moment, context),
    async withYields(pools) {
      const [day, week] = await Promise.all([
        loader.windowOf(pools, DAY_SECONDS, moment),
        loader.windowOf(pools, view.windowSeconds, moment),
      ])
      const volumesOf = (id: ContractId) => ({ day: view.volumeUsd(state, id, day), week: view.volumeUsd(state, id, week) })
      return pools.flatMap((id) => entryOf(id, week, volumesOf(id)) ?? [])
    },
  }
}
