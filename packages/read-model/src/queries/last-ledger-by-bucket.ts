// The last ledger closed in or before each bucket of time: the second axis of points without a snapshot.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/**
 * One row per bucket, ascending, of ledgers that closed up to `to`; `ledger` is 0 before the first one.
 *
 * At 60 M ledgers (ten years): reads two columns of the ledgers between the window's ends, which the caller keeps within the index; only
 * `fill=null` and `fill=zero` use it. The newest ledger before the window is found by its own read in reverse order.
 */
export const lastLedgerByBucket = defineQuery({
  name: 'last_ledger_by_bucket',
  watermark: 'required',
  params: z.object({
    first: z.int().nonnegative(),
    width: z.int().positive(),
    count: z.int().nonnegative(),
    to: z.int().nonnegative(),
    watermark: U32,
  }),
  row: z.object({ start: U32, ledger: U32 }),
  sql: `
    SELECT toUInt32(grid.start) AS start, seen.last_ledger AS ledger
    FROM (SELECT 1 AS one, {first:Int64} + toInt64(number) * {width:Int64} AS start FROM numbers({count:UInt64})) AS grid
    ASOF LEFT JOIN (
      SELECT 1 AS one, bucket, max(ledger) AS last_ledger
      FROM (
        SELECT {first:Int64} + intDiv(toInt64(toUnixTimestamp(close_time)) - {first:Int64}, {width:Int64}) * {width:Int64} AS bucket, ledger
        FROM ledgers_v1
        WHERE ledger <= {watermark:UInt32} AND toUnixTimestamp(close_time) BETWEEN {first:Int64} AND {to:Int64}
        UNION ALL
        (
          SELECT toInt64(0) AS bucket, ledger FROM ledgers_v1
          WHERE ledger <= {watermark:UInt32} AND toUnixTimestamp(close_time) < {first:Int64}
          ORDER BY ledger DESC LIMIT 1
        )
      )
      GROUP BY bucket
    ) AS seen ON grid.one = seen.one AND grid.start >= seen.bucket
    ORDER BY start`,
})

/** Close times of the last ledgers at or before given ones. One row for each distinct ledger found, for at most 5,000 given ones. */
export const closeTimesOf = defineQuery({
  name: 'close_times_of',
  watermark: 'required',
  params: z.object({ ledgers: z.array(U32), watermark: U32 }),
  row: z.object({ ledger: U32, close_time_seconds: U32 }),
  sql: `
    SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds
    FROM ledgers_v1
    WHERE ledger IN {ledgers:Array(UInt32)} AND ledger <= {watermark:UInt32}
    ORDER BY ledger
    LIMIT 1 BY ledger`,
})
