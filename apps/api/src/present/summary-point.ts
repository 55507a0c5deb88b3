// The points of a summary history: the sum of all positions of an account in one protocol.

import { Decimal } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Fill } from '../params/history-query.ts'
import { NULL_WITHOUT_PRICE, ValueAt } from './history-point.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const SummaryPoint = z
  .strictObject({
    borrow_limit_pct: z
      .string()
      .nullable()
      .describe(
        'Effective debt in percent of effective collateral, in the pool where it is largest. "0" without debt. Null if it is unknown, and in an empty bucket with `fill=null`.',
      ),
    borrowed_usd: z.string().nullable().describe(`USD value of the debts, not negative. ${NULL_WITHOUT_PRICE}`),
    deposited_usd: z.string().nullable().describe(`USD value of supply and backstop. ${NULL_WITHOUT_PRICE}`),
    health_factor: z
      .string()
      .nullable()
      .describe('Smallest health factor of the pools, rounded as the contract rounds. Null without debt, and in an empty bucket.'),
    net_apy: z
      .string()
      .nullable()
      .describe('Mean net APY of the pools, a fraction, weighted by their net value. Null in an empty bucket with `fill=null`.'),
    supplied_usd: z.string().nullable().describe(`USD value of supply, without the backstop. ${NULL_WITHOUT_PRICE}`),
    ledger: z.int().describe('Ledger of the snapshot; in buckets of ledgers the first ledger of the bucket.'),
    timestamp: Timestamp,
    value_at: ValueAt,
  })
  .meta({ id: 'SummaryPoint' })
export type SummaryPoint = z.input<typeof SummaryPoint>

/** Sums over the pools, each with its last snapshot at or before the point. */
export interface SummaryValues {
  readonly supplied_usd: DecimalText | null
  readonly borrowed_usd: DecimalText | null
  readonly deposited_usd: DecimalText | null
  readonly net_usd: DecimalText
  readonly net_usd_apy: DecimalText
  /** The smallest of the pools. */
  readonly health_factor: DecimalText | null
  readonly weakest_collateral_usd: DecimalText | null
  readonly weakest_liabilities_usd: DecimalText | null
}

/** Fractional digits of rates and ratios that are computed here from stored values. */
const DIGITS = 8

/** @param valueAt Unix seconds: the close time of the newest snapshot in the sum. */
export function summaryPoint(values: SummaryValues, ledger: number, seconds: number, valueAt: number): SummaryPoint {
  const { weakest_collateral_usd: collateral, weakest_liabilities_usd: liabilities } = values
  return {
    borrow_limit_pct: liabilities === null || collateral === null ? limitWithoutKnownDebt(values) : quotient(liabilities, collateral, 100),
    borrowed_usd: values.borrowed_usd,
    deposited_usd: values.deposited_usd,
    health_factor: values.health_factor,
    net_apy: new Decimal(values.net_usd).gt(0) ? quotient(values.net_usd_apy, values.net_usd) : '0',
    supplied_usd: values.supplied_usd,
    ledger,
    timestamp: timestampOf(seconds),
    value_at: timestampOf(valueAt),
  }
}

/** No pool has a debt of known value. That is "0" only without debt: the limit of a debt without a price is unknown. */
function limitWithoutKnownDebt({ borrowed_usd }: SummaryValues): DecimalText | null {
  return borrowed_usd === '0' ? '0' : null
}

/** A bucket without a snapshot. Its health factor is never 0, because that would look like a liquidation. */
export function emptySummaryPoint(fill: Extract<Fill, 'null' | 'zero'>, ledger: number, seconds: number): SummaryPoint {
  const value = fill === 'zero' ? '0' : null
  return {
    borrow_limit_pct: value,
    borrowed_usd: value,
    deposited_usd: value,
    health_factor: null,
    net_apy: value,
    supplied_usd: value,
    ledger,
    timestamp: timestampOf(seconds),
    value_at: null,
  }
}

/** Null if the divisor is 0. */
function quotient(dividend: DecimalText, divisor: DecimalText, times = 1): DecimalText | null {
  const by = new Decimal(divisor)
  return by.isZero() ? null : new Decimal(dividend).times(times).div(by).decimalPlaces(DIGITS).toFixed()
}
