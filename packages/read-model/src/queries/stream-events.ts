// What happened in a range of ledgers, in the order of ledgers: for readers that follow the index. The lists of a filter are sent only where they
// are not empty, and the table is chosen by them, so that a reader of some accounts reads nothing of all others.

import type { ClickHouseSettings } from '@clickhouse/client'
import { z } from 'zod'
import { CONDITIONS_WITH_COLUMNS, defineQuery, ifGiven } from '../query.ts'
import { ACTIVITY_COLUMNS, ActivityRecord } from './activity-columns.ts'
import { DecimalText, U32 } from './column-types.ts'
import { GRANULE_BLOCKS, pageOrder } from './feed-order.ts'

const RANGE = {
  from_ledger: U32,
  to_ledger: U32,
  watermark: U32,
  addresses: z.array(z.string()),
  protocols: z.array(z.string()),
  contracts: z.array(z.string()),
}

const OF_RANGE = `ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32} AND ledger <= {watermark:UInt32}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
      ${ifGiven('addresses', 'AND address IN {addresses:Array(String)}')}
      ${ifGiven('protocols', 'AND protocol IN {protocols:Array(String)}')}`

/**
 * Activities of the ledgers from `from_ledger` to `to_ledger`, oldest first, at most `rows`. Copies of one row that are not merged yet are neighbours.
 *
 * At 10 G rows: each table's sort key begins with what its name says, then the ledger. `byLedger` reads the ledgers asked for, and of these all rows
 * whatever the other lists are.
 */
export const streamActivities = {
  byLedger: activitiesOf('stream_activities', 'activities_by_ledger_v1'),
  byAddress: activitiesOf('stream_activities_by_address', 'activities_v1'),
  byContract: activitiesOf('stream_activities_by_contract', 'activities_by_contract_v1'),
} as const

function activitiesOf(name: string, table: string) {
  return defineQuery({
    name,
    watermark: 'required',
    settings: GRANULE_BLOCKS,
    params: z.object({ ...RANGE, types: z.array(z.string()), rows: z.int().positive() }),
    row: ActivityRecord,
    sql: `
    SELECT ${ACTIVITY_COLUMNS}
    FROM ${table}
    WHERE ${OF_RANGE}
      ${ifGiven('contracts', 'AND contract IN {contracts:Array(String)}')}
      ${ifGiven('types', 'AND has({types:Array(String)}, activity_type)')}
    ORDER BY ${pageOrder('asc')}
    LIMIT {rows:UInt32}`,
  })
}

const IN_LEDGERS = 'ledger BETWEEN {from_ledger:UInt32} AND {to_ledger:UInt32}'

const BY_LEDGER = 'position_snapshots_by_ledger_v1'
/**
 * Of a part that an earlier build wrote the engine computes the health factor, and does so without columns that it read for a condition alone: one is on the
 * effective debt.
 */
const OF_ADDRESSES = CONDITIONS_WITH_COLUMNS
/** The snapshots of some accounts with the columns and the rows of `position_snapshots_by_ledger`. */
const BY_ADDRESS = `(
        SELECT protocol, pool, address, ledger, close_time, heartbeat, open, borrowed_usd, deposited_usd, health_factor,
          unpriced_assets, adapter_version
        FROM position_snapshots_v1
        WHERE address IN {addresses:Array(String)} AND ${IN_LEDGERS} AND (NOT heartbeat OR effective_liabilities_usd > 0)
      )`

/** `snapshots`, and health factors that entered another step without one. Only the health factor of these rows is known. */
function withSteps(snapshots: string, steps: string): string {
  return `(
        SELECT protocol, CAST(pool, 'String') AS pool, address, ledger, close_time, heartbeat, open, borrowed_usd, deposited_usd, health_factor,
          unpriced_assets, adapter_version, false AS is_step
        FROM ${snapshots}
        WHERE ${IN_LEDGERS}
        UNION ALL
        ${steps}
      )`
}

/** The columns of a snapshot that a step does not have: nothing of the position changed, and it owes. */
const NOT_OF_STEPS = 'true AS heartbeat, true AS open, NULL AS borrowed_usd, NULL AS deposited_usd'

const STEPS_BY_LEDGER = withSteps(
  BY_LEDGER,
  `SELECT protocol, CAST(pool, 'String') AS pool, address, ledger, close_time, ${NOT_OF_STEPS}, health_factor, 0 AS unpriced_assets, adapter_version,
          true AS is_step
        FROM health_factor_steps_v1
        WHERE ${IN_LEDGERS}`,
)
/** From the state that the rows of `health_factor_steps` are made of, where those of an account are neighbours. */
const STEPS_BY_ADDRESS = withSteps(
  BY_ADDRESS,
  `SELECT protocol, CAST(contract, 'String') AS pool, owner AS address, ledger, close_time, ${NOT_OF_STEPS},
          toDecimal256OrNull(JSONExtractString(value, 'health_factor'), 18) AS health_factor, 0 AS unpriced_assets, adapter_version, true AS is_step
        FROM state_by_owner_v1
        WHERE owner IN {addresses:Array(String)} AND ${IN_LEDGERS} AND endsWith(key, ':health_step') AND NOT removed`,
)

