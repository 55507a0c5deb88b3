// Formulas of constant-product pools: payouts and fees. Integers, rounding as in the contract.
// Source: soroban-amm liquidity_pool/src/{pool,contract}.rs.

import { divCeil, mulDivFloor } from '@orrery/protocol-kit'

/** Fees are fractions of this. */
export const FEE_DENOMINATOR = 10_000n

/** What shares are paid: ⌊reserve · shares / supply⌋ of each token, of pools of two to four tokens alike. Nothing of no supply. */
export function payout(shares: bigint, reserves: readonly bigint[], supply: bigint): readonly bigint[] {
  return reserves.map((reserve) => (supply === 0n ? 0n : mulDivFloor(reserve, shares, supply)))
}

/** ⌈amount · f / 10⁴⌉: how the fee of a stable pool is taken, and the protocol's part of it. */
export function feeCeil(amount: bigint, fee: bigint): bigint {
  return divCeil(amount * fee, FEE_DENOMINATOR)
}
