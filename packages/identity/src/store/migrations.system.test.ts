import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import { PostgresDialect } from 'kysely'
import { afterAll, beforeAll } from 'vitest'
import { migrationsContract } from './migrations-contract.ts'
import { openPostgresPool } from './postgres-pool.ts'

let server: PostgresServer
beforeAll(async () => {
  server = await startPostgres()
})
afterAll(() => server[Symbol.asyncDispose]())

migrationsContract('PostgreSQL', {
  openers: 3,
  make: async () => {
    const url = await server.database()
    return { url, dialect: new PostgresDialect({ pool: async () => openPostgresPool(url) }) }
  },
})
