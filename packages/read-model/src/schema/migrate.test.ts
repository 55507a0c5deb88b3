import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { type ClickHouseAddress, openClickHouse } from '../connection.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { migrate, readMigrations } from './migrate.ts'
import { isOnCluster, render, type SchemaTarget, statementsOf } from './render.ts'

const databases = withDatabases()
const OWN = fileURLToPath(new URL('./migrations/', import.meta.url))
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

/** A copy of the migrations that a test may change. */
function copyOfMigrations(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-migrations-'))
  folders.push(folder)
  cpSync(OWN, folder, { recursive: true })
  return folder
}

async function select(address: ClickHouseAddress, query: string): Promise<unknown[][]> {
  await using connection = openClickHouse(address)
  return await (await connection.client.query({ query, format: 'JSONCompactEachRow' })).json()
}

describe('migrations', () => {
  it('migrations are applied once, and a second run finds nothing to do', async () => {
    const database = await databases.databaseOfTest({ empty: true })
    const names = readdirSync(OWN).filter((name) => !name.includes('.cluster.'))
    expect(await migrate(database.address('admin'))).toEqual(names)
    expect(await migrate(database.address('admin'))).toEqual([])
  })

  it('migrations need a user who may make tables: the error of another one names the missing grant', async () => {
    const database = await databases.databaseOfTest({ empty: true })
    const failed = migrate(database.address('api'))
    await expect(failed).rejects.toMatchObject({ kind: 'unavailable', code: 'read_model_refused' })
    await expect(failed).rejects.toThrow(/does not let this user do that: ACCESS_DENIED.*To migrate it has to make tables/)
  })

  it('migrations continue where a crash ended them: every statement may run again', async () => {
    const database = await databases.databaseOfTest()
    const admin = database.address('admin')
    // As after a crash between the last statement of a file and the row that records it.
    await database.connect('admin').client.command({ query: 'TRUNCATE TABLE schema_migrations' })
    expect(await migrate(admin)).toHaveLength(readMigrations(OWN, { kind: 'single' }).length)
  })

  it('migrations remove the view that a crash left between its creation and the exchange with the view that it replaces', async () => {
    const database = await databases.databaseOfTest()
    // The name that the engine gave it when it was killed there.
    await database.connect('admin').client.command({ query: 'CREATE VIEW _tmp_replace_c26999a38cd9ecf1_isnrwqkh59d9d0c8 AS SELECT 1' })
    const views = `SELECT name FROM system.tables WHERE database = '${database.name}' AND engine = 'View' ORDER BY name`
    const [left, ...others] = (await select(database.address('admin'), views)).flat()
    expect(left).toMatch(/^_tmp_replace_/)
    expect(await migrate(database.address('admin'))).toEqual([])
    expect((await select(database.address('admin'), views)).flat()).toEqual(others)
  })

  it('migrations are refused by name when an applied file was changed', async () => {
    const database = await databases.databaseOfTest()
    const folder = copyOfMigrations()
    appendFileSync(join(folder, '0002_prices.sql'), '-- an afterthought\n')
    const refused = migrate(database.address('admin'), { folder })
    await expect(refused).rejects.toMatchObject({ kind: 'invalid', code: 'migration_changed', context: { migration: '0002_prices.sql' } })
  })

  it('migrations are refused when the database was migrated by a newer version', async () => {
    const database = await databases.databaseOfTest()
    const folder = copyOfMigrations()
    rmSync(join(folder, '0005_progress.sql'))
    const refused = migrate(database.address('admin'), { folder })
    await expect(refused).rejects.toMatchObject({
      kind: 'invalid',
      code: 'schema_newer_than_code',
      context: { migration: '0005_progress.sql' },
    })
  })

  it('migrations that add a column show it in the view', async () => {
    const database = await databases.databaseOfTest()
    const folder = copyOfMigrations()
    writeFileSync(
      join(folder, '0099_more.sql'),
      "ALTER TABLE ledgers_v1 ADD COLUMN IF NOT EXISTS protocol_version UInt8 COMMENT 'Of the network';\n",
    )
    expect(await migrate(database.address('admin'), { folder })).toEqual(['0099_more.sql'])
    const columns = await select(
      database.address('analyst'),
      `SELECT name FROM system.columns WHERE database = '${database.name}' AND table = 'ledgers'`,
    )
    expect(columns.flat()).toContain('protocol_version')
  })
})

