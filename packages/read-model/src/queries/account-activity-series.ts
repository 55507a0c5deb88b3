// An account's actions, counted and summed in buckets of time or of ledgers.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { DecimalText, U32 } from './column-types.ts'

/**
 * One row per bucket and type, ascending. `axis` is `time` (bounds and buckets in unix seconds) or `ledger`.
 *
 * At 10 G rows: reads one account between two ledgers of the sort key, or one account where only times bound it. FINAL is right here and
 * only here: without it sums would count a row once for each time that it was written, and the range is one account's.
 * Sums are taken in 76 digits: `sum(Decimal(38, 8))` wraps silently.
 */
export const accountActivitySeries = defineQuery({
  name: 'account_activity_series',
  watermark: 'required',
  params: z.object({
    address: z.string(),
    axis: z.enum(['time', 'ledger']),
    first: z.int().nonnegative(),
    width: z.int().positive(),
    from: z.int().nonnegative(),
    to: z.int().nonnegative(),
    watermark: U32,
  }),
  row: z.object({
    start: U32,
    activity_type: z.string(),
    ledger: U32,
    close_time_seconds: U32,
    events: U32,
    usd_volume: DecimalText,
    confidence: z.number(),
    unpriced: z.boolean(),
    /** The sources of the prices behind the volume; and the age of the oldest price, at its ledger. */
    price_sources: z.array(z.string()),
    oldest_price_seconds: U32,
  }),
  sql: `
    SELECT
      toUInt32(intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64}) AS start,
      activity_type,
      max(ledger_) AS ledger,
      toUnixTimestamp(max(close_time)) AS close_time_seconds,
      toUInt32(sum(counts)) AS events,
      toString(sum(toDecimal256(volume_usd, 8))) AS usd_volume,
      min(confidence_) AS confidence,
      -- The legs that may count: what came in, or what went out of an action without one. Only of a swap another leg always counts.
      toBool(countIf(isNull(usd_value) AND (leg = 'in' OR (leg = 'out' AND activity_type != 'swap'))) > 0) AS unpriced,
      groupUniqArrayIf(price_source, volume_usd != 0) AS price_sources,
      maxIf(price_age_seconds, volume_usd != 0) AS oldest_price_seconds
    FROM (
      SELECT if({axis:String} = 'time', toInt64(toUnixTimestamp(close_time)), toInt64(ledger)) AS place,
        ledger AS ledger_, close_time, activity_type, counts, volume_usd, confidence AS confidence_, usd_value, leg,
          price_source, price_age_seconds
      FROM activities_v1 FINAL
      WHERE address = {address:String} AND ledger <= {watermark:UInt32}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        AND if({axis:String} = 'time', true, ledger BETWEEN {from:Int64} AND {to:Int64})
    )
    WHERE place BETWEEN {from:Int64} AND {to:Int64}
    GROUP BY start, activity_type
    ORDER BY start, activity_type`,
})

/** Close time of an account's first action: an open window begins in its bucket. No row when it never did anything. Reads one granule. */
export const firstAccountActivity = defineQuery({
  name: 'first_account_activity',
  watermark: 'required',
  params: z.object({ address: z.string(), watermark: U32 }),
  row: z.object({ close_time_seconds: U32 }),
  sql: `
    SELECT toUnixTimestamp(close_time) AS close_time_seconds
    FROM activities_v1
    WHERE address = {address:String} AND ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY ledger LIMIT 1`,
})
