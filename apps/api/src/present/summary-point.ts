// The points of a summary's history: all positions of an account in one protocol, added up.

import { Decimal } from '@orrery/pricing'
import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Fill } from '../params/history-query.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const SummaryPoint = z
  .strictObject({
    borrow_limit_pct: z
      .string()
      .nullable()
      .describe('Effective debt in percent of effective collateral: the largest of the pools. "0" without debt, null where it is unknown.'),
    borrowed_usd: z.string().nullable(),
    deposited_usd: z.string().nullable().describe('supplied + backstop.'),
    health_factor: z.string().nullable().describe('The smallest of the pools, each as its contract rounds it; null without debt.'),
    net_apy: z.string().nullable().describe('Of the pools, weighted by their net value.'),
    supplied_usd: z.string().nullable(),
    ledger: z.int(),
    timestamp: Timestamp,
  })
  .meta({ id: 'SummaryPoint' })
export type SummaryPoint = z.input<typeof SummaryPoint>

/** Sums over the pools, each at its last snapshot at or before the point. */
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

/** Digits of rates and ratios that are made from stored values here. */
const DIGITS = 8

export function summaryPoint(values: SummaryValues, ledger: number, seconds: number): SummaryPoint {
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
  }
}

/** No pool is known to owe anything, which is "0" only where nothing is owed: a debt without a price has a limit that is not known. */
function limitWithoutKnownDebt({ borrowed_usd }: SummaryValues): DecimalText | null {
  return borrowed_usd === '0' ? '0' : null
}

/** A bucket without a snapshot. Never a health factor of 0: it would read as liquidation. */
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
  }
}

/** Null without a divisor. */
function quotient(dividend: DecimalText, divisor: DecimalText, times = 1): DecimalText | null {
  const by = new Decimal(divisor)
  return by.isZero() ? null : new Decimal(dividend).times(times).div(by).decimalPlaces(DIGITS).toFixed()
}
