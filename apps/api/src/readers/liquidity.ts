// What the readers of liquidity pools have in common: positions and pools come out of their views in the same shape.

import type { Address, ContractId } from '@orrery/ledger'
import type { LpPool, LpPosition, ProtocolId } from '@orrery/protocol-kit'
import type { LedgerTime } from '@orrery/read-model'
import { liquidityEmissions } from '../present/emission.ts'
import { isLpComplete, liquidityEntry, lpRewards } from '../present/lp-position.ts'
import type { PriceUse } from '../present/price-use.ts'
import { poolReserves } from '../present/reserve.ts'
import { isPriced } from '../present/reward.ts'
import type { AccountsState, Names, PoolsState } from './protocol-reader.ts'
import type { Loaded } from './state-loader.ts'

/** The members of a view that make positions and pools. */
interface LiquidityView<State, Window> {
  positions(state: State, address: Address, at: LedgerTime, window: Window): LpPosition[]
  pools(state: State): readonly ContractId[]
  pool(state: State, pool: ContractId, at: LedgerTime, window: Window): LpPool | null
}

export interface LiquidityAccount extends Names {
  /** Positions that are open or have rewards to claim, by pool. Their prices go into `prices`. */
  positions(prices: PriceUse): LpPosition[]
}

export function liquidityAccount<State, Window>(
  address: Address,
  view: LiquidityView<State, Window>,
  loaded: Loaded<State, Window>,
  names: Names,
): LiquidityAccount {
  return { ...names, positions: (prices) => positionsOf(address, view, loaded, prices) }
}

export function liquidityAccounts<State, Window>(
  protocol: ProtocolId,
  view: LiquidityView<State, Window>,
  loaded: Loaded<State, Window>,
  names: Names,
): AccountsState {
  return {
    ...names,
    portfolio(address, prices) {
      const found = positionsOf(address, view, loaded, prices)
      const shown = found.filter((position) => position.shares > 0n || lpRewards(position).length > 0)
      if (shown.length === 0) return null
      const complete = shown.every((position) => isLpComplete(position) && lpRewards(position).every(isPriced))
      return { entry: liquidityEntry(protocol, shown, loaded.at.ledger), complete }
    },
  }
}

function positionsOf<State, Window>(
  address: Address,
  view: LiquidityView<State, Window>,
  { state, at, window }: Loaded<State, Window>,
  prices: PriceUse,
): LpPosition[] {
  const found = view.positions(state, address, at, window)
  for (const { price } of found.flatMap((position) => [...position.tokens, ...position.claimable])) prices.add(price)
  return found
}

export function liquidityPools<State, Window>(
  view: LiquidityView<State, Window>,
  { state, at, window }: Loaded<State, Window>,
  names: Names,
): PoolsState {
  const pools = (): LpPool[] => view.pools(state).flatMap((pool) => view.pool(state, pool, at, window) ?? [])
  return {
    ...names,
    reserves(prices) {
      const all = pools()
      for (const { price } of all.flatMap((pool) => pool.reserves)) prices.add(price)
      // Of a kind of pool that we have no formulas for the reserves are shown, and that its shares cannot be valued is said.
      const complete = all.every((pool) => pool.unpricedAssets === 0 && pool.poolType !== 'unknown')
      return { reserves: all.flatMap(poolReserves), backstops: [], complete }
    },
    emissions(prices) {
      const emitting = pools().filter((pool) => pool.emissions.length > 0)
      for (const { price } of emitting.flatMap((pool) => pool.emissions)) prices.add(price)
      return {
        pools: emitting.map(liquidityEmissions),
        complete: emitting.every((pool) => pool.emissions.every(({ apy }) => apy !== null)),
      }
    },
  }
}
