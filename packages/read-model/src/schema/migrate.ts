// Forward-only migrations: numbered files, applied once, recorded with their checksum.
// ClickHouse has no transactional DDL, so every statement is safe to run again and a file is recorded after its last one.
// One migrator at a time: the command line runs it before anything else starts.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OrreryError } from '@orrery/errors'
import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse, SHOWS_PROGRESS } from '../connection.ts'
import { isOnCluster, render, type SchemaTarget, statementsOf } from './render.ts'
import { addressesOf, assertSameShards, assertTarget, type MigratedAddress } from './shards.ts'
import { TABLE_COLUMNS_SQL, type TableColumn, viewStatements } from './views.ts'

export interface MigrateOptions {
  /** Default: the embedded engine or one server. */
  readonly target?: SchemaTarget
  /** Where the files are. Default: those of this package. */
  readonly folder?: string
  /** Called when files are pending, before the first of them is applied: an error ends the migration. */
  readonly beforeFiles?: () => void
}

export interface Migration {
  readonly name: string
  readonly sql: string
  readonly sha256: string
}

const OWN_FOLDER = fileURLToPath(new URL('./migrations/', import.meta.url))
/** Name under which the views are recorded: they follow the tables and are made again when these change. */
const VIEWS = 'views'

/**
 * Migrates the database to the schema of this code and returns the names of the applied files.
 * Needs a user that may create tables. Running it again, also after a crash in the middle, is safe.
 *
 * @param address Of a cluster its `url` has one URL of each shard, separated by commas.
 * @throws OrreryError `invalid`/`migration_changed` when an applied file was changed,
 *   `invalid`/`schema_newer_than_code` when the database has files that this code does not, `invalid`/`schema_target_differs` when its tables were made
 *   for another target, and those of `addressesOf`.
 */
export async function migrate(address: MigratedAddress, options: MigrateOptions = {}): Promise<string[]> {
  const target = options.target ?? { kind: 'single' }
  const migrations = readMigrations(options.folder ?? OWN_FOLDER, target)
  const addresses = await addressesOf(address, target)
  await prepareDatabases(addresses, target)
  await using stack = new AsyncDisposableStack()
  const shards = addresses.map((one) => ({ connection: stack.use(openClickHouse(one)), applied: new Map<string, string>() }))
  await run(shards, render(SCHEMA_MIGRATIONS, target))
  for (const shard of shards) {
    shard.applied = await appliedMigrations(shard.connection)
    refuseDifferences(migrations, shard.applied)
  }
  const pending = migrations.filter(({ name }) => shards.some(({ applied }) => !applied.has(name)))
  if (pending.length > 0) options.beforeFiles?.()
  for (const { name, sql, sha256 } of pending) {
    // A shard that had the file, when an earlier run ended before the others did, is left out.
    const lacking = shards.filter(({ applied }) => !applied.has(name))
    for (const statement of statementsOf(render(sql, target))) await run(lacking, statement, name)
    for (const { connection } of lacking) await record(connection, name, sha256)
  }
  await renewViews(shards, target)
  return pending.map(({ name }) => name)
}

/** A server, or a server of a shard, with the checksums of what it has by name. */
interface Shard {
  readonly connection: ClickHouseConnection
  applied: ReadonlyMap<string, string>
}

/** At each shard, unless one of them passes the statement on to all. */
async function run(shards: readonly Shard[], statement: string, name?: string): Promise<void> {
  const reached = isOnCluster(statement) ? shards.slice(0, 1) : shards
  await Promise.all(reached.map(({ connection }) => execute(connection, statement, name)))
}

/**
 * For a command that must leave the tables as they are.
 * @throws OrreryError `invalid`/`schema_older_than_code` when `migrate` would change them, and the errors of `migrate`.
 */
export async function assertMigrated(address: ClickHouseAddress): Promise<void> {
  await using connection = openClickHouse(address)
  const migrations = readMigrations(OWN_FOLDER, { kind: 'single' })
  const applied = await appliedMigrations(connection)
  refuseDifferences(migrations, applied)
  const pending = migrations.find(({ name }) => !applied.has(name))
  if (pending === undefined) return
  throw new OrreryError(
    'invalid',
    'schema_older_than_code',
    `An older Orrery wrote the tables: they lack the migration ${pending.name} of this build. Nothing was changed. Use the older version, or start this one on them first, which migrates them.`,
    { context: { migration: pending.name } },
  )
}

