import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake, withOnly } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const half = withOnly('soroswap', shortLake(join(folder, 'half'), 2))
const whole = withOnly('soroswap', shortLake(join(folder, 'whole'), 4))
const data = join(folder, 'data')
const stopped = join(folder, 'backup-of-stopped')
const running = join(folder, 'backup-of-running')

/** The only line of a command's result. */
async function result(command: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const run = await orrery([command, '--data', data, ...args, '--json'])
  expect(run.code, run.stderr).toBe(0)
  return JSON.parse(run.stdout[0] ?? '')
}

/** Indexes what is left with the key of the folder, and reads every view; `meanwhile` runs while it indexes. */
async function upToTheEnd(meanwhile: (ready: Ready) => Promise<void>): Promise<Record<string, string>> {
  await using run = new Orrery(upArguments(whole, data))
  const ready = await run.result<Ready>()
  await meanwhile(ready)
  expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: whole.lastLedger })
  const contents = await viewContents(ready.clickhouseUrl)
  run.signal('SIGTERM')
  expect(await run.exited, run.stderr).toBe(0)
  return contents
}

it('a data folder that was destroyed is restored from a backup of a stopped or an indexing system, verifies equal, keeps its keys, and goes on to the same rows', async () => {
  await contentsAfter(upArguments(half, data))
  expect(await result('backup', '--output', stopped)).toMatchObject({ event: 'backed_up', ledger: half.lastLedger })
  let apiKey = ''
  const expected = await upToTheEnd(async (ready) => {
    apiKey = ready.apiKey
    await result('backup', '--output', running)
  })
  // Both hold secrets, and the engine keeps no copy.
  expect([stopped, running].map((backup) => statSync(backup).mode & 0o077)).toEqual([0, 0])
  expect(existsSync(join(data, 'clickhouse', 'data', 'backups', 'backup'))).toBe(false)

  const refused = await orrery(['restore', '--backup', stopped, '--data', data])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') })
  for (const backup of [stopped, running]) {
    rmSync(data, { recursive: true })
    const { ledger } = await result('restore', '--backup', backup)
    if (backup === stopped) {
      expect(ledger).toBe(half.lastLedger)
      expect(await result('verify', '--lake', half.directory)).toMatchObject({ verdict: 'equal', toLedger: half.lastLedger })
    }
    const contents = await upToTheEnd(async ({ url }) => {
      const answer = await fetch(`${url}/v1/protocols`, { headers: { 'x-service-api-key': apiKey, connection: 'close' } })
      expect(answer.status, await answer.text()).toBe(200)
    })
    expect(contents).toEqual(expected)
  }
})
