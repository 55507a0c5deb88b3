import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { KEPT_FILES } from '../src/backup/files.ts'
import { LOCK_FILES, takeLock } from '../src/data-folder.ts'
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
/** Where the engine writes a backup, before it is moved out. */
const place = join(data, 'clickhouse', 'data', 'backups')

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

/** Bytes and mode of the registry and of every secret. */
function keptFiles(): readonly unknown[] {
  return KEPT_FILES.map((name) => [name, readFileSync(join(data, name), 'utf8'), statSync(join(data, name)).mode & 0o777])
}

it('a data folder that was destroyed is restored from a backup of a stopped or an indexing system, verifies equal, keeps its keys, and goes on to the same rows', async () => {
  await contentsAfter(upArguments(half, data))
  mkdirSync(stopped, { mode: 0o755 })
  expect(await result('backup', '--output', stopped)).toMatchObject({ event: 'backed_up', ledger: half.lastLedger })
  let apiKey = ''
  const expected = await upToTheEnd(async (ready) => {
    apiKey = ready.apiKey
    const { lock } = takeLock(place)
    const refused = await orrery(['backup', '--data', data, '--output', running])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Another `orrery backup`') })
    lock.close()
    // As a command that was killed leaves it.
    mkdirSync(join(place, 'of-a-command-that-was-killed', 'rows'), { recursive: true })
    await result('backup', '--output', running)
  })
  // Both hold secrets, and the engine keeps no copy.
  expect([stopped, running].map((backup) => statSync(backup).mode & 0o077)).toEqual([0, 0])
  expect(readdirSync(place).filter((name) => !LOCK_FILES.test(name))).toEqual([])
  const secrets = keptFiles()

  const refused = await orrery(['restore', '--backup', stopped, '--data', data])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') })
  for (const backup of [stopped, running]) {
    rmSync(data, { recursive: true })
    const { ledger } = await result('restore', '--backup', backup)
    expect(keptFiles()).toEqual(secrets)
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
