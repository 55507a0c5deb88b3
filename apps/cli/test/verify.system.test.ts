import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLog } from '@orrery/event-log'
import { lakeSource } from '@orrery/ingest'
import { loadNetwork } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { afterAll, expect, it } from 'vitest'
import { verifyIndex } from '../src/verify/verify-index.ts'
import { readFileSync } from 'node:fs'
import { IndexedNetwork } from './indexed-network.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('an undamaged index is equal', async () => {
  const lake = shortLake(join(folder, 'lake'), Number(process.env.FILES ?? 6))
  const data = join(folder, 'data')
  await using index = await IndexedNetwork.of({ registry: JSON.parse(readFileSync(lake.registry, 'utf8')), lake: lake.directory, data })
  await using log = await openLog(`lmdb:${join(data, 'log')}`)
  const t = Date.now()
  const found = await verifyIndex(
    { network: await loadNetwork(lake.registry), log, clickhouse: index.system.clickhouse.address('admin') },
    {
      sample: 0,
      source: lakeSource(lake.directory),
      nowMs: Date.now,
      onProgress: () => undefined,
      logger: createLogger({ name: 'test', level: 'silent', json: true }),
      metrics: createMetrics(),
    },
  )
  console.log(JSON.stringify(found, null, 1).slice(0, 6000), Date.now() - t)
  expect(found.verdict).toBe('equal')
}, 600_000)
