import { type PostgresServer, startPostgres } from '@orrery/testkit/servers'
import { afterAll, beforeAll } from 'vitest'
import { injectionsContract } from './testing/injections-contract.ts'

let postgres: PostgresServer
beforeAll(async () => {
  postgres = await startPostgres()
})
afterAll(() => postgres[Symbol.asyncDispose]())

injectionsContract('SQLite', async () => ({}))
injectionsContract('PostgreSQL', async () => ({ identityUrl: await postgres.database() }))
