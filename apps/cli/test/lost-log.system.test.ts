import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-lost-log-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('an event log that was lost is written again from the source, and the read model goes on where it was', async () => {
  const half = shortLake(join(folder, 'half'), 3)
  const whole = shortLake(join(folder, 'whole'), 6)
  // Not the default, which a new log would have.
  const divided = ['--partitions', '2']
  const expected = await contentsAfter([...upArguments(whole, join(folder, 'never-lost')), ...divided])

  const data = join(folder, 'lost')
  await contentsAfter([...upArguments(half, data), ...divided])
  rmSync(join(data, 'log'), { recursive: true })
  {
    await using run = new Orrery(upArguments(whole, data))
    const { clickhouseUrl } = await run.result<Ready>()
    expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: whole.lastLedger })
    const contents = await viewContents(clickhouseUrl)
    expect(Object.keys(contents)).toEqual(Object.keys(expected))
    for (const [view, rows] of Object.entries(expected)) expect(contents[view] === rows, view).toBe(true)
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }
  const verified = await orrery(['verify', '--data', data, '--lake', whole.directory, '--json'])
  expect(JSON.parse(verified.stdout[0] ?? '{}'), verified.stderr).toMatchObject({ verdict: 'equal', toLedger: whole.lastLedger })
  // And a replay reads the new log from its beginning.
  const replayed = await orrery(['replay', 'soroswap', '--data', data, '--activate', '--json'])
  expect(JSON.parse(replayed.stdout[0] ?? '{}'), replayed.stderr).toMatchObject({ outcome: 'activated', ledger: whole.lastLedger })
  const same = await orrery(['diff', 'soroswap', '1', '2', '--data', data, '--json'])
  expect(JSON.parse(same.stdout[0] ?? '{}'), same.stderr).toMatchObject({ isEqual: true })
})
