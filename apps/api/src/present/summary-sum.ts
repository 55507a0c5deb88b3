// Positions of an account added up, as the statements of summaries and of net worth do it: exact, and without a value where a part has none.

import { Decimal } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import { difference, sumOf, sumOfPriced } from './amount.ts'
import type { NetWorthValues } from './net-worth-point.ts'
import type { SummaryValues } from './summary-point.ts'

/** The last snapshot of a position in a lending pool. */
export interface LentSnapshot {
  readonly supplied_usd: DecimalText | null
  readonly borrowed_usd: DecimalText | null
  readonly deposited_usd: DecimalText | null
  readonly net_usd: DecimalText | null
  readonly net_apy: DecimalText | null
  readonly health_factor: DecimalText | null
  readonly effective_collateral_usd: DecimalText | null
  readonly effective_liabilities_usd: DecimalText | null
}

/** The sum of positions in a protocol. */
export function summaryOf(held: readonly LentSnapshot[]): SummaryValues {
  const weakest = weakestOf(held)
  // A position without a rate counts in neither sum of the mean.
  const rated = held.flatMap(({ net_usd, net_apy }) => (net_usd === null || net_apy === null ? [] : [{ net_usd, net_apy }]))
  const products = rated.map(({ net_usd, net_apy }) => new Decimal(net_usd).times(net_apy).toFixed())
  const factors = held.flatMap(({ health_factor }) => (health_factor === null ? [] : [health_factor]))
  return {
    supplied_usd: knownSum(held.map(({ supplied_usd }) => supplied_usd)),
    borrowed_usd: knownSum(held.map(({ borrowed_usd }) => borrowed_usd)),
    deposited_usd: knownSum(held.map(({ deposited_usd }) => deposited_usd)),
    net_usd: sumOf(rated.map(({ net_usd }) => net_usd)),
    net_usd_apy: sumOf(products),
    health_factor: factors.length === 0 ? null : Decimal.min(...factors).toFixed(),
    weakest_collateral_usd: weakest?.collateral ?? null,
    weakest_liabilities_usd: weakest?.liabilities ?? null,
  }
}

/** Digits to which the engine compares. */
const FACTOR_DIGITS = 18

/** Effective values of the position that is closest to liquidation: one that owes without a value against it is; one with unknown values is skipped. */
function weakestOf(held: readonly LentSnapshot[]): { readonly collateral: DecimalText; readonly liabilities: DecimalText } | null {
  const owing = held.flatMap(({ effective_collateral_usd: collateral, effective_liabilities_usd: liabilities }) =>
    collateral === null || liabilities === null || !new Decimal(liabilities).gt(0)
      ? []
      : [{ collateral, liabilities, factor: new Decimal(collateral).div(liabilities).decimalPlaces(FACTOR_DIGITS, Decimal.ROUND_DOWN) }],
  )
  return owing.reduce<(typeof owing)[number] | null>((weakest, one) => (weakest?.factor.lte(one.factor) ? weakest : one), null)
}

/** Any position: the deposits and debts that the net worth is made of. */
export interface WorthSnapshot {
  readonly protocol: string
  readonly deposited_usd: DecimalText | null
  readonly borrowed_usd: DecimalText | null
}

/** The sum of positions in all protocols. What has no price adds nothing. */
export function netWorthSum(held: readonly WorthSnapshot[]): NetWorthValues {
  const ofProtocol = Map.groupBy(held, ({ protocol }) => protocol)
  const net = [...ofProtocol].map(([protocol, rows]) => [protocol, difference(depositsOf(rows), debtsOf(rows))] as const)
  return { deposited_usd: depositsOf(held), borrowed_usd: debtsOf(held), by_protocol: Object.fromEntries(net) }
}

const depositsOf = (rows: readonly WorthSnapshot[]): DecimalText => sumOf(rows.map(({ deposited_usd }) => deposited_usd ?? '0'))
const debtsOf = (rows: readonly WorthSnapshot[]): DecimalText => sumOf(rows.map(({ borrowed_usd }) => borrowed_usd ?? '0'))

const knownSum = (values: readonly (DecimalText | null)[]): DecimalText | null => {
  const { sum, complete } = sumOfPriced(values)
  return complete ? sum : null
}
