// Three shards as a store and as a read model, beside one engine with the same rows.

import { contractId } from '@orrery/ledger'
import { NO_ROWS, partitionOf, type Rows, rowNumber } from '@orrery/protocol-kit'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { type ClickHouseConnection, openClickHouse } from '../connection.ts'
import type { HostUser } from '../host/credentials.ts'
import { diffVersions } from '../index-versions/diff-versions.ts'
import { activateIndexVersion, retireIndexVersion, rowsOfIndexVersion } from '../index-versions/index-versions.ts'
import { lastVerification } from '../queries/last-verification.ts'
import { noticesByReason } from '../queries/notices-by-reason.ts'
import { poolAuctionKeys } from '../queries/pool-auction-keys.ts'
import { streamActivities } from '../queries/stream-events.ts'
import { openReadModel } from '../read-model.ts'
import type { HealthReport, Store } from '../store.ts'
import { PAIR, startTestCluster, TEST_TARGET, type TestCluster } from '../testing/cluster-engines.ts'
import {
  activityRow,
  closeTimeOf,
  EXAMPLE,
  poolSnapshotRow,
  positionSnapshotRow,
  priceRow,
  stateRow,
  transactionRow,
} from '../testing/example-rows.ts'
import { type TestDatabase, withDatabases } from '../testing/with-clickhouse.ts'
import { storeVerification } from '../verify/store-verification.ts'
import { verifiedTables } from '../verify/verified-tables.ts'
import { migrate } from './migrate.ts'
import { openShards } from './shards.ts'

const OPTIONS = { tag: { route: '/v1/test', requestId: 'request-1' } } as const
const PARTITION = { protocol: 'soroswap', partition: 0 } as const
const LEDGERS = 12
const databases = withDatabases()
const stack = new AsyncDisposableStack()
afterAll(() => stack.disposeAsync())

let cluster: TestCluster
let admins: ClickHouseConnection[]
let database: TestDatabase
let single: ClickHouseConnection
beforeAll(async () => {
  cluster = stack.use(await startTestCluster())
  database = await databases.database()
  single = database.connect('admin')
})

const accountOf = (n: number): string => `G${String(n).padStart(55, 'A')}`
const poolOf = (n: number): string => `C${String(n).padStart(55, 'P')}`
const hashOf = (n: number): string => n.toString(16).padStart(4, '0').repeat(16)

/** Values with a health factor: the contract's own, 1.5, for every other account, the quotient, 1.6666666, for those between. */
const healthOf = (n: number) => ({
  ...{ effectiveCollateralUsd: '5', effectiveLiabilitiesUsd: '3' },
  ...(n % 2 === 0 ? { native: { health_factor: '1.5' } } : {}),
})

/** What `ledger` changed: activities, positions and state of ten accounts in five pools. An account's action and its transaction share a hash. */
function rowsOf(ledger: number): Rows {
  const each = Array.from({ length: 10 }, (_, n) => ({ n, address: accountOf(n), pool: poolOf(n % 5), txHash: hashOf(ledger * 100 + n) }))
  const key = (n: number) => ({ ledger, txOrder: n + 1, opIndex: 0, eventIndex: 0, row: rowNumber('soroswap', 0) })
  const at = { ledger, closeTimeSeconds: closeTimeOf(ledger) }
  return {
    ...NO_ROWS,
    activities: each.map(({ n, address, pool, txHash }) => activityRow({ key: key(n), ...at, address, contract: pool, txHash })),
    transactions: each.map(({ n, address, txHash }) => transactionRow({ ...at, txOrder: n + 1, source: address, txHash })),
    positionSnapshots: each.map(({ n, address, pool }) => positionSnapshotRow({ ...at, ...healthOf(n), address, pool })),
    poolSnapshots: each.slice(0, 5).map(({ pool }) => poolSnapshotRow({ ...at, pool })),
    prices: [priceRow(at), priceRow({ ...at, source: 'pool:other', asset: poolOf(9) })],
    state: each.flatMap(({ n, address, pool }) => [
      stateRow({ ...at, contract: pool, key: `pair:${n}` }),
      stateRow({ ...at, contract: pool, key: `@${address}:shares`, owner: address, value: `{"amount":"${ledger + n}"}` }),
      stateRow({ ...at, contract: pool, key: `@${address}:auction:${n}`, owner: address, value: '{}' }),
      stateRow({
        ...{ ...at, contract: pool, key: `@${address}:health_step`, owner: address, durability: 'fact' },
        value: `{"health_factor":"1.${ledger + 10}","step":"1${ledger + 10}"}`,
      }),
    ]),
    notices: [
      {
        ...{ protocol: 'soroswap', partition: 0, contract: EXAMPLE.pool, kind: 'event', reason: 'of no use', count: 2 },
        ...at,
      },
    ],
  }
}

