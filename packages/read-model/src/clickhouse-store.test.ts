import type { Rows, StateRow } from '@orrery/protocol-kit'
import { NO_ROWS, rowNumber, SHARED_SCOPE } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openStore } from './clickhouse-store.ts'
import type { ClickHouseConnection } from './connection.ts'
import type { HealthReport } from './store.ts'
import {
  activityRow,
  closeTimeOf,
  EXAMPLE,
  poolSnapshotRow,
  positionSnapshotRow,
  priceRow,
  stateRow,
  transactionRow,
} from './testing/example-rows.ts'
import { type TestDatabase, withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()
const AT = { protocol: 'soroswap', partition: 0 } as const

async function storeOn(database: TestDatabase) {
  const connection = database.connect('writer')
  return { connection, store: openStore(connection) }
}

async function select(connection: ClickHouseConnection, query: string): Promise<unknown[][]> {
  return (await connection.client.query({ query, format: 'JSONCompactEachRow' })).json()
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** All rows that readers see, by view. */
async function visible(connection: ClickHouseConnection): Promise<Record<string, unknown[][]>> {
  const views = [
    'state',
    'state_by_owner',
    'state_latest',
    'state_buckets',
    'prices',
    'position_snapshots',
    'position_snapshots_by_ledger',
    'health_factor_steps',
    'positions_latest',
    'position_daily',
    'pool_snapshots',
  ]
  const more = [
    'pool_daily',
    'reserve_snapshots',
    'activities',
    'activities_by_contract',
    'activities_by_ledger',
    'transactions',
    'tx_lookup',
    'notices',
  ]
  const contents = await Promise.all(
    [...views, ...more].map(async (view) => [view, await select(connection, `SELECT * FROM ${view} ORDER BY ALL`)]),
  )
  return Object.fromEntries(contents)
}

function ledgerOfRows(ledger: number): Rows {
  const key = { ledger, txOrder: 1, opIndex: 0, eventIndex: 2, row: rowNumber('soroswap', 0) }
  const txHash = ledger.toString(16).padStart(16, '0').padEnd(64, '0')
  return {
    ...NO_ROWS,
    state: [
      stateRow({ ledger }),
      stateRow({ ledger, key: `@${EXAMPLE.account}:shares`, owner: EXAMPLE.account }),
      stateRow({
        ledger,
        key: `@${EXAMPLE.account}:health_step`,
        owner: EXAMPLE.account,
        durability: 'fact',
        value: '{"health_factor":"1.1234567","step":"112"}',
      }),
    ],
    prices: [priceRow({ ledger })],
    positionSnapshots: [positionSnapshotRow({ ledger })],
    poolSnapshots: [poolSnapshotRow({ ledger })],
    reserveSnapshots: [
      {
        protocol: 'soroswap',
        pool: EXAMPLE.pool,
        asset: EXAMPLE.token,
        ledger,
        closeTimeSeconds: closeTimeOf(ledger),
        heartbeat: true,
        supplied: 5n,
        borrowed: 0n,
        suppliedUsd: null,
        borrowedUsd: '0',
        priceUsd: null,
        priceSource: '',
        native: {},
      },
    ],
    activities: [
      activityRow({ key, txHash }),
      activityRow({ key: { ...key, row: rowNumber('soroswap', 1) }, txHash, direction: 'received', counts: 0, volumeUsd: '0' }),
    ],
    transactions: [transactionRow({ ledger, txHash, closeTimeSeconds: closeTimeOf(ledger) })],
    notices: [
      {
        protocol: 'soroswap',
        partition: 0,
        contract: '',
        kind: 'event',
        reason: 'unknown topic',
        ledger,
        closeTimeSeconds: closeTimeOf(ledger),
        count: 3,
      },
    ],
  }
}

describe('rows', () => {
  // One database for all refusals, an adapter version for each.
  let refusing: TestDatabase | undefined
  let refusals = 0

  it('the step of a health factor is the hundredth that the fold stored, for every step', async () => {
    const { store, connection } = await storeOn(await databases.databaseOfTest())
    await store.activateIfNone('soroswap', 1, 1)
    const steps = [0, ...Array.from({ length: 251 }, (_, n) => 50 + n)]
    const own = { key: `@${EXAMPLE.account}:health_step`, owner: EXAMPLE.account, durability: 'fact' } as const
    const state = steps.map((step, n) => stateRow({ ...own, ledger: 100 + n, value: `{"health_factor":"1","step":"${step}"}` }))
    await store.write([{ ...NO_ROWS, state }], 1)
    const found = await select(connection, 'SELECT toString(step * 100) FROM health_factor_steps ORDER BY ledger')
    expect(found.flat().map(Number)).toEqual(steps)
  })

  it('rows come back as they were, in every order', async () => {
    const { store, connection } = await storeOn(await databases.databaseOfTest())
    await store.activateIfNone('soroswap', 1, 1)
    await store.write([ledgerOfRows(100)], 1)
    const seen = await visible(connection)
    expect(seen.prices).toEqual([
      ['soroswap', EXAMPLE.token, `oracle:${EXAMPLE.pool}`, 100, '2023-11-14 22:21:40', '0.1234', '2023-11-14 22:20:40', 1],
    ])
    expect(seen.tx_lookup).toEqual([['100', 100, 1, 'soroswap', 1]])
    expect(seen.notices).toEqual([['soroswap', 0, '', 'event', 'unknown topic', 100, '2023-11-14 22:21:40', 3, 1]])
    expect(seen.pool_daily).toEqual([['soroswap', '2023-11-14', EXAMPLE.pool, 100, '2023-11-14 22:21:40', '1000', 0, '1000000', '{}', 1]])
    expect(seen.state_by_owner).toHaveLength(2)
    const step = ['soroswap', EXAMPLE.pool, EXAMPLE.account, 100, '2023-11-14 22:21:40', '1.1234567', '1.12', 1]
    expect(seen.health_factor_steps).toEqual([step])
  })

  it('rows written again, in other batches and in another order, change no row that a reader sees', async () => {
    const { store, connection } = await storeOn(await databases.databaseOfTest())
    await store.activateIfNone('soroswap', 1, 1)
    const ledgers = [100, 101, 102, 17_000].map(ledgerOfRows)
    await store.write(ledgers, 1)
    const once = await visible(connection)
    for (const again of [ledgers.slice(0, 2), ledgers.slice(1, 3), ledgers, ledgers.slice(0, 1)]) await store.write(again, 1)
    expect(await visible(connection)).toEqual(once)
    expect(once.activities).toHaveLength(8)
    expect(once.state_latest?.map((row) => row[4])).toEqual([17_000, 17_000, 17_000])
  })

  it('rows keep all legs of one event apart in all three orders', async () => {
    const database = await databases.databaseOfTest()
    const { store } = await storeOn(database)
    await store.write([ledgerOfRows(100)], 1)
    const admin = database.connect('admin')
    for (const table of ['activities_v1', 'activities_by_contract_v1', 'activities_by_ledger_v1']) {
      await admin.client.command({ query: `OPTIMIZE TABLE ${table} FINAL` })
      expect(await select(admin, `SELECT direction FROM ${table} ORDER BY row`), table).toEqual([['sent'], ['received']])
    }
  })

  it('rows of another adapter version stay invisible until that version is active', async () => {
    const database = await databases.databaseOfTest()
    const { store, connection } = await storeOn(database)
    await store.activateIfNone('soroswap', 1, 1)
    await store.write([ledgerOfRows(100)], 1)
    const before = await visible(connection)
    await store.write([ledgerOfRows(100), ledgerOfRows(200)], 2)
    expect(await visible(connection)).toEqual(before)
    await connection.client.insert({
      table: 'active_versions_v1',
      values: [['soroswap', 2, 1, '2100-01-01 00:00:00.000']],
      format: 'JSONCompactEachRow',
    })
    const after = await visible(connection)
    expect(after.transactions).toHaveLength(2)
    expect(after.transactions?.map((row) => row.at(-1))).toEqual([2, 2])
  })

  it('rows carry the largest integers and the longest decimals without losing a digit', async () => {
    const { store, connection } = await storeOn(await databases.databaseOfTest())
    await store.activateIfNone('soroswap', 1, 1)
    const int256 = fc.bigInt({ min: -(2n ** 255n), max: 2n ** 255n - 1n })
    const usd = fc.tuple(fc.bigInt({ min: 0n, max: 10n ** 30n - 1n }), fc.integer({ min: 1, max: 99_999_999 })).map(([whole, part]) => {
      return `${whole}.${String(part).padStart(8, '0').replace(/0+$/, '')}`
    })
    const values = fc.sample(fc.tuple(int256, usd), { numRuns: 50, seed: 7 })
    const extremes: [bigint, string][] = [
      [2n ** 255n - 1n, `${'9'.repeat(30)}.99999999`],
      [-(2n ** 255n), '0.00000001'],
    ]
    const all = [...values, ...extremes]
    await store.write(
      [{ ...NO_ROWS, positionSnapshots: all.map(([shares, netUsd], n) => positionSnapshotRow({ ledger: n + 1, shares, netUsd })) }],
      1,
    )
    expect(await select(connection, 'SELECT shares, net_usd FROM position_snapshots ORDER BY ledger')).toEqual(
      all.map(([s, u]) => [s.toString(), u]),
    )
  })

  it.each<[string, Partial<Rows>]>([
    ['ledger', { state: [stateRow({ ledger: 2 ** 32 })] }],
    ['scope', { state: [stateRow({ scope: -1 })] }],
    ['live_until', { state: [stateRow({ liveUntil: 1.5 })] }],
    ['value', { state: [stateRow({ value: '"\ud800"' })] }],
    ['price_usd', { prices: [priceRow({ priceUsd: '0.1234567890123456789' })] }],
    ['price_usd', { prices: [priceRow({ priceUsd: '1e3' })] }],
    ['tvl_usd', { poolSnapshots: [poolSnapshotRow({ tvlUsd: '0.123456789' })] }],
    ['share_supply', { poolSnapshots: [poolSnapshotRow({ shareSupply: 2n ** 255n })] }],
    ['asset_decimals', { activities: [activityRow({ assetDecimals: 256 })] }],
    ['confidence', { activities: [activityRow({ confidence: Number.NaN })] }],
    ['metadata', { activities: [activityRow({ metadata: { amount: 1n } })] }],
    ['op_index', { activities: [activityRow({ key: { ledger: 1, txOrder: 1, opIndex: 65_536, eventIndex: 0, row: 0 } })] }],
  ])('rows with a %s that its column cannot hold are refused by name, before anything of their table is sent', async (column, rows) => {
    refusing ??= await databases.database()
    const { store, connection } = await storeOn(refusing)
    const indexVersion = ++refusals
    const good = { ...NO_ROWS, state: [stateRow()], prices: [priceRow()], poolSnapshots: [poolSnapshotRow()], activities: [activityRow()] }
    const [table] = Object.keys(rows) as [keyof Rows]
    const refused = store.write(
      [
        { ...good, [table]: good[table as 'state'] },
        { ...NO_ROWS, ...rows },
      ],
      indexVersion,
    )
    await expect(refused).rejects.toMatchObject({ kind: 'bug', code: 'row_refused', context: { column } })
    const name = { state: 'state', prices: 'prices', poolSnapshots: 'pool_snapshots', activities: 'activities' }[table as 'state']
    expect(await select(connection, `SELECT count() FROM ${name}_v1 WHERE adapter_version = ${indexVersion}`)).toEqual([['0']])
  })
})

describe('the engine without the guards of the columns', () => {
  it('the engine without the guards of the columns wraps an integer that is too large and cuts a decimal that is too long', async () => {
    const { connection } = await storeOn(await databases.databaseOfTest())
    const params = { format: 'JSONCompactEachRow' } as const
    const columns = ['protocol', 'ledger', 'log_offset'] as const
    await connection.client.insert({
      table: 'checkpoints_v1',
      columns: [...columns],
      values: [['x', 1, '18446744073709551616']],
      ...params,
    })
    expect(await select(connection, "SELECT log_offset FROM checkpoints_v1 WHERE protocol = 'x'")).toEqual([['0']])
    await connection.client.insert({ table: 'pool_daily_v1', columns: ['protocol', 'tvl_usd'], values: [['x', '0.123456789']], ...params })
    expect(await select(connection, "SELECT tvl_usd FROM pool_daily_v1 WHERE protocol = 'x'")).toEqual([['0.12345678']])
  })

  it('the engine without the guards of the columns takes no null for a column that has none', async () => {
    const { connection } = await storeOn(await databases.databaseOfTest())
    const insert = connection.client.insert({
      table: 'pool_daily_v1',
      columns: ['tvl_usd'],
      values: [[null]],
      format: 'JSONCompactEachRow',
    })
    await expect(insert).rejects.toThrow()
  })
})

describe('checkpoints', () => {
  const checkpoint = (ledger: number) => ({
    ledger,
    closeTimeSeconds: closeTimeOf(ledger),
    offset: BigInt(ledger) * 10n,
    rollingHash: `${ledger}`,
  })

  it('checkpoints are absent, then the largest ledger is in force, whatever is written later', async () => {
    const { store } = await storeOn(await databases.databaseOfTest())
    expect(await store.checkpoint(AT, 1)).toBeNull()
    await store.moveCheckpoint(AT, 1, checkpoint(50))
    await store.moveCheckpoint(AT, 1, { ...checkpoint(70), offset: 2n ** 64n - 1n })
    await store.moveCheckpoint(AT, 1, checkpoint(60))
    expect(await store.checkpoint(AT, 1)).toEqual({ ...checkpoint(70), offset: 2n ** 64n - 1n })
  })

  it('checkpoints of two partitions and of two versions are apart', async () => {
    const { store } = await storeOn(await databases.databaseOfTest())
    await store.moveCheckpoint(AT, 1, checkpoint(50))
    await store.moveCheckpoint({ ...AT, partition: 1 }, 1, checkpoint(40))
    await store.moveCheckpoint(AT, 2, checkpoint(30))
    expect(await store.checkpoint(AT, 1)).toMatchObject({ ledger: 50 })
    expect(await store.checkpoint({ ...AT, partition: 1 }, 1)).toMatchObject({ ledger: 40 })
    expect(await store.checkpoint(AT, 2)).toMatchObject({ ledger: 30 })
    expect(await store.checkpoint({ ...AT, partition: 2 }, 1)).toBeNull()
  })

  it('checkpoints of the control topic move with its ledgers, and with records without a ledger', async () => {
    const database = await databases.databaseOfTest()
    const { store, connection } = await storeOn(database)
    expect(await store.ledgersCheckpoint()).toBeNull()
    await store.writeLedgers([], 3n)
    expect(await store.ledgersCheckpoint()).toBeNull()
    await store.writeLedgers(
      [1, 2].map((ledger) => ({ ledger, closeTimeSeconds: closeTimeOf(ledger), hash: 'aa' })),
      5n,
    )
    await store.writeLedgers([], 9n)
    expect(await store.ledgersCheckpoint()).toEqual({ ledger: 2, offset: 9n })
    const reopened = await storeOn(database)
    expect(await reopened.store.ledgersCheckpoint()).toEqual({ ledger: 2, offset: 9n })
    await reopened.store.writeLedgers([], 11n)
    expect(await (await storeOn(database)).store.ledgersCheckpoint()).toEqual({ ledger: 2, offset: 11n })
    expect(await select(connection, 'SELECT ledger FROM ledgers ORDER BY ledger')).toEqual([[1], [2]])
  })
})

describe('state for a restart', () => {
  const sorted = (rows: StateRow[]) => rows.sort((a, b) => (`${a.contract}${a.key}` < `${b.contract}${b.key}` ? -1 : 1))

  it('state for a restart is the newest row at or before the ledger asked, also of keys that have changed since, also before parts are merged', async () => {
    const { store } = await storeOn(await databases.databaseOfTest())
    const history = [100, 200, 300, 20_000].map((ledger) => stateRow({ ledger }))
    const old = stateRow({ key: 'old', ledger: 5 })
    // Each write is a part of its own: nothing is merged when we read.
    for (const row of [...history, old]) await store.write([{ ...NO_ROWS, state: [row] }], 1)
    expect(sorted(await collect(store.loadState(AT, 1, 250)))).toEqual([old, history[1]])
    expect(sorted(await collect(store.loadState(AT, 1, 20_000)))).toEqual([old, history[3]])
    expect(sorted(await collect(store.loadState(AT, 1, 19_999)))).toEqual([old, history[2]])
    expect(await collect(store.loadState(AT, 1, 99))).toEqual([old])
  })

  it('state for a restart is of the partition and of what is shared, of one version, and keeps removed rows', async () => {
    const { store } = await storeOn(await databases.databaseOfTest())
    const own = stateRow({ key: 'a', removed: true, value: '' })
    const shared = stateRow({ key: 'b', scope: SHARED_SCOPE })
    await store.write([{ ...NO_ROWS, state: [own, shared, stateRow({ key: 'c', scope: 1 })] }], 1)
    await store.write([{ ...NO_ROWS, state: [stateRow({ key: 'd' })] }], 2)
    expect(sorted(await collect(store.loadState(AT, 1, 100)))).toEqual([own, shared])
  })

  it('state for a restart is found for more changed keys than one request can contain', async () => {
    const { store } = await storeOn(await databases.databaseOfTest())
    const keys = Array.from({ length: 3_000 }, (_, n) => `@${EXAMPLE.account}:shares:${n}`)
    const at = (ledger: number): Rows => ({ ...NO_ROWS, state: keys.map((key) => stateRow({ key, ledger })) })
    await store.write([at(10), at(20)], 1)
    const loaded = await collect(store.loadState(AT, 1, 15))
    expect(new Set(loaded.map(({ key }) => key)).size).toBe(3_000)
    expect(loaded.every(({ ledger, value }) => ledger === 10 && value === '{"at":"10"}')).toBe(true)
  })
})

describe('health and versions', () => {
  it('health and versions keep the newest report of a partition', async () => {
    const { store, connection } = await storeOn(await databases.databaseOfTest())
    await store.activateIfNone('soroswap', 1, 1)
    const report: Omit<HealthReport, 'reportedAtMs' | 'gap'> = {
      ...{ protocol: 'soroswap', partition: 0, indexVersion: 1, state: 'running', checkpointLedger: 5, checkpointCloseTimeSeconds: 6 },
      ...{
        seenLedger: 7,
        seenCloseTimeSeconds: 8,
        sourceEnded: false,
        sourceHeardAtMs: 0,
        progressedAtMs: 9,
        error: '',
        errorsLastHour: 0,
        contractsTracked: 3,
      },
    } as const
    await store.reportHealth([{ ...report, reportedAtMs: 1_700_000_000_500, gap: { after: 10, before: 20 }, error: 'gap (10, 20]' }])
    await store.reportHealth([{ ...report, reportedAtMs: 1_700_000_000_499, gap: null }])
    expect(await select(connection, 'SELECT reported_at, gap_after, gap_before, error FROM adapter_health')).toEqual([
      ['2023-11-14 22:13:20.500', 10, 20, 'gap (10, 20]'],
    ])
  })

  it('health and versions activate the first version and leave a later one to be switched on', async () => {
    const { store, connection } = await storeOn(await databases.databaseOfTest())
    await store.activateIfNone('soroswap', 3, 4)
    await store.activateIfNone('soroswap', 4, 4)
    await store.activateIfNone('blend', 1, 2)
    const rows = await select(connection, 'SELECT protocol, adapter_version, partitions FROM active_versions ORDER BY protocol')
    expect(rows).toEqual([
      ['blend', 1, 2],
      ['soroswap', 3, 4],
    ])
  })
})
