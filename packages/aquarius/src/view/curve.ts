// The parameters of a pool's pricing of swaps, as of one ledger.

import type { At, LpCurve, LpTick } from '@orrery/protocol-kit'
import type { TickChunk } from '../chain/pool-entries.ts'
import { ampAt } from '../math/stable-swap.ts'
import { tickOfPlace } from '../math/ticks.ts'
import type { PoolState } from '../state/state.ts'
import { poolType } from './valuation.ts'

/** Null for a pool without an instance, or of an unknown type. */
export function poolCurve(pool: PoolState, at: At): LpCurve | null {
  const instance = pool.instance?.value
  if (instance === undefined) return null
  const { amplification, concentrated } = instance
  const type = poolType(pool)
  if (type === 'constant_product') return { kind: type }
  if (type === 'stable' && amplification !== null) {
    return { kind: type, amplification: ampAt(amplification, BigInt(at.closeTimeSeconds)) }
  }
  if (type !== 'concentrated' || concentrated === null) return null
  const { sqrtPrice, tick, tickSpacing, liquidity } = concentrated
  return { kind: type, sqrtPriceX96: sqrtPrice, tick, tickSpacing, liquidity, ticks: ticksOf(pool, tickSpacing) }
}

function ticksOf({ chunks }: PoolState, spacing: number): LpTick[] {
  const sorted = [...chunks].sort(([a], [b]) => a - b)
  return sorted.flatMap(([chunk, { value }]) => ticksOfChunk(chunk, value, spacing))
}

function ticksOfChunk(chunk: number, ticks: TickChunk, spacing: number): LpTick[] {
  return [...ticks]
    .sort(([a], [b]) => a - b)
    .map(([place, { liquidityGross, liquidityNet }]) => ({ tick: tickOfPlace(chunk, place, spacing), liquidityGross, liquidityNet }))
}
