// An account's actions, counted and summed in buckets of time or of ledgers.

import { ACTIVITY_TYPES } from '@orrery/protocol-kit'
import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { BUCKETS } from './bucket-params.ts'
import { DecimalText, U32 } from './column-types.ts'

/**
 * An aggregate over the legs that give an action its value for the account: what it sent; where it sent nothing, what it received; where neither has
 * a direction (another account paid, a claim was deposited again), the legs that count as volume.
 */
const ofAction = (aggregate: (legs: string) => string): string => `multiIf(
        countIf(direction = 'sent') > 0, ${aggregate(`direction = 'sent'`)},
        countIf(direction = 'received') > 0, ${aggregate(`direction = 'received'`)},
        ${aggregate('volume_usd != 0')})`

/**
 * One row per bucket and type, ascending. `axis` is `time` (bounds and buckets in unix seconds) or `ledger`.
 *
 * At 10 G rows: reads one account between two ledgers of the sort key, or one account where only times bound it. FINAL is right here and
 * only here: without it sums would count a row once for each time that it was written, and the range is one account's.
 * All rows of an action are of one ledger, so those outside of the bounds are left out before they are grouped: by the place, and by the ledger
 * itself where the sort key can find it.
 * Sums are taken in 76 digits: `sum(Decimal(38, 8))` wraps silently.
 */
export const accountActivitySeries = defineQuery({
  name: 'account_activity_series',
  watermark: 'required',
  params: z.object({
    address: z.string(),
    /** '' for all. */
    protocol: z.string(),
    ...BUCKETS,
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
  sql: `
    SELECT
      toUInt32(intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64}) AS start,
      activity_type,
      max(ledger_) AS ledger,
      toUnixTimestamp(max(close_time_)) AS close_time_seconds,
      toUInt32(sum(events_)) AS events,
      toString(sum(moved)) AS usd_volume,
      min(confidence_) AS confidence,
      toBool(max(unpriced_) > 0) AS unpriced,
      groupUniqArrayArray(price_sources_) AS price_sources,
      max(oldest_price_seconds_) AS oldest_price_seconds
    FROM (
      SELECT action_id, activity_type,
        if({axis:String} = 'time', toInt64(toUnixTimestamp(any(close_time))), toInt64(any(ledger))) AS place,
        any(ledger) AS ledger_, any(close_time) AS close_time_, sum(counts) AS events_, min(confidence) AS confidence_,
        ${ofAction((legs) => `sumIf(toDecimal256(ifNull(usd_value, 0), 8), ${legs})`)} AS moved,
        ${ofAction((legs) => `countIf(isNull(usd_value) AND ${legs === 'volume_usd != 0' ? `asset_id != ''` : legs})`)} AS unpriced_,
        ${ofAction((legs) => `groupUniqArrayIf(price_source, ${legs})`)} AS price_sources_,
        ${ofAction((legs) => `maxIf(price_age_seconds, ${legs})`)} AS oldest_price_seconds_
      FROM activities_v1 FINAL
      WHERE address = {address:String} AND ledger <= {watermark:UInt32}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
        AND ({protocol:String} = '' OR protocol = {protocol:String})
        AND if({axis:String} = 'time', toInt64(toUnixTimestamp(close_time)), toInt64(ledger)) BETWEEN {from:Int64} AND {to:Int64}
        AND if({axis:String} = 'time', true, ledger BETWEEN {from:Int64} AND {to:Int64})
      GROUP BY action_id, activity_type
    )
    GROUP BY start, activity_type
    ORDER BY start, activity_type`,
})

/** Close time of an account's first action: an open window begins in its bucket. No row when it never did anything. Reads one granule. */
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
