// The history of one pool: its snapshots, or the last one of each bucket, and its reserves at these.
//
// Rows before `split` (unix seconds, the start of an hour) come from the tables of hours, which have the last snapshot of each: choose it so
// that no bucket ends inside of an hour before it. At 10,000 pools: every statement reads rows of one pool alone, about 9,000 hours a year,
// and the snapshots since `split`. Nothing grows with other pools.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { BUCKETS, KEEP } from './bucket-params.ts'
import { DecimalText, RawInteger, U32 } from './column-types.ts'

const pool = { protocol: z.string(), pool: z.string(), watermark: U32 }

const values = {
  ledger: U32,
  close_time_seconds: U32,
  tvl_usd: DecimalText,
  unpriced_assets: z.int(),
  /** Fees to holders and the integral of the value, over the last 7 days by hours or over the pool's life. Null outside AMMs. */
  window_fees_usd: DecimalText.nullable(),
  window_value_seconds_usd: DecimalText.nullable(),
  reward_apy: DecimalText.nullable(),
}

const OF_POOL = `protocol = {protocol:String} AND pool = {pool:String} AND ledger <= {watermark:UInt32}
          AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

const usd = (name: string): string => `toDecimal128OrNull(JSONExtractString(native, '${name}'), 8) AS ${name}`

/** What the table of hours has, from a snapshot. */
const SNAPSHOT = `ledger, toUnixTimestamp(close_time) AS seconds, tvl_usd, unpriced_assets, ${usd('volume_usd')}, ${usd('lp_fees_usd')},
          ${usd('value_seconds_usd')}, ${usd('reward_apy')}`

const HOUR = `ledger, toUnixTimestamp(close_time) AS seconds, tvl_usd, unpriced_assets, volume_usd, lp_fees_usd, value_seconds_usd, reward_apy`

const WEEK_SECONDS = 604_800

/** The newest snapshots between two instants, newest first. */
export const poolSnapshots = defineQuery({
  name: 'pool_snapshots',
  watermark: 'required',
  params: z.object({ ...pool, from: U32, to: U32, to_ledger: U32, rows: z.int().positive() }),
  row: z.object(values),
  sql: `
    SELECT shown.ledger AS ledger, shown.seconds AS close_time_seconds, shown.tvl_usd AS tvl_usd, shown.unpriced_assets AS unpriced_assets,
      shown.lp_fees_usd - ifNull(base.lp_fees_usd, 0) AS window_fees_usd,
      shown.value_seconds_usd - ifNull(base.value_seconds_usd, 0) AS window_value_seconds_usd, shown.reward_apy AS reward_apy
    FROM (
      SELECT 1 AS one, toInt64(seconds) - ${WEEK_SECONDS} AS begins, *
      FROM (
        SELECT ${SNAPSHOT}
        FROM pool_snapshots_v1
        WHERE ${OF_POOL} AND ledger <= {to_ledger:UInt32} AND toUnixTimestamp(close_time) BETWEEN {from:UInt32} AND {to:UInt32}
        ORDER BY ledger DESC
        LIMIT 1 BY ledger
        LIMIT {rows:UInt32}
      )
    ) AS shown
    ASOF LEFT JOIN (
      SELECT 1 AS one, toInt64(seconds) AS at, lp_fees_usd, value_seconds_usd FROM (SELECT ${HOUR} FROM pool_hourly_v1 WHERE ${OF_POOL})
    ) AS base ON shown.one = base.one AND shown.begins >= base.at
    ORDER BY ledger DESC`,
})

/**
 * The last snapshot at or before the end of each bucket. `fresh`: it lies in the bucket; else it is carried, and `ledger` is 0 where there
 * is none yet. `keep` chooses as in `position_history`, and what is older than the window is one more bucket before the first.
 *
 * `volume_usd`: the swaps in the bucket, from counters that only grow. The window of the fees begins at the last snapshot, by the hour, that
 * is at least 7 days older than the one shown.
 */
export const poolHistory = defineQuery({
  name: 'pool_history',
  watermark: 'required',
  params: z.object({
    ...pool,
    ...BUCKETS,
    count: z.int().nonnegative(),
    keep: KEEP,
    split: U32,
  }),
  row: z.object({ start: U32, fresh: z.boolean(), ...values, volume_usd: DecimalText.nullable() }),
  sql: `
    WITH
      snapshots AS (
        SELECT ${HOUR}
        FROM pool_hourly_v1
        WHERE ${OF_POOL} AND hour < toDateTime({split:UInt32}, 'UTC')
        UNION ALL
        SELECT ${SNAPSHOT}
        FROM pool_snapshots_v1
        WHERE ${OF_POOL} AND close_time >= toDateTime({split:UInt32}, 'UTC')
          -- Redundant, but in terms of the sort key: reads the pool's rows of the window instead of all of them.
          AND ledger > (
            SELECT max(ledger) FROM (
              SELECT ledger FROM ledgers_v1
              WHERE ledger <= {watermark:UInt32} AND close_time < toDateTime({split:UInt32}, 'UTC')
              ORDER BY ledger DESC LIMIT 1
            )
          )
      ),
      buckets AS (
        SELECT 1 AS one, bucket, toInt64(last.2) - ${WEEK_SECONDS} AS begins, last,
          last.5 - lagInFrame(ifNull(last.5, 0), 1, toDecimal128(0, 8)) OVER (
            ORDER BY bucket ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
          ) AS volume
        FROM (
          SELECT
            -- Buckets count from 1, so that 0 is left for what is older than the window.
            if(place < {from:Int64}, 0, intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64} + 1) AS bucket,
            argMax(tuple(ledger, seconds, tvl_usd, unpriced_assets, volume_usd, lp_fees_usd, value_seconds_usd, reward_apy), ledger) AS last
          FROM (SELECT *, if({axis:String} = 'time', toInt64(seconds), toInt64(ledger)) AS place FROM snapshots)
          WHERE place <= {to:Int64}
          GROUP BY bucket
        )
      ),
      seen AS (
        SELECT 1 AS one, buckets.bucket AS bucket, buckets.last AS last, buckets.volume AS volume,
          last.6 - ifNull(base.lp_fees_usd, 0) AS fees, last.7 - ifNull(base.value_seconds_usd, 0) AS value_seconds
        FROM buckets
        ASOF LEFT JOIN (SELECT 1 AS one, toInt64(seconds) AS at, lp_fees_usd, value_seconds_usd FROM snapshots) AS base
          ON buckets.one = base.one AND buckets.begins >= base.at
      )
    SELECT toUInt32(grid.start) AS start, toBool(seen.bucket = grid.start + 1) AS fresh, seen.last.1 AS ledger, seen.last.2 AS close_time_seconds,
      seen.last.3 AS tvl_usd, seen.last.4 AS unpriced_assets, if(fresh, seen.volume, seen.volume * 0) AS volume_usd,
      seen.fees AS window_fees_usd, seen.value_seconds AS window_value_seconds_usd, seen.last.8 AS reward_apy
    FROM (SELECT 1 AS one, {first:Int64} + toInt64(number) * {width:Int64} AS start FROM numbers({count:UInt64})) AS grid
    ASOF LEFT JOIN seen ON grid.one = seen.one AND grid.start + 1 >= seen.bucket
    WHERE multiIf({keep:String} = 'fresh', fresh, {keep:String} = 'carry', ledger > 0, true)
    ORDER BY start`,
})

const rate = (name: string): string => `toDecimal128OrNull(JSONExtractString(native, '${name}'), 8)`

const RESERVE = `asset, ledger, toUnixTimestamp(close_time) AS seconds, supplied, borrowed, supplied_usd, borrowed_usd`
const RATES = ['utilization', 'supply_apy', 'borrow_apy', 'supply_emission_apy', 'borrow_emission_apy'] as const

/**
 * The reserves of a pool at the end of the buckets that begin at `starts`: of each asset its last snapshot at or before. By bucket, then asset.
 * Raw points are buckets of one ledger.
 */
export const poolReserveHistory = defineQuery({
  name: 'pool_reserve_history',
  watermark: 'required',
  params: z.object({
    ...pool,
    axis: z.enum(['time', 'ledger']),
    first: z.int().nonnegative(),
    width: z.int().positive(),
    to: z.int().nonnegative(),
    starts: z.array(U32),
    split: U32,
  }),
  row: z.object({
    start: U32,
    asset: z.string(),
    supplied: RawInteger,
    borrowed: RawInteger,
    supplied_usd: DecimalText.nullable(),
    borrowed_usd: DecimalText.nullable(),
    utilization: DecimalText.nullable(),
    supply_apy: DecimalText.nullable(),
    borrow_apy: DecimalText.nullable(),
    supply_emission_apy: DecimalText.nullable(),
    borrow_emission_apy: DecimalText.nullable(),
  }),
  sql: `
    WITH
      seen AS (
        SELECT asset,
          if(place < {first:Int64}, 0, intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64} + 1) AS bucket,
          argMax(tuple(supplied, borrowed, supplied_usd, borrowed_usd, ${RATES.join(', ')}), ledger) AS last
        FROM (
          SELECT *, if({axis:String} = 'time', toInt64(seconds), toInt64(ledger)) AS place
          FROM (
            SELECT ${RESERVE}, ${RATES.join(', ')}
            FROM reserve_hourly_v1
            WHERE ${OF_POOL} AND hour < toDateTime({split:UInt32}, 'UTC')
            UNION ALL
            SELECT ${RESERVE}, ${rate('utilization')} / 10000000 AS utilization,
              ${RATES.slice(1)
                .map((name) => `${rate(name)} AS ${name}`)
                .join(', ')}
            FROM reserve_snapshots_v1
            WHERE ${OF_POOL} AND close_time >= toDateTime({split:UInt32}, 'UTC')
              AND ledger > (
                SELECT max(ledger) FROM (
                  SELECT ledger FROM ledgers_v1
                  WHERE ledger <= {watermark:UInt32} AND close_time < toDateTime({split:UInt32}, 'UTC')
                  ORDER BY ledger DESC LIMIT 1
                )
              )
          )
        )
        WHERE place <= {to:Int64}
        GROUP BY asset, bucket
      )
    SELECT toUInt32(grid.start) AS start, grid.asset AS asset, ${['supplied', 'borrowed', 'supplied_usd', 'borrowed_usd', ...RATES]
      .map((name, n) => `seen.last.${n + 1} AS ${name}`)
      .join(', ')}
    FROM (
      SELECT start, asset
      FROM (SELECT arrayJoin({starts:Array(UInt32)}) AS start) AS starts CROSS JOIN (SELECT DISTINCT asset FROM seen) AS assets
    ) AS grid
    ASOF INNER JOIN seen ON grid.asset = seen.asset AND toInt64(grid.start) + 1 >= seen.bucket
    ORDER BY start, asset`,
})

/** Close time of the pool's first snapshot: an open window begins in its bucket. No row when there is none. */
export const firstPoolSnapshot = defineQuery({
  name: 'first_pool_snapshot',
  watermark: 'required',
  params: z.object(pool),
  row: z.object({ close_time_seconds: U32 }),
  sql: `
    SELECT toUnixTimestamp(close_time) AS close_time_seconds
    FROM pool_snapshots_v1
    WHERE ${OF_POOL}
    ORDER BY ledger LIMIT 1`,
})