/** A position at the end of a ledger. USD with 8 fractional digits; the health factor is null without debt, and while a part has no price. */
export const PositionChange = z.object({
  protocol: z.string(),
  pool: z.string(),
  address: z.string(),
  ledger: U32,
  close_time_seconds: U32,
  /** Nothing of the position changed: interest and prices did. */
  heartbeat: z.boolean(),
  open: z.boolean(),
  borrowed_usd: DecimalText.nullable(),
  deposited_usd: DecimalText.nullable(),
  net_usd: DecimalText.nullable(),
  health_factor: DecimalText.nullable(),
  unpriced_assets: z.int(),
})
export type PositionChange = z.output<typeof PositionChange>

/**
 * Changes of positions, and hourly values of those that owe, in the order of ledgers, then protocol, pool and address; at most `rows`. `net_usd` is
 * what is deposited minus what is borrowed.
 *
 * At 10 G rows: `byLedger` reads the ledgers asked for; `byAddress` the snapshots of the accounts in these ledgers.
 */
export const streamPositions = {
  byLedger: positionsOf('stream_positions', BY_LEDGER, {}),
  byAddress: positionsOf('stream_positions_by_address', BY_ADDRESS, OF_ADDRESSES),
} as const

/**
 * The rows of `streamPositions`, and those of health factors that interest or prices moved into another step of 0.01. A position has at most one row
 * for each ledger: its snapshot, where it has one.
 *
 * At 10 G rows: as `streamPositions`, and the steps of the ledgers asked for; `byAddress` the state of the accounts in these ledgers.
 */
export const streamHealthFactors = {
  byLedger: positionsOf('stream_health_factors', STEPS_BY_LEDGER, {}, 'is_step'),
  byAddress: positionsOf('stream_health_factors_by_address', STEPS_BY_ADDRESS, OF_ADDRESSES, 'is_step'),
} as const

/** @param last A column that is false for the row to keep of several of one position and ledger. */
function positionsOf(name: string, table: string, settings: ClickHouseSettings, last = '') {
  return defineQuery({
    name,
    watermark: 'required',
    settings: { ...GRANULE_BLOCKS, ...settings },
    params: z.object({ ...RANGE, rows: z.int().positive() }),
    row: PositionChange,
    sql: `
    SELECT protocol, CAST(pool, 'String') AS pool, address, ledger, toUnixTimestamp(close_time) AS close_time_seconds, heartbeat, open,
      toString(borrowed_usd) AS borrowed_usd, toString(deposited_usd) AS deposited_usd,
      toString(toDecimal256(deposited_usd, 8) - toDecimal256(borrowed_usd, 8)) AS net_usd, toString(health_factor) AS health_factor,
      unpriced_assets
    FROM ${table}
    WHERE ${OF_RANGE}
      ${ifGiven('contracts', 'AND pool IN {contracts:Array(String)}')}
    ORDER BY ledger, protocol, pool, address${last === '' ? '' : `, ${last}`}
    LIMIT 1 BY ledger, protocol, pool, address
    LIMIT {rows:UInt32}`,
  })
}

/**
 * The positions that are below a threshold at the end of `to_ledger`: whose last health factor below `threshold` is newer than the last one at or above
 * `recovered`, and than the last row without debt. Rows before `from_ledger` do not count. `last_below`: the ledger of that last health factor below.
 *
 * At 10 G rows: as `stream_health_factors`, for all ledgers from `from_ledger` on.
 */
export const positionsBelow = {
  byLedger: belowOf('positions_below', STEPS_BY_LEDGER),
  byAddress: belowOf('positions_below_by_address', STEPS_BY_ADDRESS, OF_ADDRESSES),
} as const

function belowOf(name: string, table: string, settings: ClickHouseSettings = {}) {
  return defineQuery({
    name,
    watermark: 'required',
    settings,
    params: z.object({ ...RANGE, threshold: DecimalText, recovered: DecimalText }),
    row: z.object({ protocol: z.string(), pool: z.string(), address: z.string(), last_below: U32 }),
    sql: `
    SELECT protocol, CAST(pool, 'String') AS pool, address, max(ledger) AS last_below
    FROM (
      SELECT protocol, pool, address, ledger, health_factor < toDecimal256({threshold:String}, 18) AS is_below
      FROM ${table}
      WHERE ${OF_RANGE}
        ${ifGiven('contracts', 'AND pool IN {contracts:Array(String)}')}
        -- A health factor that is not known says nothing, unless there is no debt.
        AND (health_factor < toDecimal256({threshold:String}, 18) OR health_factor >= toDecimal256({recovered:String}, 18)
          OR (isNull(health_factor) AND borrowed_usd = 0))
    )
    GROUP BY protocol, pool, address
    HAVING argMax(ifNull(is_below, false), ledger)`,
  })
}
