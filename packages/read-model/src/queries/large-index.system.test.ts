// What every statement about an account, an asset, a ledger or a transaction reads of an index with 10,000 pools and 1 million accounts, by the
// engine's own plan. Statements about one pool: pool-granules.test.ts.

import { createHash } from 'node:crypto'
import { TupleParam } from '@clickhouse/client'
import { beforeAll, describe, expect, it } from 'vitest'
import { classify, isOverReadLimit } from '../clickhouse-error.ts'
import { openStore } from '../clickhouse-store.ts'
import type { ClickHouseConnection } from '../connection.ts'
import { readOwnerState } from '../owner-state.ts'
import { OwnerStateCache } from '../owner-state-cache.ts'
import { type Query, statementOf } from '../query.ts'
import { readState } from '../state-as-of.ts'
import { StateCache } from '../state-cache.ts'
import { StateChanges } from '../state-changes.ts'
import { granulesOf, type Statement } from '../testing/granules.ts'
import {
  ACCOUNTS,
  accountOf,
  BUSY,
  BUSY_ACTIVITIES,
  BUSY_HOURS,
  BUSY_POSITIONS,
  DAYS,
  fillLargeIndex,
  LEDGERS,
  POOLS,
  PRICES,
  poolOf,
  TRANSACTIONS,
  timeOf,
} from '../testing/large-index.ts'
import { withClickHouse } from '../testing/with-clickhouse.ts'
import { accountActivities } from './account-activities.ts'
import { accountActivitySeries, accountSeriesRows, firstAccountActivity } from './account-activity-series.ts'
import { assetPriceHistory, assetPrices, firstAssetPrice } from './asset-prices.ts'
import { assetMet, assetPage } from './assets.ts'
import { closeTimesOf, lastLedgerByBucket } from './last-ledger-by-bucket.ts'
import { ledgerBySequence } from './ledger-record.ts'
import { netWorth, netWorthSnapshots } from './net-worth.ts'
import { poolDays } from './pool-days.ts'
import { netWorthDays, positionDays, summaryDays } from './position-days.ts'
import { positionFlows } from './position-flows.ts'
import { firstPositionSnapshot, positionHistory, positionSnapshots } from './position-history.ts'
import { positionSummary, positionSummarySnapshots } from './position-summary.ts'
import { protocolTvlByDay } from './protocol-tvl-by-day.ts'
import { transactionActivities, transactionPlaces, transactionRecords } from './transaction-by-hash.ts'

const clickhouse = withClickHouse()
let admin: ClickHouseConnection

beforeAll(async () => {
  const database = await clickhouse.database()
  admin = database.connect('admin')
  await openStore(database.connect('writer')).activateIfNone('soroswap', 1, 1)
  await fillLargeIndex(admin)
}, 900_000)

const ROWS_OF_GRANULE = 1024
/** A range of rows may begin inside one granule and end inside another, in each part that has some of it: the many rows of an account were inserted apart. */
const ENDS = 2 * 2
const granulesFor = (rows: number): number => Math.ceil(rows / ROWS_OF_GRANULE) + ENDS

const watermark = LEDGERS - 1
const of = { address: BUSY, protocol: '', watermark }
const places = { first: timeOf(0), width: 86_400, from: timeOf(0), to: timeOf(LEDGERS) }
const axis = { axis: 'time', count: 30, ...places }
const buckets = { axis: 'time', first: places.first, width: places.width }
const ofAsset = { asset: poolOf(500), protocol: 'soroswap', sources: ['oracle:CX'], ages: [86_400], watermark }
const after = { after_ledger: 500_000, after_tx_order: 1, after_op_index: 0, after_event_index: 0, after_row: 0 }
const feed = {
  ...of,
  ...after,
  from_ledger: 0,
  to_ledger: 500_000,
  types: [],
  contract: '',
  tx_hash: '',
  rows: 51,
}
const HASH = createHash('sha256').update('500000').digest('hex')

const ofTransaction = { tx_hash: HASH, ledgers: [500_000], tx_orders: [1] }

/** Parts before any merge: of 262,144 rows each. */
const LOOK_UP_PARTS = Math.ceil(TRANSACTIONS / 262_144)

type Row = readonly [about: string, query: Query, params: Record<string, unknown>, most: Readonly<Record<string, number>>]

const allSnapshots = { position_snapshots_v1: granulesFor(BUSY_POSITIONS * BUSY_HOURS) }
const ofPosition = { ...of, protocol: 'soroswap', pool: poolOf(7) }
const onePosition = { position_snapshots_v1: granulesFor(BUSY_HOURS) }
const allActivities = { activities_v1: granulesFor(BUSY_ACTIVITIES) }
/** Before any merge a day has the rows of the blocks in which it was written. */
const BUSY_DAYS = Math.ceil(BUSY_HOURS / 24) + 1
const days = { first_day: '2026-01-01', last_day: '2040-01-01', rows: 5_001 }
const window = { from_ledger: 0, to_ledger: watermark, rows: 5_001 }

