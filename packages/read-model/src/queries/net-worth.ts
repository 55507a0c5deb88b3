// The history of the sum of an account's positions over all protocols: one point where any of them has a snapshot.
// Each position counts with its last snapshot at or before the point. What has no price adds nothing, and the point is marked.
//
// At 10 G snapshots: the sort key begins with the address, so a statement reads the snapshots of one account. A position's value holds from the
// bucket of its snapshot up to that of its next one and is unfolded over the buckets between, as in `position-summary.ts`: 200 positions in 5,000
// buckets are a million small rows that stream through two aggregates. Copies that are not merged yet are in the same bucket.

import { z } from 'zod'
import { defineQuery } from '../query.ts'
import { BUCKETS } from './bucket-params.ts'
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

const VALUES = 'protocol, ledger, close_time_seconds, deposited_usd, borrowed_usd, unpriced_assets'

const SNAPSHOTS = `SELECT protocol, pool, ledger, toUnixTimestamp(close_time) AS close_time_seconds, deposited_usd, borrowed_usd, unpriced_assets`

/**
 * One row for each bucket \`at\` in which a position has a value, from snapshots with the bucket that is their \`own\`. Buckets count back from
 * the newest, 1; snapshots before the requested \`oldest\` are in one more bucket after that. Of a position's snapshots in a bucket only the
 * last one is followed by one of another bucket, or by none: 0.
 */
const addedUp = (snapshots: string, oldest: string): string => `
      SELECT at, toBool(max(is_fresh)) AS fresh, max(last_ledger) AS ledger_, max(last_close) AS close_time_seconds_,
        toString(sum(deposited)) AS deposited_usd_, toString(sum(borrowed)) AS borrowed_usd_,
        CAST((groupArray(toString(protocol)), groupArray(toString(deposited - borrowed))), 'Map(String, String)') AS by_protocol,
        toBool(max(lacks_price)) AS unpriced
      FROM (
        SELECT at, protocol, max(own = at) AS is_fresh, max(ledger) AS last_ledger, max(close_time_seconds) AS last_close,
          -- Sums are taken in 76 digits: sum(Decimal(38, 8)) wraps silently.
          sum(toDecimal256(ifNull(deposited_usd, 0), 8)) AS deposited, sum(toDecimal256(ifNull(borrowed_usd, 0), 8)) AS borrowed,
          max(unpriced_assets > 0 OR isNull(deposited_usd) OR isNull(borrowed_usd)) AS lacks_price
        FROM (
          SELECT ${VALUES}, own, arrayJoin(range(following + 1, least(own, ${oldest}) + 1)) AS at
          FROM (
            SELECT ${VALUES}, own,
              leadInFrame(own) OVER (PARTITION BY protocol, pool ORDER BY ledger ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS following
            FROM (${snapshots})
          )
        )
        GROUP BY at, protocol
      )
      GROUP BY at`

const POINT = `ledger_ AS ledger, close_time_seconds_ AS close_time_seconds, deposited_usd_ AS deposited_usd, borrowed_usd_ AS borrowed_usd,
      by_protocol, unpriced`

/** The last value at or before the end of each bucket. `fresh`: a position has a snapshot in it; else all are carried, and `carry` shows it. */
export const netWorth = defineQuery({
  name: 'net_worth',
  watermark: 'required',
  params: z.object({
    ...account,
    ...BUCKETS,
    count: z.int().positive(),
    carry: z.boolean(),
  }),
  row: Point.extend({ start: U32, fresh: z.boolean() }),
  sql: `
    SELECT toUInt32({first:Int64} + ({count:UInt32} - toInt64(at)) * {width:Int64}) AS start, fresh, ${POINT}
    FROM (${addedUp(
      `
              ${SNAPSHOTS}, if({axis:String} = 'time', toInt64(close_time_seconds), toInt64(ledger)) AS place,
                toUInt32({count:UInt32} - if(place < {from:Int64}, -1, intDiv(place - {first:Int64}, {width:Int64}))) AS own
              FROM position_snapshots_v1
              WHERE ${OF_ACCOUNT} AND place <= {to:Int64}
            `,
      '{count:UInt32}',
    )}
    )
    WHERE fresh OR {carry:Bool}
    ORDER BY start`,
})

/** The newest ledgers between two that have a snapshot of any position, newest first. Values before the oldest of them are carried. */
export const netWorthSnapshots = defineQuery({
  name: 'net_worth_snapshots',
  watermark: 'required',
  params: z.object({ ...account, from_ledger: U32, to_ledger: U32, rows: z.int().positive() }),
  row: Point,
  sql: `
    SELECT ${POINT}
    FROM (${addedUp(
      `
              ${SNAPSHOTS},
                toUInt32(dense_rank() OVER (ORDER BY if(ledger < {from_ledger:UInt32}, 0, ledger) DESC)) AS own
              FROM position_snapshots_v1
              WHERE ${OF_ACCOUNT} AND ledger <= {to_ledger:UInt32}
            `,
      '{rows:UInt32}',
    )}
    )
    WHERE ledger_ >= {from_ledger:UInt32}
    ORDER BY ledger DESC`,
})
