// The network's price of one asset over time, from the rows that one protocol's fold wrote of every source. Of the rows that count at a
// ledger, that of the first source in the order of asking is the price: `sources` is that order, `ages` how many seconds a row of each
// counts; ALWAYS for a price that holds at every ledger as of it.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { BUCKETS, KEEP } from './bucket-params.ts'
import { DecimalText, RawInteger, U32 } from './column-types.ts'

/** In `ages`: the source's last price holds at every later ledger, as of that ledger. */
export const ALWAYS = 4_294_967_295

/** No price counts for longer: a day. */
const LONGEST_SECONDS = 86_400

const asset = {
  asset: z.string(),
  protocol: z.string(),
  sources: z.array(z.string()),
  ages: z.array(U32),
  watermark: U32,
}

const value = {
  ledger: U32,
  close_time_seconds: U32,
  /** Null, like '' of the source, where there is no price. */
  price_usd: DecimalText.nullable(),
  source: z.string(),
  observed_at_seconds: U32,
}

const OF_ASSET = `asset = {asset:String} AND protocol = {protocol:String} AND source IN {sources:Array(String)}
        AND ledger <= {watermark:UInt32} AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

const QUOTE = `toUInt16(indexOf({sources:Array(String)}, source)) AS rank, ledger, toUnixTimestamp(close_time) AS seconds, price_usd,
        toUnixTimestamp(observed_at) AS observed`

/** Rows of a source whose last price always holds: they are looked at however old they are. */
const IS_ALWAYS = `arrayElement({ages:Array(UInt32)}, indexOf({sources:Array(String)}, source)) = ${ALWAYS}`

/** Seconds that a price of the asked source counts. */
const AGE = 'arrayElement({ages:Array(UInt32)}, asked.rank)'

/**
 * Those of `events` (columns `bucket`, `own`, `at`, `at_seconds`: a row of the source `own`) whose row is the price at its ledger, with it in
 * `best`: rank, price, observation. A row that an earlier source beats at its own ledger brought no price.
 */
const PRICED = `
      SELECT bucket, own, at, at_seconds,
        argMinIf(tuple(asked.rank, quotes.price_usd, if(${AGE} = ${ALWAYS}, at_seconds, quotes.observed)), asked.rank,
          quotes.ledger > 0 AND (${AGE} = ${ALWAYS} OR at_seconds <= quotes.observed + ${AGE})) AS best
      FROM (
        SELECT bucket, own, at, at_seconds, toUInt16(arrayJoin(arrayEnumerate({sources:Array(String)}))) AS rank FROM events
      ) AS asked
      ASOF LEFT JOIN quotes ON asked.rank = quotes.rank AND asked.at >= quotes.ledger
      GROUP BY bucket, own, at, at_seconds
      HAVING best.1 = own`

/**
 * The price at each ledger that brought it, newest first: where the row of the first source that counts is of that ledger. `scanned` is the
 * number of rows that were looked at, the newest `events` at most.
 *
 * Reads the asset's price rows up to the window's end: a feed of five minutes has about 105,000 a year. What is older than the window by
 * more than a day is left out by its close time.
 */
export const assetPrices = defineQuery({
  name: 'asset_prices',
  watermark: 'required',
  params: z.object({ ...asset, from: U32, to: U32, to_ledger: U32, events: z.int().positive(), rows: z.int().positive() }),
  row: z.object({ ...value, scanned: RawInteger }),
  sql: `
    WITH
      quotes AS (
        SELECT ${QUOTE}
        FROM prices_v1
        WHERE ${OF_ASSET} AND ledger <= {to_ledger:UInt32}
          AND (toUnixTimestamp(close_time) + ${LONGEST_SECONDS} >= {from:UInt32} OR ${IS_ALWAYS})
      ),
      events AS (
        SELECT toInt64(ledger) AS bucket, rank AS own, ledger AS at, max(seconds) AS at_seconds
        FROM quotes
        WHERE seconds BETWEEN {from:UInt32} AND {to:UInt32}
        GROUP BY rank, ledger
        ORDER BY ledger DESC, rank
        LIMIT {events:UInt32}
      )
    SELECT at AS ledger, at_seconds AS close_time_seconds, best.2 AS price_usd, arrayElement({sources:Array(String)}, best.1) AS source,
      best.3 AS observed_at_seconds, (SELECT count() FROM events) AS scanned
    FROM (${PRICED}
    )
    ORDER BY ledger DESC
    LIMIT {rows:UInt32}`,
})

/**
 * The price at the last ledger of each bucket that brought it. `fresh`: it lies in the bucket; else it is the last one before, and `ledger`
 * is 0 where there is none. `keep` chooses as in `position_history`, and what is older than the window is one more bucket before the first.
 *
 * Of each source the last row of a bucket is enough: the last row that is the price at its ledger is the last one of its source. (If the source had a
 * later row in the bucket, that one would be beaten by a source asked before, whose row would then be the price at its own ledger, later.)
 * So rows before `split` (unix seconds, the start of an hour) come from the table of hours, which has the last row of each: choose it so that
 * no bucket ends inside of an hour before it. Rows older than `since` are not looked at, except those of a source that always holds.
 *
 * An hourly series reads a row for each hour and source; only windows in narrower buckets, or on the ledger axis, read every price.
 */
export const assetPriceHistory = defineQuery({
  name: 'asset_price_history',
  watermark: 'required',
  params: z.object({
    ...asset,
    ...BUCKETS,
    count: z.int().nonnegative(),
    keep: KEEP,
    since: U32,
    split: U32,
  }),
  row: z.object({ start: U32, fresh: z.boolean(), ...value }),
  sql: `
    WITH
      quotes AS (
        SELECT ${QUOTE}
        FROM prices_hourly_v1
        WHERE ${OF_ASSET} AND (hour >= toDateTime({since:UInt32}, 'UTC') OR ${IS_ALWAYS})
          AND hour < toDateTime({split:UInt32}, 'UTC')
        UNION ALL
        SELECT ${QUOTE}
        FROM prices_v1
        WHERE ${OF_ASSET} AND close_time >= toDateTime({split:UInt32}, 'UTC')
      ),
      events AS (
        SELECT
          -- Buckets count from 1, so that 0 is left for what is older than the window.
          if(place < {from:Int64}, 0, intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64} + 1) AS bucket,
          rank AS own, max(ledger) AS at, max(seconds) AS at_seconds
        FROM (SELECT rank, ledger, seconds, if({axis:String} = 'time', toInt64(seconds), toInt64(ledger)) AS place FROM quotes)
        WHERE place <= {to:Int64}
        GROUP BY bucket, own
      )
    SELECT toUInt32(grid.start) AS start, toBool(seen.bucket = grid.start + 1) AS fresh, seen.last.1 AS ledger,
      seen.last.2 AS close_time_seconds, if(seen.last.1 = 0, NULL, seen.last.3.2) AS price_usd,
      if(seen.last.1 = 0, '', arrayElement({sources:Array(String)}, seen.last.3.1)) AS source, seen.last.3.3 AS observed_at_seconds
    FROM (SELECT 1 AS one, {first:Int64} + toInt64(number) * {width:Int64} AS start FROM numbers({count:UInt64})) AS grid
    ASOF LEFT JOIN (
      SELECT 1 AS one, bucket, argMax(tuple(at, at_seconds, best), at) AS last
      FROM (${PRICED}
      )
      GROUP BY bucket
    ) AS seen ON grid.one = seen.one AND grid.start + 1 >= seen.bucket
    WHERE multiIf({keep:String} = 'fresh', fresh, {keep:String} = 'carry', ledger > 0, true)
    ORDER BY start`,
})

/** Close time of the asset's first price: an open window begins in its bucket. No row when there is none. */
export const firstAssetPrice = defineQuery({
  name: 'first_asset_price',
  watermark: 'required',
  params: z.object({ asset: z.string(), protocol: z.string(), sources: z.array(z.string()), watermark: U32 }),
  row: z.object({ close_time_seconds: U32 }),
  sql: `
    SELECT toUnixTimestamp(close_time) AS close_time_seconds
    FROM prices_v1
    WHERE ${OF_ASSET}
    ORDER BY ledger
    LIMIT 1`,
})
