import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { controlTopic, decodeControl, openLog } from '@orrery/event-log'
import { recording } from '@orrery/testkit'
import { expect, it } from 'vitest'
import { lakeWith, temporaryFolders } from '../test/folders.ts'
import { storedValues } from '../test/log-content.ts'
import { runIngest } from './main.ts'

const aFolder = temporaryFolders()

const environment = (more: Readonly<Record<string, string>> = {}) => ({
  ORRERY_NETWORK: recording().registryFile,
  ORRERY_LAKE: lakeWith(aFolder(), [0]),
  ORRERY_LOG: `lmdb:${aFolder()}`,
  ORRERY_INTERNAL_PORT: '0',
  ORRERY_LOG_LEVEL: 'silent',
  ...more,
})

it('the ingest process reads the lake of its environment into the log of its environment, and ends with the source', async () => {
  const env = environment({ ORRERY_FROM_LEDGER: '1000010', ORRERY_PARTITIONS_SOROSWAP: '2' })
  await runIngest(env)
  await using log = await openLog(env.ORRERY_LOG)
  const records = (await storedValues(log, { topic: controlTopic('forge-a'), partition: 0 })).flatMap(decodeControl)
  expect(records[0]).toMatchObject({ kind: 'start', firstLedger: 1_000_010, partitions: { soroswap: 2 } })
  expect(records.at(-1)).toEqual({ kind: 'source_end', ledger: 1_000_063 })
})

it('the ingest process reports every problem of its environment at once', async () => {
  await expect(
    runIngest({ ...environment(), ORRERY_LOG: '', ORRERY_FROM_LEDGER: '-1', ORRERY_LOG_RETENTION_DAYS: '0' }),
  ).rejects.toMatchObject({
    kind: 'invalid',
    code: 'invalid_environment',
    context: { variables: 'ORRERY_LOG ORRERY_FROM_LEDGER ORRERY_LOG_RETENTION_DAYS' },
  })
})

it('the ingest process leaves nothing open when its port is taken, and names the port', async () => {
  const taken = createServer().listen(0, '127.0.0.1')
  await once(taken, 'listening')
  const { port } = taken.address() as AddressInfo
  await expect(runIngest(environment({ ORRERY_INTERNAL_PORT: `${port}` }))).rejects.toThrow(`${port}`)
  taken.close()
})
