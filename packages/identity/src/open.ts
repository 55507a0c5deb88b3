// From a URL to a driver, with its tables made: `sqlite:<file>` or `postgres://user:password@host/database`.

import { OrreryError } from '@orrery/errors'
import { type Dialect, Kysely, PostgresDialect, SqliteDialect, sql } from 'kysely'
import { DEFAULT_MIGRATION_TABLE, Migrator } from 'kysely/migration'
import type { Identity } from './identity.ts'
import { kyselyIdentity } from './store/kysely-identity.ts'
import { MIGRATIONS } from './store/migrations.ts'
import { openNodeSqlite } from './store/node-sqlite.ts'
import type { Tables } from './store/tables.ts'

interface Driver {
  readonly dialect: Dialect
  /** Begins a transaction that reads one state, and in which no other connection changes it where the database can lock the whole. */
  readonly beginUnchanged: string
  /** Runs the migrations in one process at a time. On PostgreSQL kysely takes an advisory lock. */
  alone(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<void>): Promise<void>
}

/**
 * `now`: unix milliseconds. Errors: `invalid`/`unknown_identity_url`, `invalid`/`identity_refused`, `unavailable`/`identity_unreachable`,
 * `corrupt`/`identity_unreadable`, `invalid`/`identity_newer_than_code` when the database has migrations that this code does not know.
 */
export async function openIdentity(url: string, now: () => number = Date.now): Promise<Identity> {
  const { db } = await openDatabase(url)
  return kyselyIdentity(db, now)
}

export interface OpenDatabase extends AsyncDisposable {
  readonly db: Kysely<Tables>
  /** Every statement of `work` reads the same state. */
  whileUnchanged<T>(work: (db: Kysely<Tables>) => Promise<T>): Promise<T>
}

/** The tables behind `openIdentity`, migrated, for what is no operation of the port. The same errors. */
export async function openDatabase(url: string): Promise<OpenDatabase> {
  const { dialect, alone, beginUnchanged } = driverOf(url)
  const db = new Kysely<Tables>({ dialect })
  try {
    await alone(db, migrate)
  } catch (error) {
    await db.destroy()
    throw error
  }
  return {
    db,
    whileUnchanged: (work) =>
      db.connection().execute(async (connection) => {
        await sql.raw(beginUnchanged).execute(connection)
        try {
          return await work(connection)
        } finally {
          await sql`ROLLBACK`.execute(connection) // it has only read
        }
      }),
    [Symbol.asyncDispose]: () => db.destroy(),
  }
}

async function migrate(db: Kysely<Tables>): Promise<void> {
  const { error } = await new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } }).migrateToLatest()
  if (error === undefined) return
  // Kysely refuses a migration that it does not find, with a message that blames the database.
  const unknown = await unknownStep(db).catch(() => null)
  if (unknown === null) throw error
  const message = `The database of organizations and keys was migrated by a newer Orrery: it has ${unknown}, which this build does not have. Nothing was changed. Run the newer version.`
  throw new OrreryError('invalid', 'identity_newer_than_code', message, { cause: error, context: { migration: unknown } })
}

/** The last migration of the database, when this code does not have it; else null. */
async function unknownStep(db: Kysely<Tables>): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`SELECT name FROM ${sql.table(DEFAULT_MIGRATION_TABLE)} ORDER BY name DESC`.execute(db)
  const [last] = rows
  return last === undefined || Object.hasOwn(MIGRATIONS, last.name) ? null : last.name
}

function driverOf(url: string): Driver {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    const file = url.slice('sqlite:'.length)
    const dialect = new SqliteDialect({ database: async () => openNodeSqlite(file) })
    return { dialect, alone: aloneOnSqlite, beginUnchanged: 'BEGIN IMMEDIATE' }
  }
  if (/^postgres(ql)?:\/\//.test(url) && URL.canParse(url)) {
    // Only a process with PostgreSQL needs its client.
    const pool = async () => (await import('./store/postgres-pool.ts')).openPostgresPool(url)
    const dialect = new PostgresDialect({ pool })
    return { dialect, alone: (db, work) => work(db), beginUnchanged: 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY' }
  }
  const message = `\`${url.split(':')[0]}:\` is not a database of organizations and keys that this build knows. Use \`sqlite:<file>\` or \`postgres://user:password@host/database\`.`
  throw new OrreryError('invalid', 'unknown_identity_url', message)
}

/** `orrery up` and `orrery org` may open the same new file at once. */
async function aloneOnSqlite(db: Kysely<Tables>, work: (db: Kysely<Tables>) => Promise<void>): Promise<void> {
  await db.connection().execute(async (connection) => {
    await sql`BEGIN IMMEDIATE`.execute(connection)
    try {
      await work(connection)
      await sql`COMMIT`.execute(connection)
    } catch (error) {
      await sql`ROLLBACK`.execute(connection)
      throw error
    }
  })
}
