// Liquidity of a concentrated pool by price, from its ticks. For drawing: what is exact is in the table of ticks.

import type { PoolTick } from '@orrery/client'

export interface LiquidityStep {
  /** First tick of the step. */
  readonly from: number
  /** Tick at which the next step begins. */
  readonly to: number
  /** Liquidity in range between both, raw. Never negative. */
  readonly liquidity: bigint
}

/** Ticks at and beyond these are the ends of ranges over all prices. */
const FULL_RANGE_TICK = 880_000
/** The price has no tick beyond. */
const LAST_TICK = 887_272
/** Factor 2 in price, to both sides. */
const WINDOW_TICKS = 6_932

/**
 * Walks from the price to both sides, because the liquidity there is known: a tick adds `liquidity_net` when the price rises over it.
 * @param ticks In ascending order.
 */
export function liquiditySteps(ticks: readonly PoolTick[], tick: number, liquidity: string): LiquidityStep[] {
  const steps: LiquidityStep[] = []
  const above = ticks.filter((one) => one.tick > tick)
  const below = ticks.filter((one) => one.tick <= tick)
  let level = BigInt(liquidity)
  let from = below.at(-1)?.tick ?? tick
  for (const one of above) {
    steps.push({ from, to: one.tick, liquidity: notNegative(level) })
    level += BigInt(one.liquidity_net)
    from = one.tick
  }
  // What is left beyond the last known tick has no known end.
  if (level > 0n) steps.push({ from, to: LAST_TICK, liquidity: level })
  level = BigInt(liquidity)
  for (let n = below.length - 1; n > 0; n -= 1) {
    const [lower, upper] = [below[n - 1], below[n]]
    if (lower === undefined || upper === undefined) break
    level -= BigInt(upper.liquidity_net)
    steps.unshift({ from: lower.tick, to: upper.tick, liquidity: notNegative(level) })
  }
  const [lowest] = below
  level -= BigInt(lowest?.liquidity_net ?? 0)
  if (level > 0n) steps.unshift({ from: -LAST_TICK, to: lowest?.tick ?? tick, liquidity: level })
  return steps
}

/** Ticks that are drawn: half to twice the price, or more where no range ends in there. */
export function windowOf(ticks: readonly PoolTick[], tick: number): { readonly from: number; readonly to: number } {
  const ends = ticks.map((one) => one.tick).filter((end) => Math.abs(end) < FULL_RANGE_TICK)
  const near = ends.filter((end) => Math.abs(end - tick) <= WINDOW_TICKS)
  const shown = near.length >= 2 ? near : ends
  const distance = Math.max(100, ...shown.map((end) => Math.abs(end - tick)))
  return { from: Math.floor(tick - distance * 1.1), to: Math.ceil(tick + distance * 1.1) }
}

/** Price of token 0 in token 1 at a tick. */
export function priceAt(tick: number, decimals0: number, decimals1: number): number {
  return 1.0001 ** tick * 10 ** (decimals0 - decimals1)
}

/** Ranges that did not change since the index began are unknown, so that a sum may fall below nothing. */
function notNegative(liquidity: bigint): bigint {
  return liquidity < 0n ? 0n : liquidity
}
