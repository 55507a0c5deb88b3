// The network's price of one asset over time, from the rows that one protocol's fold wrote of every source. Of the rows that count at a
// ledger, that of the first source in the order of asking is the price: `sources` is that order, `ages` how many seconds a row of each
// counts; ALWAYS for a price that holds at every ledger as of it.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { DecimalText, U32 } from './column-types.ts'

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

/** `source` is '' and the price null where no row counted. */
const value = {
  ledger: U32,
  close_time_seconds: U32,
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

/** The price at each of `events` (columns `bucket`, `at`, `at_seconds`), from `quotes`: `best` is rank, price, observation; rank 0: none. */
const VALUED = `
      SELECT bucket, at, at_seconds,
        argMinIf(tuple(asked.rank, quotes.price_usd, if(${AGE} = ${ALWAYS}, at_seconds, quotes.observed)), asked.rank,
          quotes.ledger > 0 AND (${AGE} = ${ALWAYS} OR at_seconds <= quotes.observed + ${AGE})) AS best
      FROM (
        SELECT bucket, at, at_seconds, toUInt16(arrayJoin(arrayEnumerate({sources:Array(String)}))) AS rank FROM events
      ) AS asked
      ASOF LEFT JOIN quotes ON asked.rank = quotes.rank AND asked.at >= quotes.ledger
      GROUP BY bucket, at, at_seconds`

const SHOWN = `if(best.1 = 0, NULL, best.2) AS price_usd, if(best.1 = 0, '', arrayElement({sources:Array(String)}, best.1)) AS source,
      if(best.1 = 0, 0, best.3) AS observed_at_seconds`

/**
 * The price at each ledger that brought a price of the asset from any source, newest first.
 *
 * Reads the asset's price rows up to the window's end: a feed of five minutes has about 105,000 a year. What is older than the window by
 * more than a day is left out by its close time.
 */
export const assetPrices = defineQuery({
  name: 'asset_prices',
  watermark: 'required',
  params: z.object({ ...asset, from: U32, to: U32, to_ledger: U32, rows: z.int().positive() }),
  row: z.object(value),
  sql: `
    WITH
      events AS (
        SELECT toInt64(ledger) AS bucket, ledger AS at, max(toUnixTimestamp(close_time)) AS at_seconds
        FROM prices_v1
        WHERE ${OF_ASSET} AND ledger <= {to_ledger:UInt32} AND toUnixTimestamp(close_time) BETWEEN {from:UInt32} AND {to:UInt32}
        GROUP BY ledger
        ORDER BY ledger DESC
        LIMIT {rows:UInt32}
      ),
      quotes AS (
        SELECT ${QUOTE}
        FROM prices_v1
        WHERE ${OF_ASSET} AND ledger <= {to_ledger:UInt32}
          AND (toUnixTimestamp(close_time) + ${LONGEST_SECONDS} >= {from:UInt32} OR ${IS_ALWAYS})
      )
    SELECT at AS ledger, at_seconds AS close_time_seconds, ${SHOWN}
    FROM (${VALUED}
    )
    ORDER BY ledger DESC`,
})

/**
 * The price at the last ledger of each bucket that brought a price of the asset from any source. `fresh`: it lies in the bucket; else it is
 * the last one before, and `ledger` is 0 where there is none. `keep` chooses as in `position_history`, and what is older than the window is
 * one more bucket before the first.
 *
 * Rows before `split` (unix seconds, the start of an hour) come from the table of hours, which has the last row of each: choose it so that
 * no bucket ends inside of an hour before it. Rows older than `since` are not looked at, except those of a source that always holds.
 *
 * An hourly series reads a row for each hour and source; only windows in narrower buckets, or on the ledger axis, read every price.
 */
export const assetPriceHistory = defineQuery({
  name: 'asset_price_history',
  watermark: 'required',
  params: z.object({
    ...asset,
    axis: z.enum(['time', 'ledger']),
    first: z.int().nonnegative(),
    width: z.int().positive(),
    count: z.int().nonnegative(),
    from: z.int().nonnegative(),
    to: z.int().nonnegative(),
    keep: z.enum(['fresh', 'carry', 'all']),
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
          max(ledger) AS at, max(seconds) AS at_seconds
        FROM (SELECT ledger, seconds, if({axis:String} = 'time', toInt64(seconds), toInt64(ledger)) AS place FROM quotes)
        WHERE place <= {to:Int64}
        GROUP BY bucket
      )
    SELECT toUInt32(grid.start) AS start, toBool(seen.bucket = grid.start + 1) AS fresh, seen.at AS ledger, seen.at_seconds AS close_time_seconds,
      ${SHOWN.replaceAll('best', 'seen.best')}
    FROM (SELECT 1 AS one, {first:Int64} + toInt64(number) * {width:Int64} AS start FROM numbers({count:UInt64})) AS grid
    ASOF LEFT JOIN (
      SELECT 1 AS one, bucket, at, at_seconds, best FROM (${VALUED}
      )
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
