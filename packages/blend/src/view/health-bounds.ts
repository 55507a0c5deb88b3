// Which step a health factor is in, without its exact value: most positions of a pool stay in their step from ledger to ledger, and are decided here with
// a few multiplications. Binary floating point with an error that is known: where the error could matter, the answer is null, and the caller computes
// the exact value. So nothing that is stored depends on floating point.

import type { Positions } from '../chain/values.ts'
import { type HealthStep, stepNear } from '../math/health-step.ts'
import { SCALE_7, scaleOf } from '../math/scale.ts'
import type { ValuedPool, ValuedReserve } from './valuation.ts'

/**
 * The shares that a health factor depends on, none of them zero: the number of reserves with collateral, then index and bTokens of each, then index and dTokens of each
 * reserve with a debt.
 */
export type HealthTerms = readonly number[]

export function healthTerms({ collateral, liabilities }: Positions): HealthTerms {
  const held: number[] = []
  const owed: number[] = []
  for (const [index, shares] of collateral) if (shares !== 0n) held.push(index, Number(shares))
  for (const [index, shares] of liabilities) if (shares !== 0n) owed.push(index, Number(shares))
  return [held.length / 2, ...held, ...owed]
}

/** What one share of each reserve counts in a health factor, by reserve index, and how far the rounding of a balance can move it. NaN: unknown. */
interface Weights {
  readonly collateral: readonly number[]
  readonly collateralError: readonly number[]
  readonly debt: readonly number[]
  readonly debtError: readonly number[]
  /** How far the last rounding can lower the health factor. */
  readonly lastError: number
}

export interface HealthBounds {
  /** The step of the position's health factor. Null: the bounds do not decide it. */
  stepOf(terms: HealthTerms): HealthStep | null
}

/** Relative error of the sums: each product has about ten roundings of 2^-53, and a pool has at most 50 reserves. */
const RELATIVE_ERROR = 1e-12
/** Beyond it a value has no USD (10^24 USD in 1e-8): see `valuedToken`. */
const MOST = 1e31
const USD_UNIT = 1e8
const ONE_7 = Number(SCALE_7)

/** For the reserves of a pool, as `valuePool` has them. */
export function healthBounds(pool: ValuedPool): HealthBounds {
  const { oracleDecimals } = pool
  const own = oracleDecimals === null ? null : weightsOf(pool, ownPrice, 10 ** -oracleDecimals)
  const shown = weightsOf(pool, shownPrice, 1 / USD_UNIT)
  if (own === null) return { stepOf: (terms) => boundedStep(terms, shown) }
  if (!own.debt.some(Number.isNaN)) return { stepOf: (terms) => boundedStep(terms, own) }
  // A debt without the oracle's price leaves the values that are shown: see `healthFactor`.
  return { stepOf: (terms) => boundedStep(terms, hasUnknownDebt(terms, own) ? shown : own) }
}

/** Units for one raw unit of the asset. NaN without a price. */
type PriceOf = (reserve: ValuedReserve) => number

function ownPrice({ own, config }: ValuedReserve): number {
  return own === null ? Number.NaN : Number(own.price) / 10 ** config.decimals
}

function shownPrice({ token: { price, info } }: ValuedReserve): number {
  return price === null || info.decimals === null ? Number.NaN : (Number(price.usd) * USD_UNIT) / 10 ** info.decimals
}

/**
 * An exact balance is rounded three times by less than one: as underlying, as effective amount, and as value. In units of value that is at most two
 * raw units of the asset and one unit of value; a debt's first rounding is multiplied by 1 / l_factor.
 */
function weightsOf({ reserves, deployment }: ValuedPool, priceOf: PriceOf, lastError: number): Weights {
  const scale = Number(scaleOf(deployment.version).rate)
  const weights = {
    collateral: [] as number[],
    collateralError: [] as number[],
    debt: [] as number[],
    debtError: [] as number[],
    lastError,
  }
  for (const [index, reserve] of reserves.entries()) {
    const price = reserve === undefined ? 0 : priceOf(reserve)
    const cFactor = reserve === undefined ? 0 : Number(reserve.config.cFactor) / ONE_7
    const lFactor = reserve === undefined ? 0 : Number(reserve.config.lFactor) / ONE_7
    // A factor of zero makes the effective amount zero, which needs no price.
    const isCollateral = reserve !== undefined && cFactor > 0
    const isDebt = reserve !== undefined && lFactor > 0
    weights.collateral[index] = isCollateral ? ((price * Number(reserve.data.bRate)) / scale) * cFactor : 0
    weights.collateralError[index] = isCollateral ? 2 * price * Math.max(1, cFactor) + 1 : 0
    weights.debt[index] = isDebt ? (price * Number(reserve.data.dRate)) / scale / lFactor : reserve === undefined ? 0 : Number.NaN
    weights.debtError[index] = isDebt ? price * (1 / lFactor + 1) + 1 : 0
  }
  return weights
}

function hasUnknownDebt(terms: HealthTerms, { debt }: Weights): boolean {
  for (let n = 1 + 2 * (terms[0] ?? 0); n < terms.length; n += 2) if (Number.isNaN(debt[terms[n] ?? 0])) return true
  return false
}

function boundedStep(terms: HealthTerms, { collateral, collateralError, debt, debtError, lastError }: Weights): HealthStep | null {
  const end = 1 + 2 * (terms[0] ?? 0)
  let [held, heldError, owed, owedError] = [0, 0, 0, 0]
  for (let n = 1; n < end; n += 2) {
    const index = terms[n] as number
    // An index without a reserve counts nothing.
    held += (collateral[index] ?? 0) * (terms[n + 1] as number)
    heldError += collateralError[index] ?? 0
  }
  for (let n = end; n < terms.length; n += 2) {
    const index = terms[n] as number
    owed += (debt[index] ?? 0) * (terms[n + 1] as number)
    owedError += debtError[index] ?? 0
  }
  const leastOwed = owed * (1 - RELATIVE_ERROR) - owedError
  // Written so that NaN is refused.
  if (!(leastOwed > 0 && owed < MOST && held < MOST)) return null
  const low = stepNear((held * (1 - RELATIVE_ERROR) - heldError) / (owed * (1 + RELATIVE_ERROR) + owedError) - lastError)
  const high = stepNear((held * (1 + RELATIVE_ERROR) + heldError) / leastOwed)
  return low === high ? low : null
}
