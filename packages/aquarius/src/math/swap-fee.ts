// What of a trade's fee stays with the holders. The event's `fee` means another thing in every kind of pool and release.
// Source: docs/protocols/aquarius.md, "Formulas"; soroban-amm liquidity_pool*/src/contract.rs at the releases named.

import type { ContractId } from '@orrery/ledger'
import { mulDivFloor } from '@orrery/protocol-kit'
import type { PoolTrade } from '../chain/pool-events.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { since } from '../chain/release.ts'
import { FEE_DENOMINATOR, feeCeil } from './constant-product.ts'

export interface SwapFee {
  readonly token: ContractId
  readonly total: bigint
  /** The part of `total` that stays in the reserves. */
  readonly lp: bigint
}

/**
 * |         | constant product                        | stable                              | concentrated                    |
 * |---------|-----------------------------------------|-------------------------------------|---------------------------------|
 * | ≤ v1.5  | all of it, in the token that goes out   | ⌈in · f / 10⁴⌉, taken on the output | –                               |
 * | ≥ v1.6  | the holders' part, in what goes in      | all of it; ⌈fee · p / 10⁴⌉ is not theirs | all of it; ⌊fee · p / 10⁴⌋ is not theirs |
 *
 * The parts of a concentrated swap are floored step by step, so that its `lp` is at most one unit a step too small.
 */
export function swapFee({ tokenIn, tokenOut, amountIn, fee }: PoolTrade, instance: PoolInstance): SwapFee {
  const { layout, release, fee: fraction, protocolFee } = instance
  const part = BigInt(protocolFee)
  if (!since.feesOnInput(release)) {
    if (layout !== 'stable') return { token: tokenOut, total: fee, lp: fee }
    const total = feeCeil(amountIn, BigInt(fraction))
    return { token: tokenIn, total, lp: total }
  }
  if (layout === 'stable') return { token: tokenIn, total: fee, lp: fee - feeCeil(fee, part) }
  if (layout === 'concentrated') return { token: tokenIn, total: fee, lp: fee - mulDivFloor(fee, part, FEE_DENOMINATOR) }
  const total = amountIn - mulDivFloor(amountIn, FEE_DENOMINATOR - BigInt(fraction), FEE_DENOMINATOR)
  return { token: tokenIn, total: total < fee ? fee : total, lp: fee }
}
