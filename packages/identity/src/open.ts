// From a URL to a driver, with its tables made. `sqlite:<file>` today; PostgreSQL is another line here and the same suite.

import { OrreryError } from '@orrery/errors'
import { type Dialect, Kysely, SqliteDialect } from 'kysely'
import { Migrator } from 'kysely/migration'
import type { Identity } from './identity.ts'
import { kyselyIdentity } from './kysely-identity.ts'
import { MIGRATIONS } from './migrations.ts'
import { openNodeSqlite } from './node-sqlite.ts'
import type { Tables } from './tables.ts'

/** `now`: unix milliseconds. Errors: `invalid`/`unknown_identity_url`, `unavailable`/`identity_unreachable`. */
export async function openIdentity(url: string, now: () => number = Date.now): Promise<Identity> {
  const db = new Kysely<Tables>({ dialect: dialectOf(url) })
  try {
    const { error } = await new Migrator({ db, provider: { getMigrations: async () => ({ ...MIGRATIONS }) } }).migrateToLatest()
    if (error !== undefined) throw error
    return kyselyIdentity(db, now)
  } catch (error) {
    await db.destroy()
    throw error
  }
}

function dialectOf(url: string): Dialect {
  if (url.startsWith('sqlite:') && url.length > 'sqlite:'.length) {
    return new SqliteDialect({ database: async () => openNodeSqlite(url.slice('sqlite:'.length)) })
  }
  const message = `\`${url.split(':')[0]}:\` is not a database of organizations and keys that this build knows. Use \`sqlite:<file>\`.`
  throw new OrreryError('invalid', 'unknown_identity_url', message)
}
