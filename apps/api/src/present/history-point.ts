// The points of a position's history, raw or in buckets.

import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Fill } from '../params/history-query.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

export const NULL_WITHOUT_PRICE = 'Null if a part of it had no price at that ledger, and in an empty bucket with `fill=null`.'

/** Of a point in a bucket, whose `timestamp` is the start of the bucket. */
export const ValueAt = Timestamp.nullable().describe(
  'Close time of the ledger whose value the point shows. Of the bucket that contains the last indexed ledger: the close time of that ledger. Null in an empty bucket.',
)

export const HistoryPoint = z
  .strictObject({
    borrowed_usd: z.string().nullable().describe(`USD value of the debt, not negative. ${NULL_WITHOUT_PRICE}`),
    net_usd: z.string().nullable().describe('`supplied_usd` minus `borrowed_usd`. Null if either is null.'),
    supplied_usd: z.string().nullable().describe(`USD value of what is supplied. ${NULL_WITHOUT_PRICE}`),
    ledger: z
      .int()
      .describe(
        'Ledger of the snapshot. In buckets of ledgers: the first ledger of the bucket. In an empty bucket of time: its last ledger.',
      ),
    timestamp: Timestamp,
    value_at: ValueAt,
  })
  .meta({ id: 'HistoryPoint' })
export type HistoryPoint = z.input<typeof HistoryPoint>

export const PoolHistory = z
  .strictObject({
    pool_id: z.string().describe('Contract of the pool; of FxDAO the vaults of one currency.'),
    points: z.array(HistoryPoint).describe('In ascending order. USD values use the prices at the ledger of each point.'),
  })
  .meta({ id: 'PoolHistory' })

/** A snapshot's numbers. */
export interface SnapshotValues {
  readonly ledger: number
  readonly close_time_seconds: number
  readonly supplied_usd: DecimalText | null
  readonly borrowed_usd: DecimalText | null
  readonly net_usd: DecimalText | null
}

export function rawPoint(row: SnapshotValues): HistoryPoint {
  const timestamp = timestampOf(row.close_time_seconds)
  return { ...usdOf(row), ledger: row.ledger, timestamp, value_at: timestamp }
}

/** A bucket shows its own start on its axis, and on the other axis the snapshot whose value it shows. */
export function bucketPoint(axis: 'time' | 'ledger', start: number, row: SnapshotValues): HistoryPoint {
  const value_at = row.ledger === 0 ? null : timestampOf(row.close_time_seconds)
  return axis === 'time'
    ? { ...usdOf(row), ledger: row.ledger, timestamp: timestampOf(start), value_at }
    : { ...usdOf(row), ledger: start, timestamp: timestampOf(row.close_time_seconds), value_at }
}

/** A bucket without a snapshot, with `fill` null or zero. On the other axis: the last ledger closed in or before the bucket. */
export function emptyPoint(fill: Extract<Fill, 'null' | 'zero'>, ledger: number, seconds: number): HistoryPoint {
  const value = fill === 'zero' ? '0' : null
  return { borrowed_usd: value, net_usd: value, supplied_usd: value, ledger, timestamp: timestampOf(seconds), value_at: null }
}

function usdOf(row: SnapshotValues): Pick<HistoryPoint, 'borrowed_usd' | 'net_usd' | 'supplied_usd'> {
  return { borrowed_usd: row.borrowed_usd, net_usd: row.net_usd, supplied_usd: row.supplied_usd }
}
