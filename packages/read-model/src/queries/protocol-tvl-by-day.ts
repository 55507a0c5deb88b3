// TVL of a protocol by day: the sum of its pools, each at its last snapshot of the day or, on a quiet day, the one before.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { DecimalText, RawInteger, U32 } from './column-types.ts'

/**
 * One row per day from `first` on, ascending. `last_day` is the day of `to_ledger`: its values come from pool snapshots, because the
 * stored last row of that day may be newer than the question.
 *
 * Each pool's change from day to day is summed and added up (delta method): filling gaps per pool with WITH FILL … INTERPOLATE would carry
 * the last value of one pool into the next one. A pool's change before the window counts on its first day.
 *
 * At 10,000 pools: reads one row for each pool and day up to the window's end from `pool_daily` (10 M small rows in three years), and the
 * snapshots of one day. Nothing grows with snapshots or activities.
 */
export const protocolTvlByDay = defineQuery({
  name: 'protocol_tvl_by_day',
  watermark: 'required',
  params: z.object({
    protocol: z.string(),
    first: z.iso.date(),
    days: z.int().positive(),
    last_day: z.iso.date(),
    to_ledger: U32,
    watermark: U32,
  }),
  row: z.object({ day_seconds: U32, tvl_usd: DecimalText, unpriced: RawInteger }),
  sql: `
    WITH
      by_pool AS (
        SELECT pool, day, argMax(tuple(tvl_usd, unpriced_assets), ledger) AS value
        FROM pool_daily_v1
        WHERE protocol = {protocol:String} AND day < {last_day:Date} AND ledger <= {to_ledger:UInt32} AND ledger <= {watermark:UInt32}
          AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        GROUP BY pool, day
        UNION ALL
        SELECT pool, {last_day:Date} AS day, argMax(tuple(tvl_usd, unpriced_assets), ledger) AS value
        FROM pool_snapshots_v1
        WHERE protocol = {protocol:String} AND toDate(close_time) = {last_day:Date} AND ledger <= {to_ledger:UInt32} AND ledger <= {watermark:UInt32}
          -- Says nothing new, but in the words of the sort key: each pool's rows of one day instead of all of them.
          AND ledger > (
            SELECT max(ledger) FROM (
              SELECT ledger FROM ledgers_v1
              WHERE ledger <= {to_ledger:UInt32} AND close_time < toDateTime({last_day:Date}, 'UTC')
              ORDER BY ledger DESC LIMIT 1
            )
          )
          AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        GROUP BY pool
      ),
      steps AS (
        SELECT pool, day, toDecimal256(value.1, 8) AS tvl, toInt64(value.2) AS unpriced,
          lagInFrame(tvl, 1, toDecimal256(0, 8)) OVER before AS tvl_before,
          lagInFrame(unpriced, 1, toInt64(0)) OVER before AS unpriced_before
        FROM by_pool
        WINDOW before AS (PARTITION BY pool ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)
      ),
      changes AS (
        SELECT greatest(day, {first:Date}) AS day, sum(tvl - tvl_before) AS tvl, sum(unpriced - unpriced_before) AS unpriced
        FROM steps
        GROUP BY day
      )
    SELECT toUInt32(toUnixTimestamp(toDateTime(grid.day, 'UTC'))) AS day_seconds,
      toString(sum(changes.tvl) OVER (ORDER BY grid.day)) AS tvl_usd, sum(changes.unpriced) OVER (ORDER BY grid.day) AS unpriced
    FROM (SELECT {first:Date} + number AS day FROM numbers({days:UInt32})) AS grid
    LEFT JOIN changes ON changes.day = grid.day
    ORDER BY grid.day`,
})
