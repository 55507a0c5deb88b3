import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openNodeSqlite } from './node-sqlite.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-sqlite-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a write to a read-only database is `unavailable`', () => {
  const database = openNodeSqlite(join(folder, 'read-only.db'))
  database.prepare('PRAGMA query_only = ON').run([])
  const write = database.prepare('CREATE TABLE anything (id TEXT)')
  expect(() => write.run([])).toThrow(
    expect.objectContaining({ kind: 'unavailable', code: 'identity_unreachable', message: expect.stringContaining('writable file') }),
  )
  database.close()
})

it('an SQL error of the caller is passed on unchanged', () => {
  const database = openNodeSqlite(join(folder, 'mistake.db'))
  expect(() => database.prepare('SELECT nothing FROM nowhere')).toThrow(expect.not.objectContaining({ code: 'identity_unreachable' }))
  database.close()
})
