// The history of the sum of an account's positions over all protocols: one point where any of them has a snapshot.
// Each position counts with its last snapshot at or before the point. What has no price adds nothing, and the point is marked.
//
// At 10 G snapshots: the sort key begins with the address, so a statement reads the snapshots of one account. A position's value holds from the
// bucket of its snapshot up to that of its next one and is unfolded over the buckets between, as in `position-summary.ts`: 200 positions in 5,000
// buckets are a million small rows that stream through one aggregate. Copies that are not merged yet are in the same bucket.

import { z } from 'zod'
import { defineQuery, PLANNED_AS_WRITTEN } from '../query.ts'
import { type Axis, PLACE, PLACES } from './bucket-params.ts'
import { DecimalText, U32 } from './column-types.ts'

const account = { address: z.string(), watermark: U32 }

const Point = z.object({
  ledger: U32,
  close_time_seconds: U32,
  deposited_usd: DecimalText,
  borrowed_usd: DecimalText,
  /** Deposits minus debts of each protocol in which the account ever had a position. */
  by_protocol: z.record(z.string(), DecimalText),
  unpriced: z.boolean(),
})

const OF_ACCOUNT = `address = {address:String} AND ledger <= {watermark:UInt32}
              AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

/** Renamed, so that the point has the names of its row: the statement has one level less to plan. */
const SNAPSHOTS = `SELECT protocol, pool, ledger AS of_ledger, toUnixTimestamp(close_time) AS of_seconds, deposited_usd AS deposits, borrowed_usd AS debts,
            unpriced_assets`

const POINT = `max(of_ledger) AS ledger, max(of_seconds) AS close_time_seconds,
      -- Sums are taken in 76 digits: sum(Decimal(38, 8)) wraps silently.
      toString(sum(deposited)) AS deposited_usd, toString(sum(borrowed)) AS borrowed_usd,
      -- The sum of maps keeps a protocol whose sum is 0; the function for pairs of arrays would leave it out.
      sumMap(map(toString(protocol), deposited - borrowed)) AS by_protocol,
      toBool(max(unpriced_assets > 0 OR isNull(deposits) OR isNull(debts))) AS unpriced`

/**
 * One row for each position and bucket `at` in which it has a value, from snapshots with the bucket that is their `own`. Buckets count back from
 * the newest, 1; snapshots before the requested `oldest` are in one more bucket after that. Of a position's snapshots in a bucket only the
 * last one is followed by one of another bucket, or by none: 0.
 */
const unfolded = (snapshots: string, oldest: string): string => `
      SELECT *, toDecimal256(ifNull(deposits, 0), 8) AS deposited, toDecimal256(ifNull(debts, 0), 8) AS borrowed,
        leadInFrame(own) OVER (PARTITION BY protocol, pool ORDER BY of_ledger ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS following,
        arrayJoin(range(following + 1, least(own, ${oldest}) + 1)) AS at
      FROM (${snapshots})`

/**
 * The last value at or before the end of each bucket, a statement for each axis. `fresh`: a position has a snapshot in it; else all are carried, and
 * `carry` shows it.
 */
export const netWorth = { time: netWorthBy('time'), ledger: netWorthBy('ledger') } as const

function netWorthBy(axis: Axis) {
  return defineQuery({
    name: axis === 'time' ? 'net_worth' : 'net_worth_by_ledger',
    watermark: 'required',
    settings: PLANNED_AS_WRITTEN,
    params: z.object({ ...account, ...PLACES, count: z.int().positive(), carry: z.boolean() }),
    row: Point.extend({ start: U32, fresh: z.boolean() }),
    sql: `
    SELECT toUInt32({first:Int64} + ({count:UInt32} - toInt64(at)) * {width:Int64}) AS start, toBool(max(own = at)) AS fresh, ${POINT}
    FROM (${unfolded(
      `
          ${SNAPSHOTS}, ${PLACE[axis]} AS place,
            toUInt32({count:UInt32} - if(place < {from:Int64}, -1, intDiv(place - {first:Int64}, {width:Int64}))) AS own
          FROM position_snapshots_v1
          WHERE ${OF_ACCOUNT} AND place <= {to:Int64}
        `,
      '{count:UInt32}',
    )}
    )
    GROUP BY at
    HAVING fresh OR {carry:Bool}
    ORDER BY start`,
  })
}

/** The newest ledgers between two that have a snapshot of any position, newest first. Values before the oldest of them are carried. */
export const netWorthSnapshots = defineQuery({
  name: 'net_worth_snapshots',
  watermark: 'required',
  settings: PLANNED_AS_WRITTEN,
  params: z.object({ ...account, from_ledger: U32, to_ledger: U32, rows: z.int().positive() }),
  row: Point,
  sql: `
    SELECT ${POINT}
    FROM (${unfolded(
      `
          ${SNAPSHOTS},
            toUInt32(dense_rank() OVER (ORDER BY if(ledger < {from_ledger:UInt32}, 0, ledger) DESC)) AS own
          FROM position_snapshots_v1
          WHERE ${OF_ACCOUNT} AND ledger <= {to_ledger:UInt32}
        `,
      '{rows:UInt32}',
    )}
    )
    GROUP BY at
    HAVING ledger >= {from_ledger:UInt32}
    ORDER BY ledger DESC`,
})