const SCHEMA_MIGRATIONS = `CREATE TABLE IF NOT EXISTS schema_migrations $ON (
  name String COMMENT 'File of the migration',
  sha256 String COMMENT 'SHA-256 of the file when it was applied, hex',
  applied_at DateTime64(3, 'UTC') COMMENT 'When its last statement had run, UTC milliseconds'
) ENGINE = $RMT(applied_at) ORDER BY name
COMMENT 'Migrations that were applied'`

/** The files of `folder` in order. Files ending in `.cluster.sql` are for clusters alone. */
export function readMigrations(folder: string, target: SchemaTarget): Migration[] {
  return readdirSync(folder)
    .filter((name) => /^\d{4}_.*\.sql$/.test(name) && (target.kind === 'cluster' || !name.endsWith('.cluster.sql')))
    .sort()
    .map((name) => {
      const sql = readFileSync(`${folder}/${name}`, 'utf8')
      return { name, sql, sha256: sha256(sql) }
    })
}

/** Checks all of them before the first one is changed. Connections cannot name a database that does not exist yet. */
async function prepareDatabases(addresses: readonly MigratedAddress[], target: SchemaTarget): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const servers = addresses.map((address) => stack.use(openClickHouse({ ...address, database: 'system' })))
  const [{ database } = { database: '' }] = addresses
  for (const connection of servers) await assertTarget(connection, database, target)
  await assertSameShards(servers, database)
  const create = render(`CREATE DATABASE IF NOT EXISTS \`${database}\` $ON`, target)
  for (const connection of isOnCluster(create) ? servers.slice(0, 1) : servers) await execute(connection, create)
}

async function appliedMigrations(connection: ClickHouseConnection): Promise<Map<string, string>> {
  const rows = await select<{ name: string; sha256: string }>(connection, 'SELECT name, sha256 FROM schema_migrations FINAL')
  return new Map(rows.map(({ name, sha256 }) => [name, sha256]))
}

function refuseDifferences(migrations: readonly Migration[], applied: ReadonlyMap<string, string>): void {
  const known = new Map(migrations.map(({ name, sha256 }) => [name, sha256]))
  for (const [name, sum] of applied) {
    const expected = known.get(name)
    if (name === VIEWS || expected === sum) continue
    if (expected === undefined) {
      throw new OrreryError(
        'invalid',
        'schema_newer_than_code',
        `The database was migrated by a newer Orrery: it has ${name}, which this build does not have. Nothing was changed. Run the newer version.`,
        { context: { migration: name } },
      )
    }
    throw new OrreryError(
      'invalid',
      'migration_changed',
      `The migration ${name} was changed after it had been applied. Nothing was done. Restore the file, and put the change into a new one.`,
      { context: { migration: name } },
    )
  }
}

async function renewViews(shards: readonly Shard[], target: SchemaTarget): Promise<void> {
  for (const shard of shards) {
    const { connection, applied } = shard
    await dropUnfinishedViews(connection)
    const statements = viewStatements(await select<TableColumn>(connection, TABLE_COLUMNS_SQL)).map((sql) => render(sql, target))
    const sum = sha256(statements.join(';\n'))
    if (sum === applied.get(VIEWS)) continue
    for (const statement of statements) if (shard === shards[0] || !isOnCluster(statement)) await execute(connection, statement, VIEWS)
    await record(connection, VIEWS, sum)
  }
}

/** `CREATE OR REPLACE VIEW` makes the view under a name of its own first. An engine that is killed before the two are exchanged keeps that one. */
async function dropUnfinishedViews(connection: ClickHouseConnection): Promise<void> {
  const unfinished = await select<{ name: string }>(
    connection,
    "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine = 'View' AND startsWith(name, '_tmp_replace_')",
  )
  for (const { name } of unfinished) await execute(connection, `DROP VIEW IF EXISTS \`${name}\``, VIEWS)
}

async function record(connection: ClickHouseConnection, name: string, sum: string): Promise<void> {
  const values = [[name, sum, new Date().toISOString()]]
  await connection.attempt(name, () => connection.client.insert({ table: 'schema_migrations', values, format: 'JSONCompactEachRow' }))
}

async function execute(connection: ClickHouseConnection, query: string, name = 'migrate'): Promise<void> {
  await connection.attempt(name, () => connection.client.command({ query, clickhouse_settings: SHOWS_PROGRESS }))
}

async function select<Row>(connection: ClickHouseConnection, query: string): Promise<Row[]> {
  return connection.attempt('migrate', async () => (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>())
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
