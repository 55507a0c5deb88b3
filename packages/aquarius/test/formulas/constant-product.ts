// Formulas of constant-product pools that no fold or view needs: swaps, and shares of the first deposit. Tests compare them with the contracts' answers.
// Source: soroban-amm liquidity_pool/src/{pool,contract}.rs.

import { mulDivCeil, mulDivFloor, sqrtFloor } from '@orrery/protocol-kit'
import { FEE_DENOMINATOR } from '../../src/math/constant-product.ts'

/** What a swap does to a pool. Fees in units of the token that goes in. */
interface Swap {
  readonly amountIn: bigint
  readonly amountOut: bigint
  readonly totalFee: bigint
  /** The protocol's part of it, kept outside the reserves. */
  readonly protocolFee: bigint
}

/**
 *   a' = ⌊a · (10⁴ − f) / 10⁴⌋        out = ⌊a' · y / (x + a')⌋        fee = a − a'        protocol = ⌊fee · p / 10⁴⌋
 *
 * `pool.rs`, `get_amount_out`, since v1.6.
 */
export function swapExactIn(amountIn: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint, protocolPart: bigint): Swap {
  const rest = mulDivFloor(amountIn, FEE_DENOMINATOR - fee, FEE_DENOMINATOR)
  const totalFee = amountIn - rest
  return {
    amountIn,
    amountOut: mulDivFloor(rest, reserveOut, reserveIn + rest),
    totalFee,
    protocolFee: mulDivFloor(totalFee, protocolPart, FEE_DENOMINATOR),
  }
}

/** d = ⌈x · dy / (y − dy)⌉, in = ⌈d · 10⁴ / (10⁴ − f)⌉, fee = in − d. `pool.rs`, `get_amount_out_strict_receive`, since v1.6. */
export function swapExactOut(amountOut: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint, protocolPart: bigint): Swap {
  const rest = mulDivCeil(reserveIn, amountOut, reserveOut - amountOut)
  const amountIn = mulDivCeil(rest, FEE_DENOMINATOR, FEE_DENOMINATOR - fee)
  const totalFee = amountIn - rest
  return { amountIn, amountOut, totalFee, protocolFee: mulDivFloor(totalFee, protocolPart, FEE_DENOMINATOR) }
}

/** Up to v1.5 the fee came off what goes out, and all of it stayed: g = ⌈dy · 10⁴ / (10⁴ − f)⌉, in = ⌊y · x / (y − g)⌋ − x + 1, fee = g − dy. */
export function oldSwapExactOut(amountOut: bigint, reserveIn: bigint, reserveOut: bigint, fee: bigint) {
  const gross = mulDivCeil(amountOut, FEE_DENOMINATOR, FEE_DENOMINATOR - fee)
  return { gross, amountIn: mulDivFloor(reserveOut, reserveIn, reserveOut - gross) - reserveIn + 1n, feeOut: gross - amountOut }
}

/** Shares of the first deposit: ⌊√(a · b)⌋, none of them locked. `pool.rs`, `get_deposit_amounts`. */
export function firstShares(a: bigint, b: bigint): bigint {
  return sqrtFloor(a * b)
}
