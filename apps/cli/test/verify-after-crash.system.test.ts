import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openClickHouse } from '@orrery/read-model'
import { afterAll, expect, it } from 'vitest'
import { readRunning } from '../src/running-file.ts'
import { Orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-after-crash-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const lake = shortLake(join(folder, 'lake'), 3)

async function verdictOf({ url, apiKey }: Ready): Promise<unknown> {
  const response = await fetch(`${url}/v1/health`, { headers: { 'x-service-api-key': apiKey, connection: 'close' } })
  return ((await response.json()) as { data: { verify: unknown } }).data.verify
}

/** Indexes everything, runs `damage` on the engine, and is killed. */
async function killed(data: string, damage?: string): Promise<void> {
  await using run = new Orrery(upArguments(lake, data))
  await run.result<Ready>()
  await run.result()
  const address = readRunning(data)?.admin
  if (damage !== undefined && address !== undefined) {
    await using connection = openClickHouse(address)
    await connection.client.command({ query: damage, clickhouse_settings: { mutations_sync: '1' } })
  }
  run.signal('SIGKILL')
  await run.exited
}

it('after a kill the last hour is verified in the background, and not after a clean end', async () => {
  const data = join(folder, 'equal')
  await killed(data)
  {
    await using run = new Orrery(upArguments(lake, data))
    const ready = await run.result<Ready>()
    await expect.poll(() => verdictOf(ready), { timeout: 120_000 }).toMatchObject({ verdict: 'equal', to_ledger: lake.lastLedger })
    expect(run.stderr).toMatch(/ended_uncleanly/)
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }
  await using run = new Orrery(upArguments(lake, data))
  await run.result<Ready>()
  await run.result()
  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
  expect(run.stderr).not.toMatch(/ended_uncleanly/)
})

it('rows that a crash lost are found, and the log names what to do', async () => {
  const data = join(folder, 'different')
  await killed(data, `ALTER TABLE orrery.pool_snapshots_v1 DELETE WHERE ledger > ${lake.lastLedger - 20}`)
  await using run = new Orrery(upArguments(lake, data))
  const ready = await run.result<Ready>()
  await expect.poll(() => verdictOf(ready), { timeout: 120_000 }).toMatchObject({ verdict: 'different', differences: expect.any(Number) })
  await run.waitForStderr(/(index_differs)/)
  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
})

it('a stop ends the verification, and the option leaves it out', async () => {
  const data = join(folder, 'stopped')
  await killed(data)
  await using run = new Orrery([...upArguments(lake, data), '--skip-verify'])
  await run.result<Ready>()
  await run.result()
  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
  expect(run.stderr).not.toMatch(/ended_uncleanly/)
})

it('a run that is killed while it verifies leaves the data folder free for the next one', async () => {
  const data = join(folder, 'killed-again')
  await killed(data)
  // While the verification starts, reads and compares.
  for (const afterMs of [0, 150, 300, 600, 1_200, 2_400]) {
    await using run = new Orrery(upArguments(lake, data))
    await run.waitForStderr(/(ended_uncleanly)/)
    await delay(afterMs) // the moment is what is tested
    run.signal('SIGKILL')
    await run.exited
  }
  await using run = new Orrery([...upArguments(lake, data), '--exit-when-caught-up'])
  expect(await run.exited, run.stderr).toBe(0)
})
