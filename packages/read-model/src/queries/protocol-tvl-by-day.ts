// TVL of a protocol by day: the sum of its pools, each at its last snapshot of the day or, on a quiet day, the one before.

import { z } from 'zod'
import { defineQuery, PLANNED_AS_WRITTEN } from '../query.ts'
import { DecimalText, RawInteger, U32 } from './column-types.ts'

/**
 * One row per day from `first` on, ascending. All of them are over at the watermark: the stored last row of a later day may be after it.
 *
 * Each pool's change from row to row is summed and added up (delta method): filling gaps per pool with WITH FILL … INTERPOLATE would carry
 * the last value of one pool into the next one. Days without a change carry the sum. A pool's value before the window counts on its first day. Copies of a
 * row that are not merged yet, and rows that a later one of their day replaces, add up to the last one by themselves.
 *
 * At 10,000 pools and three years: sorts one small row for each pool and requested day, and of the days before reads narrow columns to find the last row of
 * each pool. Time and memory grow with the requested days, with snapshots and activities nothing does.
 */
export const protocolTvlByDay = defineQuery({
  name: 'protocol_tvl_by_day',
  watermark: 'required',
  settings: PLANNED_AS_WRITTEN,
  params: z.object({
    protocol: z.string(),
    first: z.iso.date(),
    days: z.int().positive(),
    watermark: U32,
  }),
  row: z.object({ day_seconds: U32, tvl_usd: DecimalText, unpriced: RawInteger }),
  sql: `
    SELECT toUInt32(toUnixTimestamp(toDateTime(day, 'UTC'))) AS day_seconds, toString(tvl) AS tvl_usd, unpriced
    FROM (
      SELECT day, sum(tvl_change) OVER (ORDER BY day) AS tvl, sum(unpriced_change) OVER (ORDER BY day) AS unpriced
      FROM (
        -- Sums are taken in 76 digits: sum(Decimal(38, 8)) wraps silently.
        SELECT day, sum(toDecimal256(value.1, 8) - toDecimal256(before.1, 8)) AS tvl_change, sum(value.2 - before.2) AS unpriced_change
        FROM (
          SELECT greatest(pool_daily_v1.day, {first:Date}) AS day, tuple(tvl_usd, toInt64(unpriced_assets)) AS value,
            lagInFrame(value) OVER (PARTITION BY pool ORDER BY ledger ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW) AS before
          FROM pool_daily_v1
          WHERE protocol = {protocol:String} AND pool_daily_v1.day < {first:Date} + {days:UInt32} AND ledger <= {watermark:UInt32}
            AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
            AND (pool_daily_v1.day >= {first:Date} OR (pool_daily_v1.day, pool) GLOBAL IN (
              SELECT max(day), pool FROM pool_daily_v1
              WHERE protocol = {protocol:String} AND day < {first:Date}
                AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
              GROUP BY pool
            ))
        )
        GROUP BY day
      )
      ORDER BY day WITH FILL FROM {first:Date} TO {first:Date} + {days:UInt32} INTERPOLATE (tvl, unpriced)
    )
    ORDER BY day`,
})
