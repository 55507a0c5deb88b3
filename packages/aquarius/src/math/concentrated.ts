// Formulas of concentrated pools: what liquidity between two ticks is worth, and the fees it is owed.
// Source: soroban-amm liquidity_pool_concentrated/src/{math,contract/internal}.rs, rewards/src/concentrated_weight.rs.

import { mulDivFloor } from '@orrery/protocol-kit'
import type { RangePosition, Tick } from '../chain/pool-entries.ts'
import type { ConcentratedCore } from '../chain/pool-instance.ts'
import { FEE_DENOMINATOR } from './constant-product.ts'
import { sqrtPriceAt } from './ticks.ts'

const Q96 = 1n << 96n
const Q128 = 1n << 128n
const Q256 = 1n << 256n

/** Price and fees of a pool now. Its tick is the stored one: a price exactly on a tick may belong to the tick below. */
type PoolPrice = Pick<ConcentratedCore, 'sqrtPrice' | 'tick' | 'feeGrowth'>

type Two = readonly [bigint, bigint]

/** ⌊⌊L · 2⁹⁶ · (√b − √a) / √b⌋ / √a⌋. `math.rs`, `amount0_delta`. */
function amount0(a: bigint, b: bigint, liquidity: bigint): bigint {
  return mulDivFloor(liquidity * Q96, b - a, b) / a
}

/** ⌊L · (√b − √a) / 2⁹⁶⌋. `amount1_delta`. */
function amount1(a: bigint, b: bigint, liquidity: bigint): bigint {
  return mulDivFloor(liquidity, b - a, Q96)
}

/** What taking liquidity out between two ticks pays, without fees. Rounded down. */
export function principal(liquidity: bigint, tickLower: number, tickUpper: number, sqrtPrice: bigint): Two {
  const [low, high] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  if (sqrtPrice <= low) return [amount0(low, high, liquidity), 0n]
  if (sqrtPrice >= high) return [0n, amount1(low, high, liquidity)]
  return [amount0(sqrtPrice, high, liquidity), amount1(low, sqrtPrice, liquidity)]
}

/**
 * Fees for one unit of liquidity between two ticks so far, Q128, wrapping at 2^256 like the accumulators that it is made of:
 *
 *   below = tick ≥ lower ? outside(lower) : global − outside(lower)        above = tick < upper ? outside(upper) : global − outside(upper)
 *   inside = global − below − above
 */
export function feeGrowthInside({ tick, feeGrowth }: Omit<PoolPrice, 'sqrtPrice'>, ticks: RangeTicks, token: 0 | 1): bigint {
  const global = feeGrowth[token]
  const [lower, upper] = [ticks.lower?.feeGrowthOutside[token] ?? 0n, ticks.upper?.feeGrowthOutside[token] ?? 0n]
  const below = tick >= ticks.tickLower ? lower : wrap(global - lower)
  const above = tick < ticks.tickUpper ? upper : wrap(global - upper)
  return wrap(global - below - above)
}

/** Two ticks, as far as the pool initialised them. */
export interface RangeTicks {
  readonly tickLower: number
  readonly tickUpper: number
  readonly lower: Tick | null
  readonly upper: Tick | null
}

/** What is owed to a range: stored and ⌊L · (inside − inside then) / 2¹²⁸⌋. The stored part alone is that of the last touch. */
export function owedFees(position: RangePosition, ticks: RangeTicks, price: PoolPrice): Two {
  const owed = (token: 0 | 1): bigint => {
    const grown = wrap(feeGrowthInside(price, ticks, token) - position.feeGrowthInside[token])
    return position.owed[token] + mulDivFloor(position.liquidity, grown, Q128)
  }
  return [owed(0), owed(1)]
}

function wrap(value: bigint): bigint {
  return ((value % Q256) + Q256) % Q256
}

/** Ticks at which a range is worth nothing for rewards, for each unit of the fee. */
const DISTANCE_OF_FEE = 50

/**
 * The part of 10,000 with which liquidity counts for rewards: all of it in range, else ⌊10⁴ · (max − d)² / max²⌋ at d ticks from the nearer
 * end, max = fee · 50. On the upper end itself d is 1: a range is half open.
 */
export function rewardWeight(tick: number, tickLower: number, tickUpper: number, fee: number): bigint {
  const distance = tick < tickLower ? tickLower - tick : tick >= tickUpper ? Math.max(1, tick - tickUpper) : 0
  const max = fee * DISTANCE_OF_FEE
  if (distance === 0) return FEE_DENOMINATOR
  if (distance >= max) return 0n
  const left = BigInt(max - distance)
  return (FEE_DENOMINATOR * left * left) / BigInt(max * max)
}

/** ⌊L · weight / 10⁴⌋, summed over ranges. */
export function weightedLiquidity(
  ranges: Iterable<{ readonly tickLower: number; readonly tickUpper: number; readonly liquidity: bigint }>,
  tick: number,
  fee: number,
): bigint {
  let sum = 0n
  for (const { tickLower, tickUpper, liquidity } of ranges)
    sum += (liquidity * rewardWeight(tick, tickLower, tickUpper, fee)) / FEE_DENOMINATOR
  return sum
}
