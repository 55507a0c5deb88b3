// The history of one position: its snapshots, or the last one of each bucket. The same three queries serve every protocol.
// At 10 G snapshots: the sort key begins with (address, protocol, pool), so every one of them reads one position's rows, at most about
// 9,000 heartbeats a year. `LIMIT 1 BY` removes copies that are not merged yet.

import { z } from 'zod'
import { CONDITIONS_WITH_COLUMNS, defineQuery, PLANNED_AS_WRITTEN } from '../query.ts'
import { type Axis, PLACE, PLACES } from './bucket-params.ts'
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
  settings: CONDITIONS_WITH_COLUMNS,
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
 * The last snapshot of each bucket that has one, newest first, of snapshots up to `to`; a statement for each axis. `bucket` counts from 1. Snapshots
 * before `from` form bucket 0: its row is what the first buckets carry. The reader makes the other buckets: a grid and a join cost a third of
 * the statement.
 */
export const positionHistory = {
  time: positionHistoryBy('time'),
  ledger: positionHistoryBy('ledger'),
} as const

function positionHistoryBy(axis: Axis) {
  return defineQuery({
    name: axis === 'time' ? 'position_history' : 'position_history_by_ledger',
    watermark: 'required',
    settings: PLANNED_AS_WRITTEN,
    params: z.object({ ...position, ...PLACES }),
    row: z.object({ bucket: z.int().nonnegative(), ...values }),
    sql: `
    SELECT ledger, toUnixTimestamp(close_time) AS close_time_seconds, supplied_usd, borrowed_usd, net_usd, unpriced_assets,
      toUInt32(if(${PLACE[axis]} < {from:Int64}, 0, intDiv(${PLACE[axis]} - {first:Int64}, {width:Int64}) + 1)) AS bucket
    FROM position_snapshots_v1
    WHERE ${OF_POSITION} AND ${PLACE[axis]} <= {to:Int64}
    ORDER BY ledger DESC
    LIMIT 1 BY bucket`,
  })
}

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
