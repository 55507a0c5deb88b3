// The points of a position's history, raw or in buckets.

import type { DecimalText } from '@orrery/protocol-kit'
import { z } from 'zod'
import type { Fill } from '../params/history-query.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

const MAY_BE_MISSING = 'Null where a part of it had no price at the point’s ledger, and in an empty bucket under `fill=null`.'

export const HistoryPoint = z
  .strictObject({
    borrowed_usd: z.string().nullable().describe(MAY_BE_MISSING),
    net_usd: z.string().nullable().describe('supplied - borrowed.'),
    supplied_usd: z.string().nullable().describe(MAY_BE_MISSING),
    ledger: z.int(),
    timestamp: Timestamp,
  })
  .meta({ id: 'HistoryPoint' })
export type HistoryPoint = z.input<typeof HistoryPoint>

export const PoolHistory = z
  .strictObject({
    pool_id: z.string(),
    points: z.array(HistoryPoint).describe('Ascending. USD is fixed at the prices of each point’s ledger.'),
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
  return { ...usdOf(row), ledger: row.ledger, timestamp: timestampOf(row.close_time_seconds) }
}

/** A bucket shows its own start on its axis, and on the other axis the snapshot that it took its value from. */
export function bucketPoint(axis: 'time' | 'ledger', start: number, row: SnapshotValues): HistoryPoint {
  return axis === 'time'
    ? { ...usdOf(row), ledger: row.ledger, timestamp: timestampOf(start) }
    : { ...usdOf(row), ledger: start, timestamp: timestampOf(row.close_time_seconds) }
}

/** A bucket without a snapshot under `fill` null or zero. The other axis: the last ledger closed in or before the bucket. */
export function emptyPoint(fill: Extract<Fill, 'null' | 'zero'>, ledger: number, seconds: number): HistoryPoint {
  const value = fill === 'zero' ? '0' : null
  return { borrowed_usd: value, net_usd: value, supplied_usd: value, ledger, timestamp: timestampOf(seconds) }
}

function usdOf(row: SnapshotValues): Pick<HistoryPoint, 'borrowed_usd' | 'net_usd' | 'supplied_usd'> {
  return { borrowed_usd: row.borrowed_usd, net_usd: row.net_usd, supplied_usd: row.supplied_usd }
}
