import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SqliteDialect } from 'kysely'
import { afterAll } from 'vitest'
import { migrationsContract } from './migrations-contract.ts'
import { openNodeSqlite } from './node-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-older-'))
afterAll(() => rmSync(folder, { recursive: true }))

migrationsContract('SQLite', {
  // Node's SQLite waits for a lock without letting go of the thread, so several at once are several processes: see `open.test.ts`.
  openers: 1,
  make: async () => {
    const file = join(folder, `${randomUUID()}.db`)
    return { url: `sqlite:${file}`, dialect: new SqliteDialect({ database: async () => openNodeSqlite(file) }) }
  },
})
