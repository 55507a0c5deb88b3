// Formulas of concentrated pools that no fold or view needs: deposits, and the tick of a price. Tests compare them with the contracts' answers.
// Source: soroban-amm liquidity_pool_concentrated/src/{math,contract/internal}.rs.

import { divCeil, mulDivCeil, mulDivFloor, sqrtFloor } from '@orrery/protocol-kit'
import { sqrtPriceAt } from '../../src/math/ticks.ts'

const Q96 = 1n << 96n
const MAX_TICK = 887_272

type Two = readonly [bigint, bigint]

/** The first deposit sets the price: ⌊√(a1 · 2¹⁹² / a0)⌋. `sqrt_price_from_amounts`. */
export function firstSqrtPrice(amounts: Two): bigint {
  return sqrtFloor((amounts[1] << 192n) / amounts[0])
}

/** The most liquidity that amounts allow: L0 = ⌊a0 · ⌊√a · √b / 2⁹⁶⌋ / (√b − √a)⌋, L1 = ⌊a1 · 2⁹⁶ / (√b − √a)⌋, the smaller one in range. */
export function liquidityFor(amounts: Two, tickLower: number, tickUpper: number, sqrtPrice: bigint): bigint {
  const [low, high] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  const l0 = (a: bigint, b: bigint) => mulDivFloor(amounts[0], (a * b) / Q96, b - a)
  const l1 = (a: bigint, b: bigint) => mulDivFloor(amounts[1], Q96, b - a)
  if (sqrtPrice <= low) return l0(low, high)
  if (sqrtPrice >= high) return l1(low, high)
  const [above, below] = [l0(sqrtPrice, high), l1(low, sqrtPrice)]
  return above < below ? above : below
}

/** What a deposit of liquidity costs: the formulas of `principal` rounded up. */
export function depositAmounts(liquidity: bigint, tickLower: number, tickUpper: number, sqrtPrice: bigint): Two {
  const [low, high] = [sqrtPriceAt(tickLower), sqrtPriceAt(tickUpper)]
  const up0 = (a: bigint, b: bigint) => divCeil(mulDivCeil(liquidity * Q96, b - a, b), a)
  const up1 = (a: bigint, b: bigint) => mulDivCeil(liquidity, b - a, Q96)
  if (sqrtPrice <= low) return [up0(low, high), 0n]
  if (sqrtPrice >= high) return [0n, up1(low, high)]
  return [up0(sqrtPrice, high), up1(low, sqrtPrice)]
}

/** The highest tick whose price is not above `sqrtPrice`. */
export function tickAt(sqrtPrice: bigint): number {
  let [low, high] = [-MAX_TICK, MAX_TICK]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (sqrtPriceAt(middle) <= sqrtPrice) low = middle
    else high = middle - 1
  }
  return low
}
