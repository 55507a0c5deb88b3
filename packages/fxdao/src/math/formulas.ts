// The arithmetic of the vaults contract, in raw integers.
// Source: FxDAO/FxDAO-SC contracts/vaults/src/utils/{fees,vaults}.rs, contracts/locking-pool/src/contract.rs.

import { ratio } from '@orrery/pricing'
import { type DecimalText, mulDivCeil, mulDivFloor } from '@orrery/protocol-kit'
import { RATE_ONE } from '../chain/entries.ts'

/** Collateral ratio: floor(rate · collateral / debt), RATE_ONE = 100 %. `rate`: raw units of the currency for one unit of collateral. */
export function collateralRatio(rate: bigint, collateral: bigint, debt: bigint): bigint {
  return mulDivFloor(rate, collateral, debt)
}

/** A rate in percent, with at most 8 fractional digits. RATE_ONE = 100 %. */
export function percent(rate: bigint): DecimalText {
  return ratio(rate * 100n, RATE_ONE, 8)
}

/**
 * floor(value · RATE_ONE / minimum): the debt that collateral of this value allows at the minimum ratio, in the value's unit. Not the contract's:
 * it compares ratios, and this quotient to the debt's value is its ratio over the minimum. `minimum` must be above zero.
 */
export function effectiveCollateral(value: bigint, minimum: bigint): bigint {
  return mulDivFloor(value, RATE_ONE, minimum)
}

/** ceil(amount · fee / RATE_ONE). */
export function feeOn(amount: bigint, fee: bigint): bigint {
  return mulDivCeil(amount, fee, RATE_ONE)
}

/** What closing a vault costs and pays out: the whole debt, and the collateral less the fee on all of it. */
export function closing(collateral: bigint, debt: bigint, fee: bigint): { pay: bigint; receive: bigint; fee: bigint } {
  const charged = feeOn(collateral, fee)
  return { pay: debt, receive: collateral - charged, fee: charged }
}

/**
 * What may still be owed and what may still be taken out before the vault is at the opening ratio. The contract refuses more (400, 700); it also
 * refuses any while it is in panic or its price is older than 1200 s.
 *
 *   more debt = ⌊rate · collateral / opening⌋ − debt        collateral out = collateral − ⌈opening · debt / rate⌉        never below zero
 *
 * `opening`: RATE_ONE = 100 %. Source: contracts/vaults/src/contract.rs, `increase_debt` and `withdraw_collateral`.
 */
export function headroom(
  rate: bigint,
  collateral: bigint,
  debt: bigint,
  opening: bigint,
): { readonly moreDebt: bigint; readonly collateralOut: bigint } | null {
  if (rate === 0n || opening === 0n) return null
  const moreDebt = mulDivFloor(rate, collateral, opening) - debt
  const collateralOut = collateral - mulDivCeil(opening, debt, rate)
  return { moreDebt: moreDebt > 0n ? moreDebt : 0n, collateralOut: collateralOut > 0n ? collateralOut : 0n }
}

/** Rewards of a locked deposit: floor(amount · (factor − snapshot) / RATE_ONE). Nothing where the factor was reset since. */
export function lockingReward(amount: bigint, factor: bigint, snapshot: bigint): bigint {
  return factor <= snapshot ? 0n : mulDivFloor(amount, factor - snapshot, RATE_ONE)
}
