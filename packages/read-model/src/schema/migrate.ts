// Forward-only migrations: numbered files, applied once, recorded with their checksum.
// ClickHouse has no transactional DDL, so every statement is safe to run again and a file is recorded after its last one.
// One migrator at a time: the command line runs it before anything else starts.

import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { OrreryError } from '@orrery/errors'
import { type ClickHouseAddress, type ClickHouseConnection, type ConnectionOptions, openClickHouse } from '../connection.ts'
import { render, type SchemaTarget, statementsOf } from './render.ts'
import { TABLE_COLUMNS_SQL, type TableColumn, viewStatements } from './views.ts'

export interface MigrateOptions {
  /** Default: the embedded engine or one server. */
  readonly target?: SchemaTarget
  /** Where the files are. Default: those of this package. */
  readonly folder?: string
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
 * @throws OrreryError `invalid`/`migration_changed` when an applied file was changed,
 *   `invalid`/`schema_newer_than_code` when the database has files that this code does not.
 */
export async function migrate(
  address: ClickHouseAddress & Pick<ConnectionOptions, 'gone'>,
  options: MigrateOptions = {},
): Promise<string[]> {
  const target = options.target ?? { kind: 'single' }
  const migrations = readMigrations(options.folder ?? OWN_FOLDER, target)
  await createDatabase(address, target)
  await using connection = openClickHouse(address)
  await execute(connection, render(`${SCHEMA_MIGRATIONS}`, target))
  const applied = await appliedMigrations(connection)
  refuseDifferences(migrations, applied)
  const pending = migrations.filter(({ name }) => !applied.has(name))
  for (const migration of pending) {
    for (const statement of statementsOf(render(migration.sql, target))) await execute(connection, statement, migration.name)
    await record(connection, migration.name, migration.sha256)
  }
  await renewViews(connection, target, applied.get(VIEWS))
  return pending.map(({ name }) => name)
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

// The connection cannot name a database that does not exist yet.
async function createDatabase(address: ClickHouseAddress, target: SchemaTarget): Promise<void> {
  await using connection = openClickHouse({ ...address, database: 'system' })
  await execute(connection, render(`CREATE DATABASE IF NOT EXISTS \`${address.database}\` $ON`, target))
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

async function renewViews(connection: ClickHouseConnection, target: SchemaTarget, appliedSum: string | undefined): Promise<void> {
  const statements = viewStatements(await select<TableColumn>(connection, TABLE_COLUMNS_SQL)).map((sql) => render(sql, target))
  const sum = sha256(statements.join(';\n'))
  if (sum === appliedSum) return
  for (const statement of statements) await execute(connection, statement, VIEWS)
  await record(connection, VIEWS, sum)
}

async function record(connection: ClickHouseConnection, name: string, sum: string): Promise<void> {
  const values = [[name, sum, new Date().toISOString()]]
  await connection.attempt(name, () => connection.client.insert({ table: 'schema_migrations', values, format: 'JSONCompactEachRow' }))
}

async function execute(connection: ClickHouseConnection, query: string, name = 'migrate'): Promise<void> {
  await connection.attempt(name, () => connection.client.command({ query }))
}

async function select<Row>(connection: ClickHouseConnection, query: string): Promise<Row[]> {
  return connection.attempt('migrate', async () => (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>())
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
