import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-up-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('`orrery up` prints where it listens, answers /v1/health with the last ledger of its lake, and ends with 0 at SIGTERM', async () => {
  const lake = shortLake(join(folder, 'lake'), 2)
  await using run = new Orrery(upArguments(lake, join(folder, 'data')))
  const { url, apiKey } = await run.result<Ready>()
  expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: lake.lastLedger })
  const health = await fetch(`${url}/v1/health`, { headers: { connection: 'close', 'x-service-api-key': apiKey } })
  expect([health.status, await health.json()]).toMatchObject([200, { meta: { last_indexed_ledger: lake.lastLedger } }])
  run.signal('SIGTERM')
  expect(await run.exited).toBe(0)
})