const STATEMENTS: readonly Row[] = [
  ['net worth in buckets', netWorth.time, { ...of, ...places, count: 30, carry: true }, allSnapshots],
  ['net worth at each ledger', netWorthSnapshots, { ...of, ...window }, allSnapshots],
  ['flows by day', positionFlows.time, { ...of, ...places, no_positions: [] }, allActivities],
  ['the summary of a protocol in buckets', positionSummary, { ...of, ...axis, protocol: 'soroswap', carry: true }, allSnapshots],
  ['the summary of a protocol at each ledger', positionSummarySnapshots, { ...of, ...window, protocol: 'soroswap' }, allSnapshots],
  ['net worth by day', netWorthDays, { address: BUSY, ...days }, { position_daily_v1: granulesFor(BUSY_POSITIONS * BUSY_DAYS) }],
  [
    'the summary of a protocol by day',
    summaryDays,
    { address: BUSY, protocol: 'soroswap', ...days },
    { position_daily_v1: granulesFor(BUSY_POSITIONS * BUSY_DAYS) },
  ],
  [
    'one position by day',
    positionDays,
    { ...{ address: BUSY, protocol: 'soroswap', pool: poolOf(7) }, ...days },
    { position_daily_v1: granulesFor(BUSY_DAYS) },
  ],
  ['one position in buckets', positionHistory.time, { ...ofPosition, ...places }, onePosition],
  [
    'one position at each ledger',
    positionSnapshots,
    { ...ofPosition, from: 0, to: 4_294_967_295, to_ledger: watermark, rows: 5_001 },
    onePosition,
  ],
  ['the first snapshot of a position', firstPositionSnapshot, ofPosition, onePosition],
  ['the activity series', accountActivitySeries, { ...of, ...buckets, from_ledger: 0, to_ledger: watermark }, allActivities],
  [
    'the activity series by ledgers',
    accountActivitySeries,
    { ...of, axis: 'ledger', first: 0, width: 1_000, from_ledger: 0, to_ledger: 99_999 },
    { activities_v1: granulesFor(1_000) },
  ],
  ['a page of assets', assetPage, { after: poolOf(500), rows: 51, watermark }, { assets_v1: 1 }],
  ['whether an asset is known', assetMet, { asset: poolOf(500), watermark }, { assets_v1: 1 }],
  [
    'prices of an asset at each ledger',
    assetPrices,
    { ...ofAsset, from: 0, to: 4_294_967_295, to_ledger: watermark, events: 5_001, rows: 5_001 },
    { prices_v1: granulesFor(PRICES) },
  ],
  [
    'prices of an asset by day',
    assetPriceHistory,
    { ...ofAsset, ...axis, keep: 'all', since: 0, split: timeOf(PRICES * 60 - 720) },
    { prices_hourly_v1: granulesFor(PRICES / 12), prices_v1: granulesFor(PRICES) },
  ],
  [
    'the first price of an asset',
    firstAssetPrice,
    { asset: poolOf(500), protocol: 'soroswap', sources: ['oracle:CX'], watermark },
    { prices_v1: granulesFor(PRICES) },
  ],
  ['a ledger by sequence', ledgerBySequence, { ledger: 500_000, watermark }, { ledgers_v1: 1 }],
  [
    'the last ledger of each of 30 days',
    lastLedgerByBucket,
    { first: timeOf(0), width: 86_400, to: timeOf(30 * 17_280), watermark },
    { ledgers_v1: granulesFor(30 * 17_280) },
  ],
  [
    'close times of 100 ledgers',
    closeTimesOf,
    { ledgers: Array.from({ length: 100 }, (_, n) => n * 99_991), watermark },
    { ledgers_v1: 100 },
  ],
  [
    'TVL of 30 days',
    protocolTvlByDay,
    // From the tenth day on, so that the last row of each pool before it is looked for as well.
    { protocol: 'soroswap', first: '2023-11-25', days: DAYS - 10, watermark },
    { pool_daily_v1: Math.ceil((POOLS * DAYS) / 2048) },
  ],
]

