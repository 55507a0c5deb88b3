// Interest of debts in a lending pool as a function of utilization, as the contract of Blend computes it (`calc_accrual` of pool/src/pool/interest.rs).
// For drawing: numbers, not the exact integers of the contract.

import type { PoolReserveConfig } from '@orrery/client'

type Curve = PoolReserveConfig['interest_curve']

/** Where the third part of the curve begins. */
const THIRD_PART_FROM = 0.95

/** Yearly rate without compounding, a fraction. @param utilization From 0 to 1. */
export function borrowRate(curve: Curve, utilization: number): number {
  const [target, modifier] = [Number(curve.target_utilization), Number(curve.rate_modifier)]
  const [base, one, two, three] = [curve.base_rate, curve.rate_one, curve.rate_two, curve.rate_three].map(Number) as [
    number,
    number,
    number,
    number,
  ]
  if (utilization <= target) return (base + (target === 0 ? 0 : (one * utilization) / target)) * modifier
  if (utilization <= THIRD_PART_FROM) return (base + one + (two * (utilization - target)) / (THIRD_PART_FROM - target)) * modifier
  // The modifier does not change the third part.
  return (base + one + two) * modifier + (three * (utilization - THIRD_PART_FROM)) / (1 - THIRD_PART_FROM)
}

/** Yearly rate with daily compounding, as `borrow_apy` of the API. */
export function borrowApy(curve: Curve, utilization: number): number {
  return (1 + borrowRate(curve, utilization) / 365) ** 365 - 1
}
