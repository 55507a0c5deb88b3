import { expect, it } from 'vitest'
import { openStore } from './clickhouse-store.ts'
import { readPartitionHealth } from './partition-health.ts'
import { openReadModel } from './read-model.ts'
import { withDatabases } from './testing/index.ts'

const databases = withDatabases()
const TAG = { tag: { route: 'test', requestId: 'test' } }

it('a version that is folded beside the active one is shown with its checkpoints, until it is active', async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  await using readModel = openReadModel(database.connect('api'))
  await store.activateIfNone('soroswap', 3, 2)
  const read = () => readPartitionHealth(readModel, TAG)
  expect(await read()).toMatchObject([
    { partition: 0, index_version: 3, adapter_version: 3, replay_index_version: 0, replay_ledger: 0 },
    { partition: 1, index_version: 3, adapter_version: 3, replay_index_version: 0, replay_ledger: 0 },
  ])

  const made = await store.findOrCreateIndexVersion({ protocol: 'soroswap', adapterVersion: 9, partitions: 2, purpose: 'upgrade' })
  expect(made).toMatchObject({ indexVersion: 4, adapterVersion: 9, purpose: 'upgrade', isActive: false })
  const at = { closeTimeSeconds: 1_700_000_000, offset: 1n, rollingHash: '0'.repeat(16) }
  await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 4, { ledger: 20, ...at })
  expect(await read()).toMatchObject([
    { partition: 0, index_version: 3, adapter_version: 3, replay_index_version: 4, replay_adapter_version: 9, replay_ledger: 20 },
    { partition: 1, index_version: 3, adapter_version: 3, replay_index_version: 4, replay_adapter_version: 9, replay_ledger: 0 },
  ])

  await store.moveCheckpoint({ protocol: 'soroswap', partition: 1 }, 4, { ledger: 20, ...at })
  expect(await store.activateIfComplete(made)).toBe(true)
  expect(await read()).toMatchObject([
    { partition: 0, index_version: 4, adapter_version: 9, replay_index_version: 0 },
    { partition: 1, index_version: 4, adapter_version: 9, replay_index_version: 0 },
  ])
})
