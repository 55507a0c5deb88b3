// The history of the sum of an account's positions in one protocol: one point where any of its pools has a snapshot.
// Each pool counts with its last snapshot at or before the point. A sum with a part that has no price is null, never less.
//
// At 10 G snapshots: the sort key begins with (address, protocol), so a statement reads the snapshots of one account in one protocol. A
// pool's value holds from the bucket of its snapshot up to that of its next one and is unfolded over the buckets between: the smallest
// health factor, unlike a sum, cannot be carried as a difference. 200 pools in 5,000 buckets are a million small rows that stream through
// one aggregate. Copies that are not merged yet are in the same bucket.

import { z } from 'zod'
import { defineQuery, PLANNED_AS_WRITTEN } from '../query.ts'
import { BUCKETS } from './bucket-params.ts'
import { DecimalText, U32 } from './column-types.ts'

const account = { address: z.string(), protocol: z.string(), watermark: U32 }

const Point = z.object({
  ledger: U32,
  close_time_seconds: U32,
  supplied_usd: DecimalText.nullable(),
  borrowed_usd: DecimalText.nullable(),
  deposited_usd: DecimalText.nullable(),
  /** Sum of the pools' net values, and of these times their net APY: the mean is their quotient. */
  net_usd: DecimalText,
  net_usd_apy: DecimalText,
  /** The smallest health factor of the pools, rounded as their contracts do. Null when none is known. */
  health_factor: DecimalText.nullable(),
  /** Effective values of the pool that is closest to liquidation. Both null when no pool is known to owe anything. */
  weakest_collateral_usd: DecimalText.nullable(),
  weakest_liabilities_usd: DecimalText.nullable(),
  unpriced: z.boolean(),
})

const OF_ACCOUNT = `address = {address:String} AND protocol = {protocol:String} AND ledger <= {watermark:UInt32}
          AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`

const SNAPSHOTS = `SELECT pool, ledger, toUnixTimestamp(close_time) AS close_time_seconds, supplied_usd, borrowed_usd, deposited_usd, net_usd,
            net_apy, health_factor, effective_collateral_usd, effective_liabilities_usd, unpriced_assets`

/**
 * One row for each bucket \`at\` in which a pool has a value, from snapshots with the bucket that is their \`own\`. Buckets count back from the
 * newest, 1; snapshots before the requested \`oldest\` are in one more bucket after that. Of a pool's snapshots in a bucket only the last one is followed by
 * one of another bucket, or by none: 0.
 */
const addedUp = (snapshots: string, oldest: string): string => `
      SELECT at, toBool(max(own = at)) AS fresh, max(ledger) AS ledger_, max(close_time_seconds) AS close_time_seconds_,
        -- Sums are taken in 76 digits: sum(Decimal(38, 8)) wraps silently.
        if(countIf(isNull(supplied_usd)) = 0, toString(sum(toDecimal256(supplied_usd, 8))), NULL) AS supplied_usd_,
        if(countIf(isNull(borrowed_usd)) = 0, toString(sum(toDecimal256(borrowed_usd, 8))), NULL) AS borrowed_usd_,
        if(countIf(isNull(deposited_usd)) = 0, toString(sum(toDecimal256(deposited_usd, 8))), NULL) AS deposited_usd_,
        toString(ifNull(sumIf(toDecimal256(net_usd, 8), isNotNull(net_apy)), 0)) AS net_usd_,
        toString(ifNull(sum(toDecimal256(net_usd, 8) * toDecimal256(net_apy, 18)), 0)) AS net_usd_apy,
        toString(min(health_factor)) AS health_factor_,
        -- A pool that owes without a value against it is the weakest; one with unknown health is skipped.
        argMin(
          tuple(effective_collateral_usd, effective_liabilities_usd),
          toDecimal256(effective_collateral_usd, 18) / nullIf(toDecimal256(effective_liabilities_usd, 8), 0)
        ) AS weakest,
        countIf(isNotNull(effective_collateral_usd) AND effective_liabilities_usd > 0) > 0 AS owes,
        toBool(max(unpriced_assets) > 0) AS unpriced
      FROM (
        SELECT *, arrayJoin(range(following + 1, least(own, ${oldest}) + 1)) AS at
        FROM (
          SELECT *,
            leadInFrame(own) OVER (PARTITION BY pool ORDER BY ledger ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS following
          FROM (${snapshots})
        )
        WHERE following < own
      )
      GROUP BY at`

const POINT = `ledger_ AS ledger, close_time_seconds_ AS close_time_seconds, supplied_usd_ AS supplied_usd, borrowed_usd_ AS borrowed_usd,
      deposited_usd_ AS deposited_usd, net_usd_ AS net_usd, net_usd_apy, health_factor_ AS health_factor, if(owes, toString(weakest.1), NULL) AS weakest_collateral_usd,
      if(owes, toString(weakest.2), NULL) AS weakest_liabilities_usd, unpriced`

/** The last value at or before the end of each bucket. `fresh`: a pool has a snapshot in it; else all are carried, and `carry` shows it. */
export const positionSummary = defineQuery({
  name: 'position_summary',
  watermark: 'required',
  settings: PLANNED_AS_WRITTEN,
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

/** The newest ledgers between two that have a snapshot of any pool, newest first. Values before the oldest of them are carried. */
export const positionSummarySnapshots = defineQuery({
  name: 'position_summary_snapshots',
  watermark: 'required',
  settings: PLANNED_AS_WRITTEN,
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
