import { randomUUID } from 'node:crypto'
import { expect, it } from 'vitest'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { backUpDatabase } from './back-up-database.ts'

const databases = withDatabases()

it('a backup that is stopped ends in the engine as well before its reason is thrown, and the next one is written', async () => {
  const admin = (await databases.database()).connect('admin')
  const reason = new Error('stopped')
  await expect(backUpDatabase(admin, randomUUID(), AbortSignal.abort(reason))).rejects.toBe(reason)
  const name = randomUUID()
  await backUpDatabase(admin, name, new AbortController().signal)
  const query =
    'SELECT name LIKE {name:String} AS isNext, status FROM system.backups WHERE name LIKE {name:String} OR status NOT LIKE {ended:String}'
  const found = await admin.client.query({ query, query_params: { name: `%${name}%`, ended: 'BACKUP_%' }, format: 'JSONEachRow' })
  expect(await found.json()).toEqual([1, 1].map((isNext) => ({ isNext, status: 'BACKUP_CREATED' })))
})
