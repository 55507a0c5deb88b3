import { expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { activateIndexVersion, retireIndexVersion } from './index-versions.ts'

const databases = withDatabases()

it('processes that begin a version at the same time get the same one, and those of another adapter version get another number', async () => {
  const database = await databases.database()
  const begin = async (adapterVersion: number) => {
    await using store = openStore(database.connect('writer'))
    return store.findOrCreateIndexVersion({ protocol: 'soroswap', adapterVersion, partitions: 4, purpose: 'upgrade' })
  }
  for (const [adapterVersion, indexVersion] of [
    [3, 1],
    [4, 2],
  ] as const) {
    const begun = await Promise.all(Array.from({ length: 6 }, () => begin(adapterVersion)))
    expect(begun).toEqual(begun.map(() => expect.objectContaining({ adapterVersion, indexVersion })))
  }
  await using store = openStore(database.connect('writer'))
  expect((await store.indexVersions('soroswap')).map(({ purpose }) => purpose)).toEqual(['index', 'upgrade'])
})

it('a version that another process has begun since it was looked for is written on, with all that is known of it', async () => {
  const database = await databases.database()
  await using store = openStore(database.connect('writer'))
  const wanted = { protocol: 'soroswap', adapterVersion: 3, partitions: 4, purpose: 'upgrade' } as const
  const first = await store.findOrCreateIndexVersion(wanted)
  await store.activateIfNone('soroswap', first.indexVersion, 4)
  expect(await store.findOrCreateIndexVersion(wanted)).toMatchObject({ indexVersion: 1, purpose: 'index', isActive: true })
})

it('an unfinished replay is continued; after its activation another one gets another number', async () => {
  const database = await databases.database()
  await using store = openStore(database.connect('writer'))
  const wanted = { protocol: 'soroswap', adapterVersion: 3, partitions: 1 } as const
  const first = await store.findOrCreateIndexVersion({ ...wanted, purpose: 'upgrade' })
  await store.activateIfNone('soroswap', first.indexVersion, 1)
  const replay = await store.findOrCreateIndexVersion({ ...wanted, purpose: 'replay' })
  expect(replay).toMatchObject({ indexVersion: 2, purpose: 'replay' })
  expect(await store.findOrCreateIndexVersion({ ...wanted, purpose: 'replay' })).toEqual(replay)
  const at = { ledger: 20, closeTimeSeconds: 1_700_000_000, offset: 1n, rollingHash: '0'.repeat(16) }
  await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 2, at)
  expect(await store.activateIfComplete(replay)).toBe(true)
  expect(await store.findOrCreateIndexVersion({ ...wanted, purpose: 'replay' })).toMatchObject({ indexVersion: 3 })
})

it('a retired version is not activated, not even when forced, and an active one is not retired', async () => {
  const database = await databases.database()
  const connection = database.connect('writer')
  await using store = openStore(connection)
  const first = await store.findOrCreateIndexVersion({ protocol: 'soroswap', adapterVersion: 3, partitions: 1, purpose: 'upgrade' })
  const second = await store.findOrCreateIndexVersion({ protocol: 'soroswap', adapterVersion: 4, partitions: 1, purpose: 'upgrade' })
  await store.activateIfNone('soroswap', first.indexVersion, 1)
  const admin = database.connect('admin')
  // As two operators would at once: each goes by what was read before the other decided.
  expect(await retireIndexVersion(admin, first)).toBe(false)
  expect(await retireIndexVersion(admin, second)).toBe(true)
  expect(await activateIndexVersion(admin, second, true)).toBe(false)
  const versions = await store.indexVersions('soroswap')
  expect(versions.map(({ isActive, isRetired }) => [isActive, isRetired])).toEqual([
    [true, false],
    [false, true],
  ])
})