describe('the schema', () => {
  it('the schema has a comment on every table, view and column', async () => {
    const database = await databases.databaseOfTest()
    const where = `WHERE database = '${database.name}'`
    const admin = database.address('admin')
    expect(await select(admin, `SELECT name FROM system.tables ${where} AND comment = ''`)).toEqual([])
    expect(await select(admin, `SELECT table, name FROM system.columns ${where} AND comment = '' AND NOT endsWith(table, '_mv')`)).toEqual(
      [],
    )
  })

  it('the schema ends the sort key of every table that a fold fills in the adapter version, and of activities in the row before it', async () => {
    const database = await databases.databaseOfTest()
    const keys = await select(
      database.address('admin'),
      `SELECT name, sorting_key FROM system.tables WHERE database = '${database.name}' AND engine = 'ReplacingMergeTree' ORDER BY name`,
    )
    const unversioned = new Set([
      'schema_migrations',
      'ledgers_v1',
      'active_versions_v1',
      'index_versions_v1',
      'control_facts_v1',
      'verifications_v1',
    ])
    for (const [name, key] of keys as [string, string][]) {
      if (!unversioned.has(name)) expect(key, name).toMatch(/, adapter_version$/)
      if (name.startsWith('activities')) expect(key, name).toMatch(/, row, adapter_version$/)
    }
    expect(keys).toHaveLength(33)
  })

  it('rendered for a cluster is replicated, on all of its servers, with a distributed table under each plain name', () => {
    const migrations = readMigrations(OWN, { kind: 'cluster', cluster: 'main', replicated: true })
    const statements = migrations.flatMap(({ sql }) => statementsOf(render(sql, { kind: 'cluster', cluster: 'main', replicated: true })))
    const local = statements.flatMap((sql) => /^CREATE TABLE IF NOT EXISTS (\w+)_local ON CLUSTER 'main'/.exec(sql)?.[1] ?? [])
    const distributed = statements.flatMap(
      (sql) => /^CREATE TABLE IF NOT EXISTS (\w+) ON CLUSTER 'main' AS \1_local\s+ENGINE = Distributed\('main'/.exec(sql)?.[1] ?? [],
    )
    expect(local).toHaveLength(32)
    expect(distributed.toSorted()).toEqual(local.toSorted())
    expect(statements.filter((sql) => /\$(ON|L|RMT|GLOBAL)\b/.test(sql))).toEqual([])
    // One server passes a change of the schema on to all. A statement that copies rows is sent to each shard.
    expect(statements.filter((sql) => !isOnCluster(sql)).map((sql) => sql.split('\n')[0])).toEqual([
      'INSERT INTO position_snapshots_by_ledger_v1_local',
      'INSERT INTO position_daily_v1_local',
    ])
    expect(statements.filter((sql) => / ReplacingMergeTree/.test(sql))).toEqual([])
    const latest = statements.find((sql) => sql.includes('state_latest_v1_local ON CLUSTER') && sql.includes('ENGINE'))
    expect(latest).toContain("ReplicatedReplacingMergeTree('/clickhouse/tables/{shard}/{database}/{table}', '{replica}', ledger)")
  })

  it('rendered for shards without replicas has the same tables, of which no statement names the other servers', () => {
    const target = { kind: 'cluster', cluster: 'main', replicated: false } as const
    const renderedFor = (one: SchemaTarget): string[] => readMigrations(OWN, one).flatMap(({ sql }) => statementsOf(render(sql, one)))
    const replicated = renderedFor({ ...target, replicated: true })
    const plain = replicated.map((sql) =>
      sql
        .replaceAll(/ ON CLUSTER 'main'/g, ' ')
        .trim()
        .replaceAll(/Replicated(ReplacingMergeTree)\('[^']+', '\{replica\}'(?:, )?/g, '$1('),
    )
    expect(renderedFor(target)).toEqual(plain)
  })

  it('rendered for one server has no trace of a cluster', () => {
    for (const { sql } of readMigrations(OWN, { kind: 'single' })) {
      expect(render(sql, { kind: 'single' })).not.toMatch(/CLUSTER|_local|Replicated|Distributed|\$/)
    }
  })

  it('the comment of a view never follows the name of a table or a subquery, where ClickHouse 26.3 reads the word as an alias', () => {
    const cluster = { kind: 'cluster', cluster: 'main', replicated: true } as const
    for (const target of [{ kind: 'single' } as const, cluster]) {
      const views = readMigrations(OWN, target)
        .flatMap(({ sql }) => statementsOf(render(sql, target)))
        .filter((sql) => sql.startsWith('CREATE MATERIALIZED VIEW'))
      expect(views.length).toBeGreaterThan(20)
      expect(views.filter((sql) => /(\bFROM \w+|^\)) *\n *COMMENT/m.test(sql))).toEqual([])
    }
  })

  it('the schema is cut into statements at a semicolon that ends a line, not at one in a comment or a text', () => {
    const sql = "-- why; because\nCREATE a COMMENT 'one; two';\n\n-- more\nCREATE b\n  (c);\n"
    expect(statementsOf(sql)).toEqual(["CREATE a COMMENT 'one; two'", 'CREATE b\n  (c)'])
  })

  it('the schema is one file to a number', () => {
    const numbers = readdirSync(OWN).map((name) => name.slice(0, 4))
    expect(new Set(numbers).size).toBe(numbers.length)
    expect(readFileSync(join(OWN, '0001_state.sql'), 'utf8')).toMatch(/^-- /)
  })
})
