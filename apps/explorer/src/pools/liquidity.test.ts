import { describe, expect, it } from 'vitest'
import { liquiditySteps, priceAt, windowOf } from './liquidity.ts'

const tick = (at: number, net: number): { tick: number; liquidity_gross: string; liquidity_net: string } => ({
  tick: at,
  liquidity_gross: String(Math.abs(net)),
  liquidity_net: String(net),
})
/** Ranges: everything with 1, 0 to 100 with 10, 50 to 200 with 5. */
const TICKS = [tick(-887_200, 1), tick(0, 10), tick(50, 5), tick(100, -10), tick(200, -5), tick(887_200, -1)]

describe('liquidity by price', () => {
  it('is the sum of the ranges over each step, on both sides of the price', () => {
    // At tick 60 the three ranges are in: 1 + 10 + 5.
    expect(liquiditySteps(TICKS, 60, '16').map(({ from, to, liquidity }) => [from, to, Number(liquidity)])).toEqual([
      [-887_200, 0, 1],
      [0, 50, 11],
      [50, 100, 16],
      [100, 200, 6],
      [200, 887_200, 1],
    ])
  })

  it('does not depend on where the price is', () => {
    expect(liquiditySteps(TICKS, 150, '6')).toEqual(liquiditySteps(TICKS, 60, '16'))
    expect(liquiditySteps(TICKS, 50, '16')).toEqual(liquiditySteps(TICKS, 60, '16'))
  })

  it('goes on without an end where no end of a range is known', () => {
    const all = (ticks: typeof TICKS, at: number, liquidity: string) =>
      liquiditySteps(ticks, at, liquidity).map(({ from, to, liquidity: level }) => [from, to, Number(level)])
    expect(all([], 7, '5')).toEqual([
      [-887_272, 7, 5],
      [7, 887_272, 5],
    ])
    expect(all([tick(0, 5)], 7, '8')).toEqual([
      [-887_272, 0, 3],
      [0, 887_272, 8],
    ])
    expect(all([tick(10, -5)], 7, '8')).toEqual([
      [-887_272, 7, 8],
      [7, 10, 8],
      [10, 887_272, 3],
    ])
  })

  it('never falls below nothing where the ends of old ranges are unknown', () => {
    expect(liquiditySteps([tick(0, 5), tick(10, -9)], 5, '3').map(({ liquidity }) => liquidity)).toEqual([3n])
    expect(liquiditySteps([tick(0, 5), tick(10, -9), tick(20, 1)], 5, '3').at(-1)?.liquidity).toBe(0n)
  })

  it('is drawn around the price, over all ends of ranges within half and twice the price', () => {
    expect(windowOf(TICKS, 60)).toEqual({ from: -94, to: 214 })
    expect(windowOf([tick(-20_000, 1), tick(887_200, -1)], 0)).toEqual({ from: -22_000, to: 22_000 })
  })

  it('prices of a tick count the decimals of both tokens', () => {
    // 1.0001^13763 = 3.9602…
    expect(priceAt(13_763, 7, 7)).toBeCloseTo(3.9602, 3)
    expect(priceAt(0, 6, 7)).toBeCloseTo(0.1, 12)
  })
})
