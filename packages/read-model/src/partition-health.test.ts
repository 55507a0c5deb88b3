import { expect, it } from 'vitest'
import { openStore } from './clickhouse-store.ts'
import { readPartitionHealth } from './partition-health.ts'
import { gapsInLog } from './queries/index.ts'
import { openReadModel } from './read-model.ts'
import type { HealthReport } from './store.ts'
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

it('gaps are those that partitions of the active version reported last', async () => {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  await using readModel = openReadModel(database.connect('api'))
  await store.activateIfNone('soroswap', 2, 3)
  const report = (partition: number, indexVersion: number, reportedAtMs: number, gap: HealthReport['gap']): HealthReport => ({
    ...{ protocol: 'soroswap', partition, indexVersion, reportedAtMs, gap, state: 'running', error: '' },
    ...{ checkpointLedger: 10, checkpointCloseTimeSeconds: 50, seenLedger: 12, seenCloseTimeSeconds: 60, sourceEnded: false },
    ...{ sourceHeardAtMs: 0, progressedAtMs: 0, errorsLastHour: 0, contractsTracked: 0 },
  })
  const read = () => readModel.query(gapsInLog, {}, TAG)
  await store.reportHealth([report(0, 2, 1_000, null), report(1, 1, 1_000, { after: 3, before: 5 })])
  expect(await read()).toEqual([])
  await store.reportHealth([report(2, 2, 2_000, { after: 10, before: 11 }), report(0, 2, 2_000, { after: 0, before: 4_000_000_000 })])
  expect(await read()).toEqual([
    { protocol: 'soroswap', partition: 0, gap_after: 0, gap_before: 4_000_000_000 },
    { protocol: 'soroswap', partition: 2, gap_after: 10, gap_before: 11 },
  ])
  await store.reportHealth([report(0, 2, 3_000, null)])
  expect(await read()).toMatchObject([{ partition: 2 }])
})
