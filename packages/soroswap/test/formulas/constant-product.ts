// The formulas of Soroswap's pair and library contracts that no row or answer needs: what swaps and deposits give. They explain recorded events.
// Sources: soroswap/core contracts/pair/src/lib.rs, contracts/library/src/quotes.rs (commit b7e7cc93). All divisions floor unless the name has another rounding.

import { divCeil, sqrtFloor } from '@orrery/protocol-kit'
import { FEE_DENOMINATOR, FEE_NUMERATOR, swapFee } from '../../src/math/constant-product.ts'

/** Shares that the first deposit locks in the pair itself, for ever. */
const MINIMUM_LIQUIDITY = 1_000n

/** a · reserveB / reserveA: the amount of B that is worth `a` at the ratio of the reserves. */
export function quote(a: bigint, reserveA: bigint, reserveB: bigint): bigint {
  return (a * reserveB) / reserveA
}

/** What a swap pays out: (in − fee) · reserveOut / (reserveIn + in − fee). */
export function amountOut(amountIn: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  const afterFee = amountIn - swapFee(amountIn)
  return (afterFee * reserveOut) / (reserveIn + afterFee)
}

/** The input that a swap requires for `out`: ⌈reserveIn · out · 1000 / ((reserveOut − out) · 997)⌉ + 1. `out` must be less than `reserveOut`. */
export function amountIn(out: bigint, reserveIn: bigint, reserveOut: bigint): bigint {
  return divCeil(reserveIn * out * FEE_DENOMINATOR, (reserveOut - out) * (FEE_DENOMINATOR - FEE_NUMERATOR)) + 1n
}

/** Shares that a deposit mints. `totalSupply` after a pending fee mint; 0 makes it the first deposit, of which 1000 shares are locked. */
export function sharesFor(amount0: bigint, amount1: bigint, reserve0: bigint, reserve1: bigint, totalSupply: bigint): bigint {
  if (totalSupply === 0n) return sqrtFloor(amount0 * amount1) - MINIMUM_LIQUIDITY
  const by0 = (amount0 * totalSupply) / reserve0
  const by1 = (amount1 * totalSupply) / reserve1
  return by0 < by1 ? by0 : by1
}