const HEALTH = {
  ...{ protocol: 'aquarius', partition: 0, indexVersion: 1, reportedAtMs: 1, state: 'running' },
  ...{ checkpointLedger: 1, checkpointCloseTimeSeconds: 1, seenLedger: 1, seenCloseTimeSeconds: 1, sourceEnded: false, sourceHeardAtMs: 0 },
  ...{ progressedAtMs: 0, gap: null, error: '', errorsLastHour: 0, contractsTracked: 0 },
} as const satisfies HealthReport

async function fill(store: Store, from: number, to: number): Promise<void> {
  const ledgers = Array.from({ length: to - from + 1 }, (_, n) => from + n)
  await store.activateIfNone('soroswap', 1, 1)
  await store.write(ledgers.map(rowsOf), 1)
  await store.writeLedgers(
    ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTimeOf(ledger), hash: hashOf(ledger) })),
    1n,
  )
  const at = { ledger: to, closeTimeSeconds: closeTimeOf(to), offset: BigInt(to), rollingHash: '' }
  await store.moveCheckpoint(PARTITION, 1, at)
}

async function select<Row>(connection: ClickHouseConnection, query: string): Promise<Row[]> {
  return connection.attempt('test', async () => (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>())
}

/** Rows of every view in order, without the times of writing. */
async function contentsOf(connection: ClickHouseConnection): Promise<Record<string, unknown[]>> {
  const views = await select<{ name: string }>(
    connection,
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View' ORDER BY name",
  )
  const contents: Record<string, unknown[]> = {}
  for (const { name } of views) {
    const columns = name === 'active_versions' ? '* EXCEPT set_at' : '*'
    contents[name] = await select(connection, `SELECT ${columns} FROM ${name} ORDER BY ALL`)
  }
  return contents
}

describe('migrating three shards', () => {
  it.each([
    [{ ...TEST_TARGET, cluster: 'threee' }, 'cluster_unknown', /has no cluster threee .* It has pair, three\./],
    [{ ...TEST_TARGET, cluster: PAIR }, 'cluster_replicas', /have replicas \(1\).* --replicated/],
    [{ ...TEST_TARGET, cluster: PAIR, replicated: true }, 'cluster_replicas', /internal_replication off/],
  ])('is refused for the cluster $cluster, replicated $replicated: %s', async (target, code, message) => {
    const refused = migrate(cluster.addresses('admin'), { target })
    await expect(refused).rejects.toMatchObject({ kind: 'invalid', code, message: expect.stringMatching(message) })
    await expect(refused).rejects.toThrow('Nothing was changed')
  })

  it('is refused by the numbers of the shards without an address, before anything is changed', async () => {
    await expect(migrate(cluster.address('admin', 1), { target: TEST_TARGET })).rejects.toMatchObject({
      kind: 'invalid',
      code: 'cluster_shards_missing',
      message: expect.stringContaining('no address is one of the shards 1, 3.'),
    })
    await using connection = openClickHouse({ ...cluster.address('admin', 1), database: 'system' })
    expect(await select(connection, "SELECT name FROM system.databases WHERE name = 'orrery'")).toEqual([])
  })

  it('applies all files once, to each of them, also where an earlier run has ended after the first shard', async () => {
    const names = await migrate(cluster.addresses('admin'), { target: TEST_TARGET })
    admins = [0, 1, 2].map((shard) => stack.use(openClickHouse(cluster.address('admin', shard))))
    expect(names).toContain('0006_distributed.cluster.sql')
    expect(await migrate(cluster.addresses('admin'), { target: TEST_TARGET })).toEqual([])
    await admins[2]?.client.command({ query: 'TRUNCATE TABLE schema_migrations' })
    expect(await migrate(cluster.addresses('admin'), { target: TEST_TARGET })).toEqual(names)
    for (const admin of admins) {
      const [applied] = await select<{ files: string }>(admin, "SELECT count() AS files FROM schema_migrations FINAL WHERE name != 'views'")
      expect(Number(applied?.files)).toBe(names.length)
    }
  })

  it('is refused for another target than that of the tables, and so is one server', async () => {
    for (const [address, target] of [
      [cluster.addresses('admin'), { kind: 'single' }],
      [cluster.addresses('admin'), { ...TEST_TARGET, replicated: true }],
    ] as const) {
      const text = expect.stringMatching(/made for the cluster three, without replicated tables, and not for/)
      await expect(migrate(address, { target })).rejects.toMatchObject({ kind: 'invalid', code: 'schema_target_differs', message: text })
    }
  })
})

describe('rows on three shards', () => {
  beforeAll(async () => {
    await using one = openStore(openClickHouse(database.address('writer')))
    await using three = openStore(openClickHouse(cluster.addresses('writer')))
    for (const store of [one, three]) await fill(store, 1, LEDGERS)
    const verification = { verdict: 'equal', checks: '[]', differences: 0n, repairs: '[]', fromLedger: 1, toLedger: 2 } as const
    for (const connection of [single, openWriter()])
      await storeVerification(connection, { ...verification, startedAtMs: 1_700_000_000_000, finishedAtMs: 1_700_000_001_000 })
  })

  const openWriter = (): ClickHouseConnection => stack.use(openClickHouse(cluster.addresses('writer')))
  const reader = () => openReadModel(openClickHouse(cluster.addresses('api')))

  it('are those of one engine in every view', async () => {
    const expected = await contentsOf(single)
    for (const admin of admins) expect(await contentsOf(admin)).toEqual(expected)
    expect(new Set(expected.position_snapshots?.map((row) => (row as { health_factor: unknown }).health_factor))).toEqual(
      new Set(['1.5', '1.6666666']),
    )
    const empty = Object.entries(expected).flatMap(([view, rows]) => (rows.length === 0 ? [view] : []))
    expect(empty).toEqual(['adapter_health', 'control_facts', 'index_versions', 'reserve_hourly', 'reserve_snapshots'])
  })

  it('are on the shard that the sort key of their table gives, also in tables that materialized views fill', async () => {
    const [first] = admins as [ClickHouseConnection]
    const tables = await select<{ name: string; key: string; sharding: string }>(
      first,
      `SELECT d.name AS name, l.sorting_key AS key, extract(d.engine_full, '_local.*?, (.*)\\\\)$') AS sharding
      FROM system.tables AS d INNER JOIN system.tables AS l ON l.database = d.database AND l.name = concat(d.name, '_local')
      WHERE d.database = 'orrery' AND d.engine = 'Distributed' ORDER BY name`,
    )
    expect(tables).toHaveLength(32)
    for (const { name, key, sharding } of tables) {
      const columns = await select<{ name: string }>(
        first,
        `SELECT name FROM system.columns WHERE database = 'orrery' AND table = '${name}'`,
      )
      const used = columns.map((column) => column.name).filter((column) => new RegExp(`\\b${column}\\b`).test(sharding))
      expect(used.length, `${name}: ${sharding}`).toBeGreaterThan(0)
      expect(key.split(', '), name).toEqual(expect.arrayContaining(used))
      const query = `SELECT countIf(shardNum() != toUInt64(${sharding}) % 3 + 1) AS elsewhere FROM ${name}`
      expect(await select(first, query), name).toEqual([{ elsewhere: '0' }])
    }
  })

  it('are replaced when they are written again', async () => {
    const before = await contentsOf(single)
    await using store = openStore(openClickHouse(cluster.address('writer', 2)))
    await fill(store, 3, LEDGERS)
    for (const admin of admins.slice(0, 2)) expect(await contentsOf(admin)).toEqual(before)
  })

  it('are copied by a migration on each shard', async () => {
    const before = await contentsOf(single)
    for (const admin of admins) {
      await admin.client.command({ query: 'TRUNCATE TABLE position_snapshots_by_ledger_v1_local' })
      await admin.client.command({ query: 'TRUNCATE TABLE schema_migrations' })
    }
    await migrate(cluster.addresses('admin'), { target: TEST_TARGET })
    for (const admin of admins) expect((await contentsOf(admin)).position_snapshots_by_ledger).toEqual(before.position_snapshots_by_ledger)
  })

  it('keep a shard from being added, or replaced by one without tables', async () => {
    await using third = openClickHouse({ ...cluster.address('admin', 2), database: 'system' })
    await third.client.command({ query: 'RENAME DATABASE orrery TO kept' })
    await expect(migrate(cluster.addresses('admin'), { target: TEST_TARGET })).rejects.toMatchObject({
      kind: 'invalid',
      code: 'cluster_shards_changed',
      message: expect.stringMatching(/no tables on shard 3, and rows on others.*Nothing was changed/),
    })
    await third.client.command({ query: 'RENAME DATABASE kept TO orrery' })
    expect(await migrate(cluster.addresses('admin'), { target: TEST_TARGET })).toEqual([])
  })

  it('are found by statements whose rows the recording does not have', async () => {
    await using one = openReadModel(openClickHouse(database.address('admin')))
    await using three = reader()
    const answers = async (readModel: typeof one) => [
      await readModel.query(noticesByReason, { watermark: LEDGERS }, OPTIONS),
      await readModel.query(poolAuctionKeys, { protocol: 'soroswap', pool: poolOf(2) }, OPTIONS),
      await readModel.query(lastVerification, {}, OPTIONS),
      await readModel.stateAsOf({ protocol: 'soroswap', ledger: 5, contracts: [0, 1, 2, 3, 4].map(poolOf) }, OPTIONS),
      await readModel.ownerStateAsOf({ owners: [accountOf(3), accountOf(4)], ledger: 7 }, OPTIONS),
      await readModel.watermark(),
      await readModel.ledgerAtOrBefore(closeTimeOf(6), OPTIONS),
    ]
    const expected = await answers(one)
    expect(await answers(three)).toEqual(expected)
    for (const answer of expected) expect(answer).not.toEqual([])
  })

  describe('as an analyst with the rights of `orrery migrate --users` reads them', () => {
    beforeAll(() => cluster.grantAnalyst())

    it('are those of one engine in every view, whichever shard is asked', async () => {
      const expected = await contentsOf(single)
      for (const shard of [0, 1, 2]) {
        await using analyst = openClickHouse(cluster.address('analyst', shard))
        expect(await contentsOf(analyst)).toEqual(expected)
      }
    })

    it('are counted by a statement that has a dozen parts at each shard', async () => {
      await using analyst = openClickHouse(cluster.address('analyst', 1))
      const parts = ['activities', 'transactions', 'position_snapshots', 'pool_snapshots', 'prices', 'state'].flatMap((view) => [
        // Parts that take a while overlap.
        `SELECT '${view}' AS view, count() AS rows FROM ${view} WHERE sleepEachRow(0.001) = 0`,
        `SELECT '${view}, without its first ledger' AS view, count() AS rows FROM ${view} WHERE ledger > 1 AND sleepEachRow(0.001) = 0`,
      ])
      const statement = `SELECT * FROM (${parts.join(' UNION ALL ')}) ORDER BY view`
      const expected = await select(single, statement)
      expect(expected).toHaveLength(parts.length)
      expect(await select(analyst, statement)).toEqual(expected)
    })

    it('are refused in each table of all shards, and where another shard would be asked for them', async () => {
      const [admin] = admins as [ClickHouseConnection]
      const tables = await select<{ name: string }>(
        admin,
        "SELECT name FROM system.tables WHERE database = 'orrery' AND engine != 'View' AND NOT match(name, '_v[0-9]+_local$') ORDER BY name",
      )
      expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['activities_v1', 'active_versions_v1', 'schema_migrations']))
      await using analyst = openClickHouse(cluster.address('analyst', 1))
      const elsewhere = [`cluster('${TEST_TARGET.cluster}', orrery.state_v1_local)`, "remote('127.0.0.1', orrery.state_v1_local)"]
      for (const table of [...tables.map(({ name }) => name), ...elsewhere]) {
        await expect(select(analyst, `SELECT 1 FROM ${table} LIMIT 1`), table).rejects.toMatchObject({ code: 'read_model_refused' })
      }
    })
  })

  it('of quarantined pools are left out as of later ledgers, on every shard', async () => {
    const pools = Array.from({ length: 12 }, (_, n) => ({ bytes: new Uint8Array(32).fill(n), id: contractId(new Uint8Array(32).fill(n)) }))
    const partitionOf3 = ({ bytes }: { readonly bytes: Uint8Array }) => partitionOf(bytes, 3)
    const answers = []
    for (const users of [(user: HostUser) => database.address(user), (user: HostUser) => cluster.addresses(user)]) {
      await using store = openStore(openClickHouse(users('writer')))
      await store.activateIfNone('aquarius', 1, 3)
      const state = pools.map((pool) => stateRow({ protocol: 'aquarius', contract: pool.id, ledger: 2, scope: partitionOf3(pool) }))
      const activities = pools.map(({ id }, n) =>
        activityRow({
          protocol: 'aquarius',
          contract: id,
          address: accountOf(n),
          key: { ledger: 2, txOrder: n, opIndex: 0, eventIndex: 0, row: 0 },
        }),
      )
      await store.write([{ ...NO_ROWS, state, activities }], 1)
      for (const [partition, ledger] of [LEDGERS, 4, LEDGERS].entries()) {
        const at = { ledger, closeTimeSeconds: closeTimeOf(ledger), offset: 1n, rollingHash: '' }
        await store.moveCheckpoint({ protocol: 'aquarius', partition }, 1, at)
      }
      await store.reportHealth([{ ...HEALTH, partition: 1, state: 'quarantined' }])
      await using readModel = openReadModel(openClickHouse(users('api')))
      const states = (ledger: number) =>
        readModel.stateAsOf({ protocol: 'aquarius', ledger, contracts: pools.map(({ id }) => id) }, OPTIONS)
      const range = { from_ledger: 1, to_ledger: LEDGERS, addresses: [], protocols: ['aquarius'], contracts: [], types: [], rows: 100 }
      const activitiesAt = (watermark: number) => readModel.query(streamActivities.byLedger, { ...range, watermark }, OPTIONS)
      answers.push(await Promise.all([states(LEDGERS), states(4), activitiesAt(LEDGERS), activitiesAt(4), readModel.watermark()]))
    }
    const [expected, found] = answers
    expect(found).toEqual(expected)
    const others = pools.filter((pool) => partitionOf3(pool) !== 1).length
    expect(others).toBeLessThan(pools.length)
    expect(expected?.slice(0, 4).map((rows) => (rows as unknown[]).length)).toEqual([others, pools.length, others, pools.length])
  })

  it('of an index version are compared, activated and deleted as on one engine', async () => {
    const before = await contentsOf(single)
    const outcomes = []
    for (const users of [(user: HostUser) => database.address(user), (user: HostUser) => cluster.addresses(user)]) {
      await using opened = new AsyncDisposableStack()
      const connection = opened.use(openClickHouse(users('admin')))
      const store = opened.use(openStore(openClickHouse(users('writer'))))
      const version = await store.findOrCreateIndexVersion({ protocol: 'soroswap', adapterVersion: 5, partitions: 1, purpose: 'replay' })
      const changed = rowsOf(LEDGERS)
      await store.write([{ ...changed, prices: changed.prices.map((row) => ({ ...row, priceUsd: '7' })) }], version.indexVersion)
      const behind = await store.activateIfComplete(version)
      const at = { ledger: LEDGERS, closeTimeSeconds: closeTimeOf(LEDGERS), offset: 1n, rollingHash: '' }
      await store.moveCheckpoint(PARTITION, version.indexVersion, at)
      const activated = await store.activateIfComplete(version)
      const differences = []
      for (const table of await verifiedTables(connection)) {
        if (!table.columns.includes('adapter_version')) continue
        const compared = { protocol: 'soroswap', before: 1, after: version.indexVersion, from: LEDGERS, to: LEDGERS } as const
        differences.push(await diffVersions(connection, table, compared))
      }
      const [first] = await store.indexVersions('soroswap')
      const returned = first !== undefined && (await activateIndexVersion(connection, first, true))
      // Copies that are not merged yet are counted too: the tables are the same, and not always the numbers.
      const counted = [...(await rowsOfIndexVersion(connection, version)).keys()].toSorted()
      const shards = await openShards(users('admin'), opened)
      const retired = await retireIndexVersion(connection, version, shards)
      const left = [...(await rowsOfIndexVersion(connection, version))]
      const known = (await store.indexVersions('soroswap')).map(({ indexVersion, isActive, isRetired }) => [
        indexVersion,
        isActive,
        isRetired,
      ])
      outcomes.push({ behind, activated, differences, returned, counted, retired, left, known })
    }
    expect(outcomes[1]).toEqual(outcomes[0])
    expect(outcomes[0]).toMatchObject({ behind: false, activated: true, returned: true, retired: true, left: [] })
    expect(outcomes[0]?.differences.filter((found) => found !== null)).toMatchObject([
      { table: 'prices_hourly_v1' },
      { table: 'prices_v1' },
    ])
    await using connection = openClickHouse(cluster.addresses('admin'))
    expect({ ...(await contentsOf(connection)), index_versions: [] }).toEqual({ ...before, index_versions: [] })
  })

  it('are neither served nor lost while a shard is away, and equal those of one engine after it has returned', async () => {
    await using three = reader()
    expect((await three.watermark()).ledger).toBe(LEDGERS)
    await cluster.stop(1)
    await using store = openStore(openClickHouse({ ...cluster.addresses('writer'), retryForMs: 500 }))
    const away = {
      kind: 'unavailable',
      code: 'read_model_unreachable',
      message: expect.stringMatching(/cannot reach another server that the statement needs: \w+ \((210|279)\)\. What was written is safe/),
    }
    await expect(three.query(noticesByReason, { watermark: LEDGERS }, OPTIONS)).rejects.toMatchObject(away)
    await expect(fill(store, LEDGERS + 1, LEDGERS + 3)).rejects.toMatchObject(away)
    // The server that is away is the preferred one here.
    const others = [1, 2].map((shard) => cluster.address('api', shard).url).join(',')
    await using connection = openClickHouse({ ...cluster.address('api', 0), url: others, retryForMs: 500 })
    expect(await select(connection, 'SELECT 1 AS one')).toEqual([{ one: 1 }])

    await cluster.start(1)
    await using one = openStore(openClickHouse(database.address('admin')))
    for (const each of [one, store]) await fill(each, LEDGERS + 1, LEDGERS + 3)
    await using again = openClickHouse(cluster.addresses('admin'))
    const [expected, found] = [await contentsOf(single), await contentsOf(again)]
    expect({ ...found, index_versions: [] }).toEqual({ ...expected, index_versions: [] })
  })
})
