import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-verify-command-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('verifies the data folder of a running up, and of a stopped one; the last verdict is in health', async () => {
  const lake = shortLake(join(folder, 'lake'), 3)
  const data = join(folder, 'data')
  const args = ['verify', '--data', data, '--lake', lake.directory]
  {
    await using run = new Orrery(upArguments(lake, data))
    const { url, apiKey } = await run.result<Ready>()
    await run.result()
    const verified = await orrery([...args, '--json'])
    expect(verified.code, verified.stderr).toBe(0)
    expect(JSON.parse(verified.stdout[0] ?? '')).toMatchObject({ event: 'verified', verdict: 'equal', tables: [], findings: [] })
    const health = await fetch(`${url}/v1/health`, { headers: { 'x-service-api-key': apiKey, connection: 'close' } })
    expect(await health.json()).toMatchObject({ data: { verify: { verdict: 'equal', to_ledger: lake.lastLedger, differences: 0 } } })
    run.signal('SIGTERM')
    expect(await run.exited, run.stderr).toBe(0)
  }
  const stopped = await orrery([...args, '--to', String(lake.lastLedger - 10)])
  expect(stopped.code, stopped.stderr).toBe(0)
  expect(stopped.stdout.join('\n')).toMatch(/rows +equal/)
})

it('a folder without an index is refused with code 2', async () => {
  const { code, stderr } = await orrery(['verify', '--data', join(folder, 'nothing')])
  expect(code).toBe(2)
  expect(stderr).toMatch(/There is no index in the data folder/)
})
