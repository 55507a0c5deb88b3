// An account's actions, counted and summed in buckets of time or of ledgers.

import { ACTIVITY_TYPES } from '@orrery/protocol-kit'
import { z } from 'zod'
import { CONDITIONS_WITH_COLUMNS, defineQuery, ifGiven, PLANNED_AS_WRITTEN, SORTS_ON_DISK } from '../query.ts'
import { BUCKETS } from './bucket-params.ts'
import { DecimalText, U32 } from './column-types.ts'

/**
 * Which legs give an action its value for the account: what it sent, 3; where it sent nothing, what it received, 2; where neither has a direction
 * (another account paid, a claim was deposited again), the legs that count as volume, 1.
 */
const RANK = "multiIf(direction = 'sent', 3, direction = 'received', 2, 1)"

/**
 * One row per bucket and type, ascending. `axis` is `time` (buckets in unix seconds) or `ledger`; what counts is bounded by ledgers on both, which the
 * sort key finds.
 *
 * At 10 G rows: reads one account between two ledgers of the sort key, and sorts its rows there by action. FINAL is right here and only here: without it
 * sums would count a row once for each time that it was written, and the range is one account's. All rows of an action are of one ledger.
 * Sums are taken in 76 digits: `sum(Decimal(38, 8))` wraps silently.
 */
export const accountActivitySeries = defineQuery({
  name: 'account_activity_series',
  watermark: 'required',
  params: z.object({
    address: z.string(),
    /** '' for all. */
    protocol: z.string(),
    axis: BUCKETS.axis,
    first: BUCKETS.first,
    width: BUCKETS.width,
    from_ledger: U32,
    to_ledger: U32,
    watermark: U32,
  }),
  row: z.object({
    start: U32,
    activity_type: z.enum(ACTIVITY_TYPES),
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
  settings: { ...PLANNED_AS_WRITTEN, ...SORTS_ON_DISK },
  sql: `
    SELECT
      toUInt32(intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64}) AS start,
      activity_type,
      max(of_ledger) AS ledger,
      toUnixTimestamp(max(of_time)) AS close_time_seconds,
      toUInt32(sum(counts)) AS events,
      toString(sumIf(toDecimal256(ifNull(usd_value, 0), 8), valued)) AS usd_volume,
      min(of_confidence) AS confidence,
      toBool(countIf(unvalued) > 0) AS unpriced,
      groupUniqArrayIf(price_source, valued) AS price_sources,
      maxIf(price_age_seconds, valued) AS oldest_price_seconds
    FROM (
      SELECT activity_type, ledger AS of_ledger, close_time AS of_time, counts, confidence AS of_confidence,
        usd_value, price_source, price_age_seconds,
        if({axis:String} = 'time', toInt64(toUnixTimestamp(close_time)), toInt64(ledger)) AS place,
        ${RANK} AS rank,
        rank = max(rank) OVER (PARTITION BY action_id, activity_type) AS decides,
        decides AND (rank > 1 OR volume_usd != 0) AS valued,
        decides AND (rank > 1 OR asset_id != '') AND isNull(usd_value) AS unvalued
      FROM activities_v1 FINAL
      WHERE address = {address:String} AND ledger <= {watermark:UInt32} AND ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        AND ({protocol:String} = '' OR protocol = {protocol:String})
    )
    GROUP BY start, activity_type
    ORDER BY start, activity_type`,
})

/**
 * The same rows before they are added up, for an account with few of them: the engine takes longer to plan the sums than to read these. In the order of the feed.
 *
 * At 10 G rows: reads one account between two ledgers of the sort key, and stops a few granules after `rows`: small blocks of one thread are what it stops between.
 */
export const accountSeriesRows = defineQuery({
  name: 'account_series_rows',
  watermark: 'required',
  params: z.object({
    address: z.string(),
    /** '' for all. */
    protocol: z.string(),
    from_ledger: U32,
    to_ledger: U32,
    watermark: U32,
    rows: z.int().positive(),
  }),
  row: z.object({
    ledger: U32,
    close_time_seconds: U32,
    activity_type: z.enum(ACTIVITY_TYPES),
    action_id: z.string(),
    counts: U32,
    confidence: z.number(),
    usd_value: DecimalText.nullable(),
    price_source: z.string(),
    price_age_seconds: U32,
    rank: z.int(),
    has_volume: z.boolean(),
    has_asset: z.boolean(),
  }),
  settings: { ...CONDITIONS_WITH_COLUMNS, max_block_size: '2048', max_threads: 1 },
  sql: `
    SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, activity_type, action_id, counts, confidence, usd_value, price_source,
      price_age_seconds, ${RANK} AS rank, toBool(volume_usd != 0) AS has_volume, toBool(asset_id != '') AS has_asset
    FROM activities_v1 FINAL
    WHERE address = {address:String} AND ledger <= {watermark:UInt32} AND ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}${ifGiven('protocol', ' AND protocol = {protocol:String}')}
    ORDER BY ledger, tx_order, op_index, event_index, row
    LIMIT {rows:UInt32}`,
})

/** Close time of an account's first action: a window without a beginning may begin in its bucket. No row when it never did anything. Reads one granule. */
export const firstAccountActivity = defineQuery({
  name: 'first_account_activity',
  watermark: 'required',
  params: z.object({ address: z.string(), protocol: z.string(), watermark: U32 }),
  row: z.object({ close_time_seconds: U32 }),
  sql: `
    SELECT toUnixTimestamp(close_time) AS close_time_seconds
    FROM activities_v1
    WHERE address = {address:String} AND ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
      AND ({protocol:String} = '' OR protocol = {protocol:String})
    ORDER BY ledger LIMIT 1`,
})