/** Statements that end when they have their rows, or whose keys come from another statement: what they read shows only when they run. */
const RUNS: readonly (readonly [about: string, query: Query, params: Record<string, unknown>, mostGranules: number])[] = [
  ['a page of the feed', accountActivities.desc, feed, ENDS + 1],
  [
    'the first rows of an activity series',
    accountSeriesRows,
    { ...of, from_ledger: 0, to_ledger: watermark, rows: 2_001 },
    10 * granulesFor(2_001),
  ],
  ['the first activity', firstAccountActivity, of, ENDS],
  // Each part of the look-up has hashes of all beginnings: a granule of each. Those of activities by ledger have 8,192 rows.
  ['the place of a transaction', transactionPlaces, { tx_hash: HASH }, LOOK_UP_PARTS],
  ['the activities of a transaction', transactionActivities, ofTransaction, 2 * 8],
  ['the records of a transaction', transactionRecords, ofTransaction, 2],
]

const ofQuery = (query: Query, given: Record<string, unknown>): Statement => {
  const { sql, params } = statementOf(query, given)
  const query_params = { ...params, ...(query.bound.has('active') ? { active: [new TupleParam(['soroswap', 1])] } : {}) }
  return { query: sql, query_params, clickhouse_settings: { ...query.settings } }
}

/** The statements that a read of state makes, which answer with nothing. */
async function statementsOf(read: (connection: ClickHouseConnection) => Promise<unknown>): Promise<Statement[]> {
  const sent: Statement[] = []
  const select = async (statement: Statement): Promise<never[]> => {
    sent.push(statement)
    return []
  }
  await read({ ...admin, client: { select } as unknown as ClickHouseConnection['client'], attempt: (_, work) => work() })
  return sent
}

const tip = { adapters: [{ protocol: 'soroswap', version: 1, checkpoints: [], quarantined: [] }], ledgers: null } as const
const options = { tag: { route: '', requestId: '' } }

describe('of 10,000 pools and 1 million accounts', () => {
  it.each(STATEMENTS)('%s: a statement reads the granules of its rows', async (_about, query, params, most) => {
    const read = await granulesOf(admin, ofQuery(query, params))
    expect(Object.keys(read).sort()).toEqual(Object.keys(most).sort())
    const over = Object.entries(read).filter(([table, { read: granules }]) => granules > (most[table] ?? 0))
    expect(over).toEqual([])
  })

  it.each(RUNS)('%s: a statement reads a few granules and ends', async (_about, query, params, most) => {
    const { query: sql, query_params, clickhouse_settings } = ofQuery(query, params)
    const { summary } = await admin.client.command({
      query: `${sql} FORMAT Null`,
      query_params,
      clickhouse_settings: { ...clickhouse_settings, wait_end_of_query: 1 },
    })
    expect(Number(summary?.read_rows)).toBeGreaterThan(0)
    expect(Number(summary?.read_rows)).toBeLessThanOrEqual(most * ROWS_OF_GRANULE)
  })

  it('TVL of 30 days from rows of pools: the engine refuses the statement before it reads any', async () => {
    const params = { protocol: 'soroswap', first: '2023-11-25', days: DAYS - 10, watermark, rows: 2_001 }
    const { query, query_params, clickhouse_settings } = ofQuery(poolDays, params)
    const asked = admin.client.command({ query: `${query} FORMAT Null`, query_params, clickhouse_settings: clickhouse_settings ?? {} })
    await expect(asked.catch((error: unknown) => Promise.reject(classify(error, '')))).rejects.toSatisfy(isOverReadLimit)
  })

  it('the state of 100 accounts: the statement reads a few granules of each', async () => {
    const owners = Array.from({ length: 100 }, (_, n) => accountOf((n * ACCOUNTS) / 100))
    const caches = { owners: new OwnerStateCache(), changes: new StateChanges() }
    const ofAll = (connection: ClickHouseConnection) => readOwnerState({ connection, tip, options }, caches, { owners, ledger: watermark })
    const [statement] = await statementsOf(ofAll)
    const read = await granulesOf(admin, statement as Statement)
    expect(read.state_by_owner_v1?.read).toBeLessThanOrEqual(2 * owners.length)
  })

  // The keys of a pool's accounts lie between those of two pools: at 1,000 accounts a pool, each pool is in a granule of its own.
  it('the state of pools without their accounts: the statement reads a few granules of each pool', async () => {
    for (const pools of [1, 100, POOLS]) {
      const contracts = Array.from({ length: pools }, (_, n) => poolOf((n * POOLS) / pools))
      const request = { protocol: 'soroswap', contracts, keyFrom: 'a', ledger: watermark } as const
      const statements = await statementsOf((connection) => readState(connection, tip, new StateCache(), request, options))
      const reads = await Promise.all(statements.map((statement) => granulesOf(admin, statement)))
      const granules = reads.reduce((sum, read) => sum + (read.state_latest_v1?.read ?? 0), 0)
      expect(granules).toBeLessThanOrEqual(4 * pools)
    }
  })
})
