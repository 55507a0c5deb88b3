// The history of one position: its snapshots, or the last one of each bucket. The same three queries serve every protocol.
// At 10 G snapshots: the sort key begins with (address, protocol, pool), so every one of them reads one position's rows, at most about
// 9,000 heartbeats a year. `LIMIT 1 BY ledger` and the aggregate by bucket remove copies that are not merged yet.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { BUCKETS, KEEP } from './bucket-params.ts'
import { DecimalText, RawInteger, U32 } from './column-types.ts'

const position = { address: z.string(), protocol: z.string(), pool: z.string(), watermark: U32 }

const values = {
  ledger: U32,
  close_time_seconds: U32,
  supplied_usd: DecimalText.nullable(),
  borrowed_usd: DecimalText.nullable(),
  net_usd: DecimalText.nullable(),
  unpriced_assets: z.int(),
}

const OF_POSITION = `address = {address:String} AND protocol = {protocol:String} AND pool = {pool:String} AND ledger <= {watermark:UInt32}
        AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

/** The newest snapshots between two instants, newest first. */
export const positionSnapshots = defineQuery({
  name: 'position_snapshots',
  watermark: 'required',
  params: z.object({ ...position, from: U32, to: U32, to_ledger: U32, rows: z.int().positive() }),
  row: z.object(values),
  sql: `
    SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets
    FROM position_snapshots_v1
    WHERE ${OF_POSITION} AND ledger <= {to_ledger:UInt32} AND toUnixTimestamp(close_time) BETWEEN {from:UInt32} AND {to:UInt32}
    ORDER BY ledger DESC
    LIMIT 1 BY ledger
    LIMIT {rows:UInt32}`,
})

/**
 * The last snapshot at or before the end of each bucket. `fresh`: it lies in the bucket; else it is carried, and `ledger` is 0 where there
 * is none yet. `keep` chooses: `fresh` buckets only, those that have a value to `carry`, or `all`.
 *
 * Snapshots before the window form one more bucket before the first. A grid and an ASOF join instead of WITH FILL: fill and interpolate
 * carry from before the window only with a seed row, and their bounds must have the column's exact type.
 * The values travel as one tuple: `argMax` of a nullable column passes over nulls and would show an older value.
 */
export const positionHistory = defineQuery({
  name: 'position_history',
  watermark: 'required',
  params: z.object({
    ...position,
    ...BUCKETS,
    count: z.int().nonnegative(),
    keep: KEEP,
  }),
  row: z.object({ start: U32, fresh: z.boolean(), ...values }),
  sql: `
    SELECT toUInt32(grid.start) AS start, toBool(seen.bucket = grid.start + 1) AS fresh, seen.last.1 AS ledger, seen.last.2 AS close_time_seconds,
      seen.last.3 AS supplied_usd, seen.last.4 AS borrowed_usd, seen.last.5 AS net_usd, seen.last.6 AS unpriced_assets
    FROM (SELECT 1 AS one, {first:Int64} + toInt64(number) * {width:Int64} AS start FROM numbers({count:UInt64})) AS grid
    ASOF LEFT JOIN (
      SELECT 1 AS one,
        -- Buckets count from 1, so that 0 is left for what is older than the window.
        if(place < {from:Int64}, 0, intDiv(place - {first:Int64}, {width:Int64}) * {width:Int64} + {first:Int64} + 1) AS bucket,
        argMax(tuple(ledger, close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets), ledger) AS last
      FROM (
        SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets,
          if({axis:String} = 'time', toInt64(close_time_seconds), toInt64(ledger)) AS place
        FROM position_snapshots_v1
        WHERE ${OF_POSITION}
      )
      WHERE place <= {to:Int64}
      GROUP BY bucket
    ) AS seen ON grid.one = seen.one AND grid.start + 1 >= seen.bucket
    WHERE multiIf({keep:String} = 'fresh', fresh, {keep:String} = 'carry', ledger > 0, true)
    ORDER BY start`,
})

/** Close time of the position's first snapshot: an open window begins in its bucket. No row when there is none. Reads one granule. */
export const firstPositionSnapshot = defineQuery({
  name: 'first_position_snapshot',
  watermark: 'required',
  params: z.object(position),
  row: z.object({ close_time_seconds: U32, shares: RawInteger }),
  sql: `
    SELECT toUnixTimestamp(close_time) AS close_time_seconds, shares
    FROM position_snapshots_v1
    WHERE ${OF_POSITION}
    ORDER BY ledger LIMIT 1`,
})
