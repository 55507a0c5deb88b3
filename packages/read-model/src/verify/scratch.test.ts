import { expect, it } from 'vitest'
import { withDatabases } from '../testing/index.ts'
import { openScratch } from './scratch.ts'

const databases = withDatabases()

it('a deletion that reads the database and has not ended ends with it, so that later ones of its table do', async () => {
  const database = await databases.databaseOfTest()
  const { client } = database.connect('admin')
  const command = (query: string, mutations_sync = '0') => client.command({ query, clickhouse_settings: { mutations_sync } })
  await command("INSERT INTO state_v1 (protocol, contract, key, ledger) VALUES ('blend', 'C1', 'a', 1), ('blend', 'C1', 'b', 1)")
  {
    await using scratch = await openScratch(database.address('admin'), Date.now())
    await scratch.connection.client.command({ query: "CREATE TABLE keys ENGINE = MergeTree ORDER BY key AS SELECT 'a' AS key" })
    await command('SYSTEM STOP MERGES state_v1')
    await command(`ALTER TABLE state_v1 DELETE WHERE key IN (SELECT key FROM ${scratch.connection.database}.keys)`)
  }
  await command('SYSTEM START MERGES state_v1')
  await command("ALTER TABLE state_v1 DELETE WHERE key = 'b'", '1')
  const rows = await client.query({ query: 'SELECT key FROM state_v1', format: 'JSONEachRow' })
  expect(await rows.json()).toEqual([{ key: 'a' }])
})
