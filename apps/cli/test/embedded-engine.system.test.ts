import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { type ShortLake, shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-embedded-'))
const data = join(folder, 'data')
let lake: ShortLake

beforeAll(() => {
  lake = shortLake(join(folder, 'lake'), 6)
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function ask(clickhouseUrl: string, statement: string): Promise<string> {
  const { origin, username, password } = new URL(clickhouseUrl)
  const authorization = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  const response = await fetch(origin, { method: 'POST', body: statement, headers: { authorization, connection: 'close' } })
  return await response.text()
}

/** Processes that the process `pid` started. */
function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)
}

describe.runIf(process.platform === 'linux')('ClickHouse inside of `orrery up`', () => {
  it('opens none of the files of `up` for an analyst, is asked by /readyz and by `orrery status`, and ends `up` with 75 when it dies', async () => {
    await using run = new Orrery(upArguments(lake, data))
    const ready = await run.result<Ready & { clickhouseRefusal: string | null }>()
    expect(ready.clickhouseRefusal).toBeNull()
    await run.result()

    for (const name of ['secrets.json', 'token-keys.pem', 'identity.sqlite', 'running.json', 'owner.pid', 'clickhouse/passwords.json']) {
      expect(statSync(join(data, name)).size, name).toBeGreaterThan(0)
      expect(await ask(ready.clickhouseUrl, `SELECT file('${join(data, name)}')`), name).toMatch(/^Code: 76\..*Permission denied/)
    }

    const running = readFileSync(join(data, 'running.json'), 'utf8')
    expect(statSync(join(data, 'running.json')).mode & 0o777).toBe(0o600)
    expect(JSON.parse(running)).toMatchObject({ status: { user: 'status' } })
    expect(running).not.toContain(new URL(ready.clickhouseUrl).password)
    const status = await orrery(['status', '--json', '--data', data])
    expect(JSON.parse(status.stdout[0] ?? '')).toMatchObject({ event: 'status', watermark: lake.lastLedger })
    const health = await fetch(`${ready.url}/v1/health`, { headers: { 'x-service-api-key': ready.apiKey } })
    expect(await health.json()).toMatchObject({ data: { database: 'ok' } })

    const probe = async () => {
      const response = await fetch(`${ready.internalUrl}/readyz`)
      return [response.status, await response.text()]
    }
    const [engine = 0] = childrenOf(Number(readFileSync(join(data, 'owner.pid'), 'utf8')))
    expect(await probe()).toEqual([200, 'ok\n'])
    process.kill(engine, 'SIGSTOP')
    await expect.poll(probe).toEqual([503, 'ClickHouse does not answer (no answer within 2 s)\n'])
    process.kill(engine, 'SIGCONT')
    await expect.poll(probe).toEqual([200, 'ok\n'])

    process.kill(engine, 'SIGKILL')
    expect(await run.exited).toBe(75)
    expect(run.stderr).toContain('The embedded ClickHouse engine ended by itself. What was written is safe')
  })
})
