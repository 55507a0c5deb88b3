import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { contentsAfter, Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { type ShortLake, shortLake } from './short-lake.ts'
import { viewContents } from './view-contents.ts'

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
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

/** The process of the engine that `up` has started. */
function engineBelow(up: number): number {
  const [engine] = childrenOf(up)
  if (engine === undefined) throw new Error(`the process ${up} has no engine`)
  return engine
}

describe.runIf(process.platform === 'linux')('ClickHouse inside of `orrery up`', () => {
  it('ClickHouse inside of `orrery up` opens none of the files of `up` for an analyst, and is asked by /readyz and by `orrery status`', async () => {
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
    const engine = engineBelow(Number(readFileSync(join(data, 'owner.pid'), 'utf8')))
    expect(await probe()).toEqual([200, 'ok\n'])
    process.kill(engine, 'SIGSTOP')
    await expect.poll(probe).toEqual([503, 'ClickHouse does not answer (no answer within 2 s)\n'])
    process.kill(engine, 'SIGCONT')
    await expect.poll(probe).toEqual([200, 'ok\n'])
  })
})

/**
 * Ends an engine as any process of the machine can: begins a request without a secret and resets the connection while the engine waits for the
 * rest of the headers. Whether it waits already cannot be seen from here, so it is done until the engine is gone.
 */
async function resetInHeaders(port: number, engine: number): Promise<void> {
  while (existsSync(`/proc/${engine}`)) {
    const { promise: closed, resolve } = Promise.withResolvers<void>()
    // The engine may be gone before the request is: an error is as good as the end.
    const socket = connect(port, '127.0.0.1').on('error', () => undefined)
    socket.on('close', () => resolve()).write('GET / HTTP/1.1\r\nhost: x\r\n')
    await delay(100)
    socket.resetAndDestroy()
    await closed
  }
}

interface EngineRestarted {
  readonly event: 'engine_restarted'
  readonly restarts: number
}

describe.runIf(process.platform === 'linux')('an embedded engine that ends by itself', () => {
  const dataOfRestarts = join(folder, 'restarts')
  const engineOf = (): number => engineBelow(Number(readFileSync(join(dataOfRestarts, 'owner.pid'), 'utf8')))
  const enginePort = (): number =>
    Number(new URL(JSON.parse(readFileSync(join(dataOfRestarts, 'running.json'), 'utf8')).status.url as string).port)

  it('an embedded engine that ends by itself is restarted by `orrery up` with the same addresses, keys and rows, until it has ended six times within ten minutes', async () => {
    await using run = new Orrery(upArguments(lake, dataOfRestarts))
    const ready = await run.result<Ready>()
    await run.result() // caught up
    const before = await viewContents(ready.clickhouseUrl)
    const health = async () => {
      const response = await fetch(`${ready.url}/v1/health`, { headers: { 'x-service-api-key': ready.apiKey } })
      return [response.status, await response.json()]
    }

    const engines = [engineOf()]
    for (let restarts = 1; restarts <= 5; restarts++) {
      // One of them as an attacker would do it, the others as the system does when memory is short.
      if (restarts === 2) await resetInHeaders(enginePort(), engineOf())
      else process.kill(engineOf(), 'SIGKILL')
      expect(await run.result<EngineRestarted>()).toEqual({ event: 'engine_restarted', restarts })
      engines.push(engineOf())
      expect(await health()).toMatchObject([200, { data: { database: 'ok' } }])
    }
    expect(new Set(engines).size).toBe(6)
    expect(await viewContents(ready.clickhouseUrl)).toEqual(before)
    await expect.poll(async () => (await fetch(`${ready.internalUrl}/readyz`)).status).toBe(200)
    const metrics = await (await fetch(`${ready.internalUrl}/metrics`)).text()
    expect(metrics).toContain('\norrery_engine_restarts_total 5\n')

    process.kill(engineOf(), 'SIGKILL')
    expect(await run.exited).toBe(75)
    expect(run.stderr).toContain('The embedded ClickHouse engine ended by itself. What was written is safe')
    expect(run.stderr).toContain('It was restarted 5 times within 10 minutes')
  })

  it('an embedded engine that ends by itself leaves the rows that an undisturbed index has, when it ends while ledgers are indexed', async () => {
    const longer = shortLake(join(folder, 'longer-lake'), 24)
    const whole = await contentsAfter(upArguments(longer, join(folder, 'undisturbed')))
    await using run = new Orrery(upArguments(longer, dataOfRestarts.concat('-while-indexing')))
    const ready = await run.result<Ready>()
    const owner = Number(readFileSync(join(folder, 'restarts-while-indexing', 'owner.pid'), 'utf8'))
    for (let restarts = 1; restarts <= 3; restarts++) {
      process.kill(engineBelow(owner), 'SIGKILL')
      expect(await run.result<EngineRestarted>()).toEqual({ event: 'engine_restarted', restarts })
    }
    expect(await run.result()).toMatchObject({ event: 'caught_up', ledger: longer.lastLedger })
    const contents = await viewContents(ready.clickhouseUrl)
    for (const [view, rows] of Object.entries(whole)) expect(contents[view] === rows, `${view} differs`).toBe(true)
    run.signal('SIGTERM')
    expect(await run.exited).toBe(0)
  })
})
