import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, it } from 'vitest'
import { KEPT_FILES } from '../src/backup/files.ts'
import { LOCK_FILES, takeLock } from '../src/data-folder.ts'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake, withOnly } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-backup-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const half = withOnly('soroswap', shortLake(join(folder, 'half'), 1))
const whole = withOnly('soroswap', shortLake(join(folder, 'whole'), 4))
const data = join(folder, 'data')
const stopped = join(folder, 'backup-of-stopped')
const running = join(folder, 'backup-of-running')
/** Where the engine writes a backup, before it is moved out. */
const place = join(data, 'clickhouse', 'data', 'backups')
const KILLED = 'of-a-command-that-was-killed'

/** The only line of a command's result. */
async function result(command: string, ...args: readonly string[]): Promise<Record<string, unknown>> {
  const run = await orrery([command, '--data', data, ...args, '--json'])
  expect(run.code, run.stderr).toBe(0)
  return JSON.parse(run.stdout[0] ?? '')
}

/** Indexes what is left with the key of the folder, and reads every view; `meanwhile` runs while it indexes. */
async function upToTheEnd(meanwhile: (ready: Ready, run: Orrery) => Promise<void>): Promise<Record<string, string>> {
  await using run = new Orrery(upArguments(whole, data))
  const ready = await run.result<Ready>()
  await meanwhile(ready, run)
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

it('a data folder that was destroyed is restored from a backup: of a stopped system it verifies equal, of an indexing one it keeps its keys and goes on to the same rows', async () => {
  await contentsAfter(upArguments(half, data))
  mkdirSync(stopped, { mode: 0o755 })
  expect(await result('backup', '--output', stopped)).toMatchObject({ event: 'backed_up', ledger: half.lastLedger })
  let apiKey = ''
  const expected = await upToTheEnd(async (ready, run) => {
    run.signal('SIGSTOP') // it must not have caught up when the backup begins
    apiKey = ready.apiKey
    // As a command that was killed leaves it.
    mkdirSync(join(place, KILLED, 'rows'), { recursive: true, mode: 0o700 })
    const isNew = (name: string): boolean => name !== KILLED && !LOCK_FILES.test(name)
    const copying = result('backup', '--output', running)
    const over = copying.then(
      () => true,
      () => true,
    )
    while (!readdirSync(place).some(isNew)) if (await Promise.race([over, sleep(5, false)])) break
    run.signal('SIGCONT') // from here on rows are written while they are copied
    expect((await copying).ledger).toBeLessThan(whole.lastLedger)
    const { lock } = takeLock(place)
    const refused = await orrery(['backup', '--data', data, '--output', join(folder, 'second')])
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('Another `orrery backup`') })
    lock.close()
  })
  // Both hold secrets, and the engine keeps no copy.
  expect([stopped, running].map((backup) => statSync(backup).mode & 0o077)).toEqual([0, 0])
  expect(readdirSync(place).filter((name) => !LOCK_FILES.test(name))).toEqual([])
  const secrets = keptFiles()

  const refused = await orrery(['restore', '--backup', stopped, '--data', data])
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') })
  const restored = async (backup: string): Promise<unknown> => {
    rmSync(data, { recursive: true })
    const { ledger } = await result('restore', '--backup', backup)
    expect(keptFiles()).toEqual(secrets)
    return ledger
  }
  expect(await restored(stopped)).toBe(half.lastLedger)
  expect(await result('verify', '--lake', half.directory)).toMatchObject({ verdict: 'equal', toLedger: half.lastLedger })

  await restored(running)
  const contents = await upToTheEnd(async ({ url }) => {
    const answer = await fetch(`${url}/v1/protocols`, { headers: { 'x-service-api-key': apiKey, connection: 'close' } })
    expect(answer.status, await answer.text()).toBe(200)
  })
  expect(contents).toEqual(expected)
})
