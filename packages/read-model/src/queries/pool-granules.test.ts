// What the statements of pools read, by the engine's own plan: 10,000 pools with a snapshot in each of 48 hours, one of them with one in
// each of 34,560 ledgers besides.

import { TupleParam } from '@clickhouse/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import type { ClickHouseConnection } from '../connection.ts'
import { type Query, statementOf } from '../query.ts'
import { type Granules, granulesOf } from '../testing/granules.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { poolActivities } from './pool-activities.ts'
import { firstPoolSnapshot, poolHistory, poolReserveHistory, poolSnapshots } from './pool-history.ts'

const databases = withDatabases()

const POOLS = 10_000
const HOURS = 48
const LEDGERS_PER_HOUR = 720
const LEDGERS = HOURS * LEDGERS_PER_HOUR
/** 2023-11-15T00:00:00Z, and five seconds for each ledger. */
const START = 1_700_006_400
const timeOf = (ledger: number): number => START + ledger * 5

const nameOf = (n: number): string => `C${String(n).padStart(55, 'A')}`
const BUSY = nameOf(5_000)
const POOL = `concat('C', leftPad(toString(intDiv(number, ${HOURS})), 55, 'A'))`
const HEARTBEAT = `toUInt32(number % ${HOURS} * ${LEDGERS_PER_HOUR})`
const NATIVE = `'{"volume_usd":"1","fees_usd":"1","lp_fees_usd":"1","value_seconds_usd":"1","reward_apy":null}'`
const at = (ledger: string): string => `${ledger} AS at, toDateTime(${START} + at * 5, 'UTC')`

/** Of `rows` numbers, by pool and ledger. */
function fill(pool: string, ledger: string, rows: number): string[] {
  return [
    `INSERT INTO pool_snapshots_v1 SELECT 'soroswap', ${pool}, ${at(ledger)}, true, 1, 0, 1, ${NATIVE}, 1 FROM numbers(${rows})`,
    `INSERT INTO reserve_snapshots_v1 SELECT 'soroswap', ${pool}, 'CX', ${at(ledger)}, true, 1, 0, 1, 0, 1, '', '{}', 1 FROM numbers(${rows})`,
    `INSERT INTO activities_v1 (protocol, contract, address, ledger, close_time, tx_order, op_index, event_index, row, activity_type, adapter_version)
     SELECT 'soroswap', ${pool}, 'GX', ${at(ledger)}, 1, 0, toUInt32(number), 0, 'swap', 1 FROM numbers(${rows})`,
  ]
}

// The defaults hold a million rows of each thread before they write a part: the engine's memory is shared with tests beside this one.
const SMALL_BLOCKS = {
  ...{ max_threads: 1, max_insert_threads: '1' },
  ...{ max_block_size: '65536', min_insert_block_size_rows: '131072', min_insert_block_size_bytes: '0' },
} as const

let admin: ClickHouseConnection
beforeAll(async () => {
  const database = await databases.database()
  admin = database.connect('admin')
  await openStore(database.connect('writer')).activateIfNone('soroswap', 1, 1)
  const statements = [
    `INSERT INTO ledgers_v1 (ledger, close_time) SELECT toUInt32(number) AS at, toDateTime(${START} + at * 5, 'UTC') FROM numbers(${LEDGERS})`,
    ...fill(POOL, HEARTBEAT, POOLS * HOURS),
    ...fill(`'${BUSY}'`, 'toUInt32(number)', LEDGERS),
    ...['pool_snapshots_v1', 'reserve_snapshots_v1', 'pool_hourly_v1', 'reserve_hourly_v1', 'activities_by_contract_v1', 'ledgers_v1'].map(
      (table) => `OPTIMIZE TABLE ${table} FINAL`,
    ),
  ]
  for (const query of statements) await admin.client.command({ query, clickhouse_settings: SMALL_BLOCKS })
}, 120_000)

/** Granules of each table that a statement reads, and those that it has. */
function granules(query: Query, params: Record<string, unknown>): Promise<Record<string, Granules>> {
  const active = query.bound.has('active') ? { active: [new TupleParam(['soroswap', 1])] } : {}
  const sent = statementOf(query, params)
  return granulesOf(admin, { query: sent.sql, query_params: { ...sent.params, ...active }, clickhouse_settings: { ...query.settings } })
}

const of = { protocol: 'soroswap', pool: BUSY, watermark: LEDGERS - 1 }
/** The last 24 hours in hours: until the hour of the watermark the tables of hours have them. */
const SPLIT = timeOf(LEDGERS - LEDGERS_PER_HOUR)
const day = { axis: 'time' as const, first: timeOf(LEDGERS - 24 * LEDGERS_PER_HOUR), width: 3_600, to: timeOf(LEDGERS - 1), split: SPLIT }

describe('a statement about one of 10,000 pools', () => {
  it('reads the hours of the pool and the snapshots of the last hour', async () => {
    const read = await granules(poolHistory, { ...of, ...day, count: 24, from: day.first, keep: 'fresh' })
    expect(read.pool_hourly_v1?.all).toBeGreaterThan(400)
    expect(read.pool_snapshots_v1?.all).toBeGreaterThan(200)
    // 48 hours are less than a granule; 720 snapshots of 34,560 are less than one of 2,048. Each may begin in one and end in the next.
    expect(read.pool_hourly_v1?.read).toBeLessThanOrEqual(2)
    expect(read.pool_snapshots_v1?.read).toBeLessThanOrEqual(2)
  })

  it('reads the same of its reserves', async () => {
    const starts = Array.from({ length: 24 }, (_, n) => day.first + n * 3_600)
    const read = await granules(poolReserveHistory, { ...of, ...day, starts })
    expect(read.reserve_hourly_v1?.all).toBeGreaterThan(400)
    expect(read.reserve_hourly_v1?.read).toBeLessThanOrEqual(2)
    expect(read.reserve_snapshots_v1?.read).toBeLessThanOrEqual(2)
  })

  it('reads nothing of other pools for raw snapshots and for the first one', async () => {
    const raw = { ...of, from: 0, to: 4_294_967_295, to_ledger: LEDGERS - 1, rows: 5_001 }
    for (const read of [await granules(poolSnapshots, raw), await granules(firstPoolSnapshot, of)]) {
      // 34,560 snapshots are 17 granules of 2,048.
      expect(read.pool_snapshots_v1?.read).toBeLessThanOrEqual(19)
    }
    expect((await granules(poolSnapshots, raw)).pool_hourly_v1?.read).toBeLessThanOrEqual(2)
  })

  it.each([
    ['desc', 0, 100, 100],
    ['asc', LEDGERS - 100, LEDGERS - 1, LEDGERS - 100],
  ] as const)('reads the feed of the pool from the cursor on, %s', async (order, from_ledger, to_ledger, after_ledger) => {
    const after = { after_ledger, after_tx_order: 1, after_op_index: 0, after_event_index: 0, after_row: 0 }
    const bounds = { ...after, watermark: LEDGERS - 1, from_ledger, to_ledger, types: [], tx_hash: '', rows: 51 }
    const read = await granules(poolActivities[order], { ...bounds, protocol: 'soroswap', contract: BUSY, currency: '' })
    expect(read.activities_by_contract_v1?.all).toBeGreaterThan(400)
    expect(read.activities_by_contract_v1?.read).toBeLessThanOrEqual(2)
  })
})
