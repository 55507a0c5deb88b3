import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import { afterAll, beforeAll } from 'vitest'
import { copyContract } from './copy-contract.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-copy-'))
let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await server[Symbol.asyncDispose]()
})

const sqlite = async (): Promise<string> => `sqlite:${join(folder, `${randomUUID()}.sqlite`)}`
const postgres = (): Promise<string> => server.database()
copyContract('SQLite to PostgreSQL', sqlite, postgres)
copyContract('PostgreSQL to SQLite', postgres, sqlite)
