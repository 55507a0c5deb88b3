// Positions by day: of each position its last snapshot of each UTC day, for charts whose buckets are whole days. Callers add up and fill what is between, since
// the engine takes longer to plan sums over buckets than to read these rows.
// At 10 G snapshots: the sort key begins with (address, protocol, pool, day), so a statement reads one row for each day of an account's positions, 24 times
// fewer than snapshots.

import { z } from 'zod'
import { CONDITIONS_WITH_COLUMNS, defineQuery } from '../query.ts'
import { DecimalText, U32 } from './column-types.ts'

const account = {
  address: z.string(),
  /** Of the days before it only the last one of each position is read. After 1970-01-01. */
  first_day: z.iso.date(),
  last_day: z.iso.date(),
  rows: z.int().positive(),
}

/** Of the day's last snapshot; after the watermark it may be one that is not whole yet, and then it hides the one before it. */
const snapshot = { ledger: U32, close_time_seconds: U32, unpriced_assets: z.int() }

const Usd = DecimalText.nullable()

const READ = 'ledger, toUnixTimestamp(close_time) AS close_time_seconds, unpriced_assets'

/** FINAL: of two rows of one ledger that are not merged yet, the later written one counts, which a repair wrote. */
const daysOf = (condition: string, position: string): string => `
    FROM position_daily_v1 FINAL
    WHERE address = {address:String}${condition} AND day <= {last_day:Date}
      AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
    ORDER BY ${position}, day DESC, ledger DESC
    LIMIT 1 BY ${position}, greatest(day, {first_day:Date} - 1)
    LIMIT {rows:UInt32}`

const OF_PROTOCOL = ' AND protocol = {protocol:String}'

/** Of one position, the newest day first. */
export const positionDays = defineQuery({
  name: 'position_days',
  // The caller does without days whose last snapshot is after the watermark, and without all of them while a partition is quarantined.
  watermark: 'none',
  settings: CONDITIONS_WITH_COLUMNS,
  params: z.object({ ...account, protocol: z.string(), pool: z.string() }),
  row: z.object({ ...snapshot, supplied_usd: Usd, borrowed_usd: Usd, net_usd: Usd }),
  sql: `
    SELECT ${READ}, supplied_usd, borrowed_usd, net_usd${daysOf(`${OF_PROTOCOL} AND pool = {pool:String}`, 'pool')}`,
})

/** Of all positions in a protocol, pool by pool, the newest day of each first. */
export const summaryDays = defineQuery({
  name: 'summary_days',
  watermark: 'none',
  settings: CONDITIONS_WITH_COLUMNS,
  params: z.object({ ...account, protocol: z.string() }),
  row: z.object({
    ...snapshot,
    pool: z.string(),
    supplied_usd: Usd,
    borrowed_usd: Usd,
    deposited_usd: Usd,
    net_usd: Usd,
    /** Fraction per year. */
    net_apy: DecimalText.nullable(),
    health_factor: DecimalText.nullable(),
    effective_collateral_usd: Usd,
    effective_liabilities_usd: Usd,
  }),
  sql: `
    SELECT pool, ${READ}, supplied_usd, borrowed_usd, deposited_usd, net_usd, net_apy, health_factor, effective_collateral_usd,
      effective_liabilities_usd${daysOf(OF_PROTOCOL, 'pool')}`,
})

/** Of all positions, protocol by protocol and pool by pool, the newest day of each first. */
export const netWorthDays = defineQuery({
  name: 'net_worth_days',
  watermark: 'none',
  settings: CONDITIONS_WITH_COLUMNS,
  params: z.object(account),
  row: z.object({ ...snapshot, protocol: z.string(), pool: z.string(), deposited_usd: Usd, borrowed_usd: Usd }),
  sql: `
    SELECT protocol, pool, ${READ}, deposited_usd, borrowed_usd${daysOf('', 'protocol, pool')}`,
})
