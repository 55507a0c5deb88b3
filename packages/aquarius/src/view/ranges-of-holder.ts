// What the ranges of a holder in a concentrated pool are worth: principal and fees, by range.

import type { Tick } from '../chain/pool-entries.ts'
import type { ConcentratedCore } from '../chain/pool-instance.ts'
import { owedFees, principal, type RangeTicks } from '../math/concentrated.ts'
import { tickPlace } from '../math/ticks.ts'
import type { PoolState, Range } from '../state/state.ts'

export interface RangeWorth {
  readonly range: Range
  readonly liquidity: bigint
  readonly inRange: boolean
  /** In the pool's token order. */
  readonly principal: readonly [bigint, bigint]
  readonly fees: readonly [bigint, bigint]
  /** Both ends were seen: without them fees are only those of the last touch. */
  readonly exact: boolean
}

/** What an open range would be paid now. */
export function rangeWorth(pool: PoolState, core: ConcentratedCore, range: Range): RangeWorth | null {
  const position = range.position?.value
  if (position === undefined) return null
  const { tickLower, tickUpper } = range
  const ticks: RangeTicks = { tickLower, tickUpper, lower: tickOf(pool, core, tickLower), upper: tickOf(pool, core, tickUpper) }
  const exact = ticks.lower !== null && ticks.upper !== null
  return {
    range,
    liquidity: position.liquidity,
    inRange: core.tick >= tickLower && core.tick < tickUpper,
    principal: position.liquidity === 0n ? [0n, 0n] : principal(position.liquidity, tickLower, tickUpper, core.sqrtPrice),
    fees: exact ? owedFees(position, ticks, core) : position.owed,
    exact,
  }
}

function tickOf(pool: PoolState, { tickSpacing }: ConcentratedCore, tick: number): Tick | null {
  if (tickSpacing <= 0) return null
  const { chunk, place } = tickPlace(tick, tickSpacing)
  return pool.chunks.get(chunk)?.value.get(place) ?? null
}
