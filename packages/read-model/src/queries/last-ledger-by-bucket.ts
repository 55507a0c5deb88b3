// The last ledger closed in or before each bucket of time: the second axis of points without a snapshot.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { U32 } from './column-types.ts'

/**
 * The last ledger of each bucket that has one, of ledgers that closed up to `to`, ascending. `bucket` counts from 1; bucket 0 is the last
 * ledger before the window, which buckets without a ledger show. The reader makes these: a grid and a join cost more than they read.
 *
 * At 60 M ledgers (ten years): reads two columns of the ledgers between the window's ends, which the caller keeps within the index; only
 * TVL, `fill=null` and `fill=zero` use it. The newest ledger before the window is found by its own read in reverse order.
 */
export const lastLedgerByBucket = defineQuery({
  name: 'last_ledger_by_bucket',
  watermark: 'required',
  params: z.object({
    first: z.int().nonnegative(),
    width: z.int().positive(),
    to: z.int().nonnegative(),
    watermark: U32,
  }),
  row: z.object({ bucket: z.int().nonnegative(), ledger: U32, close_time_seconds: U32 }),
  sql: `
    SELECT bucket, max(at) AS ledger, toUnixTimestamp(max(closed)) AS close_time_seconds
    FROM (
      SELECT toUInt32(intDiv(toInt64(toUnixTimestamp(close_time)) - {first:Int64}, {width:Int64}) + 1) AS bucket, ledger AS at, close_time AS closed
      FROM ledgers_v1
      WHERE ledger <= {watermark:UInt32} AND toUnixTimestamp(close_time) BETWEEN {first:Int64} AND {to:Int64}
      UNION ALL
      (
        SELECT toUInt32(0) AS bucket, ledger AS at, close_time AS closed FROM ledgers_v1
        WHERE ledger <= {watermark:UInt32} AND toUnixTimestamp(close_time) < {first:Int64}
        ORDER BY ledger DESC LIMIT 1
      )
    )
    GROUP BY bucket
    ORDER BY bucket`,
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
