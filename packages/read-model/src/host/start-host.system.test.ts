import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { NO_ROWS } from '@orrery/protocol-kit'
import { freePort } from '@orrery/testkit'
import { afterEach, describe, expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { openClickHouse } from '../connection.ts'
import { migrate } from '../schema/migrate.ts'
import { stateRow } from '../testing/example-rows.ts'
import { analystOf, basic, send } from '../testing/send-statement.ts'
import { type HostUser, SECRET_HEADER } from './credentials.ts'
import { openGate } from './gate.ts'
import { type ClickHouseHost, type HostOptions, startClickHouseHost } from './start-host.ts'

const folders: string[] = []
const hosts: ClickHouseHost[] = []

afterEach(async () => {
  await Promise.all(hosts.splice(0).map((host) => host.stop()))
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'orrery-host-'))
  folders.push(folder)
  return folder
}

async function start(dir: string, options: Partial<HostOptions> = {}): Promise<ClickHouseHost> {
  const host = await startClickHouseHost({ dir, ...options })
  hosts.push(host)
  return host
}

/** The rows of a statement, or the number of the refusal. */
async function runStatement(host: ClickHouseHost, user: HostUser, query: string): Promise<unknown> {
  await using connection = openClickHouse({ ...host.address(user), database: 'system' })
  const command = /^(SELECT|SHOW)/.test(query) ? undefined : connection.client.command({ query })
  const asked = command ?? connection.client.query({ query, format: 'JSONCompactEachRow' }).then((result) => result.json())
  return await asked.then(
    (rows) => (command === undefined ? rows : 'done'),
    (error: { code?: string }) => Number(error.code),
  )
}

const secretOf = (host: ClickHouseHost, user: HostUser): string => host.address(user).headers?.[SECRET_HEADER] ?? ''

/** ClickHouse's src/Common/StatusFile.cpp: the engine deletes it when it ends by itself, and cannot when it is killed. */
const statusFile = (dir: string): string => join(dir, 'data', 'status')

/** Pipes of engines that this process holds open. */
function openPipes(): string[] {
  if (process.platform !== 'linux') return []
  const opened = readdirSync('/proc/self/fd').map((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`)
    } catch {
      return '' // closed meanwhile
    }
  })
  return opened.filter((path) => path.includes('/config/keeper'))
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false // no such process
  }
}

describe('the embedded engine', () => {
  it('the embedded engine answers once it is started, keeps rows and passwords over a stop, and ends with it', async () => {
    const dir = newFolder()
    const first = await startClickHouseHost({ dir })
    await migrate(first.address('admin'))
    {
      await using store = openStore(openClickHouse(first.address('writer')))
      await store.write([{ ...NO_ROWS, state: [stateRow()] }], 1)
    }
    expect(existsSync(statusFile(dir))).toBe(true)
    await first.stop()
    expect(await first.ended).toBeNull()
    expect(isAlive(first.pid)).toBe(false)
    expect(existsSync(statusFile(dir))).toBe(false)
    const second = await start(dir, { httpPort: await freePort() })
    expect(second.analyst?.password).toBe(first.analyst?.password)
    expect(await runStatement(second, 'api', 'SELECT count() FROM orrery.state_v1')).toEqual([['1']])
  })

  it('the embedded engine reports passwords that cannot be read, and makes others once they are deleted', async () => {
    const dir = newFolder()
    const file = join(dir, 'passwords.json')
    writeFileSync(file, '{"admin":')
    await expect(start(dir)).rejects.toMatchObject({ kind: 'corrupt', code: 'embedded_secrets_unreadable', context: { file } })
    rmSync(file)
    expect(await runStatement(await start(dir), 'api', 'SELECT 1')).toEqual([[1]])
  })

  it('the embedded engine reports that another program has its port', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as { port: number }
    await expect(start(newFolder(), { httpPort: port })).rejects.toMatchObject({ kind: 'invalid', code: 'port_in_use', context: { port } })
    await expect(start(newFolder(), { analystPort: port })).rejects.toMatchObject({ kind: 'invalid', code: 'port_in_use' })
    expect(openPipes()).toEqual([])
    other.close()
  })

  it('the embedded engine reports that another engine has its folder, and does not disturb that one', async () => {
    const dir = newFolder()
    const first = await start(dir)
    await expect(start(dir, { folderFreeWithinMs: 200 })).rejects.toMatchObject({ kind: 'unavailable', code: 'data_folder_in_use' })
    expect(await runStatement(first, 'api', 'SELECT 1')).toEqual([[1]])
  })

  it('the embedded engine reports when it ends by itself', async () => {
    const dir = newFolder()
    const host = await start(dir)
    process.kill(host.pid, 'SIGKILL')
    expect(await host.ended).toMatchObject({ kind: 'unavailable', code: 'engine_failed' })
    expect(existsSync(statusFile(dir))).toBe(true)
  })
})

describe('a writer', () => {
  it('a writer whose engine is killed during writes continues when it is back, and no row is lost or doubled', async () => {
    const dir = newFolder()
    const port = await freePort() // one that stays free while the engine is away
    const password = 'of a server that keeps its passwords'
    const serve = (host: ClickHouseHost) =>
      openGate({ engineUrl: host.url, port, accounts: [{ user: 'writer', password, secret: secretOf(host, 'writer') }] })
    const first = await start(dir)
    const firstGate = await serve(first)
    await migrate(first.address('admin'))
    const address = { url: firstGate.url, user: 'writer', password, database: 'orrery' }
    await using store = openStore(openClickHouse({ ...address, retryForMs: 600_000 }))
    const rows = [{ ...NO_ROWS, state: [stateRow({ ledger: 1 }), stateRow({ ledger: 2 })] }]
    await store.write(rows, 1)
    process.kill(first.pid, 'SIGKILL')
    await first.ended
    const written = store.write([...rows, { ...NO_ROWS, state: [stateRow({ ledger: 3 })] }], 1)
    await firstGate.stop()
    const second = await start(dir)
    await using _ = await serve(second)
    await written
    expect(await runStatement(second, 'admin', 'SELECT ledger FROM orrery.state_v1 FINAL ORDER BY ledger')).toEqual([[1], [2], [3]])
  })
})

describe('a data folder of an older build', () => {
  it("a data folder of an older build keeps its rows and the analyst's password, and loses the files that held the others", async () => {
    const old = newFolder()
    const first = await startClickHouseHost({ dir: old })
    await migrate(first.address('admin'))
    {
      await using connection = openClickHouse(first.address('writer'))
      await connection.client.command({ query: "INSERT INTO orrery.ledgers_v1 VALUES (7, 1, 'aa')" })
    }
    await first.stop()
    // As builds before this one left it.
    rmSync(join(old, 'passwords.json'))
    rmSync(join(old, 'run'), { recursive: true })
    const passwords = { admin: 'old-admin', writer: 'old-writer', api: 'old-api', analyst: 'old-analyst' }
    writeFileSync(join(old, 'config', 'passwords.json'), JSON.stringify(passwords), { mode: 0o600 })
    writeFileSync(join(old, 'config', 'users.xml'), '<clickhouse><users><default><password></password></default></users></clickhouse>')
    writeFileSync(join(old, 'config', 'config.xml'), '<clickhouse><tcp_port>9000</tcp_port></clickhouse>')
    writeFileSync(join(old, 'config', 'port'), '8123\n')
    writeFileSync(join(old, 'clickhouse.log'), 'an old line\n')

    const host = await start(old)
    const { url, user, password } = analystOf(host)
    expect([user, password]).toEqual(['analyst', 'old-analyst'])
    expect((await send(url, 'SELECT ledger FROM orrery.ledgers', basic(user, password))).body).toBe('7\n')
    expect(readdirSync(join(old, 'config'))).toEqual([])
    expect(JSON.parse(readFileSync(join(old, 'passwords.json'), 'utf8'))).toEqual({ analyst: 'old-analyst' })
    expect(readFileSync(join(old, 'run', 'clickhouse.log'), 'utf8')).toMatch(/^an old line\n/)
  })
})

describe('users of the embedded engine', () => {
  it('users of the embedded engine have only the grants of their purpose', async () => {
    const host = await start(newFolder())
    await migrate(host.address('admin'))
    const insert = "INSERT INTO orrery.ledgers_v1 VALUES (1, 1, 'aa')"
    const ACCESS_DENIED = 497
    const READONLY = 164
    expect(await runStatement(host, 'writer', insert)).toBe('done')
    for (const reader of ['api', 'analyst'] as const) {
      expect(await runStatement(host, reader, 'SELECT ledger FROM orrery.ledgers')).toEqual([[1]])
      expect(await runStatement(host, reader, insert)).toBe(ACCESS_DENIED)
      expect([ACCESS_DENIED, READONLY]).toContain(await runStatement(host, reader, 'DROP TABLE orrery.ledgers_v1'))
    }
    for (const user of ['writer', 'api', 'analyst'] as const) {
      expect(await runStatement(host, user, "SELECT * FROM file('/etc/passwd', 'LineAsString')"), user).toBe(ACCESS_DENIED)
      expect(await runStatement(host, user, 'SELECT * FROM default.`/etc/passwd`'), user).toBe(ACCESS_DENIED)
      expect(await runStatement(host, user, "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')"), user).toBe(ACCESS_DENIED)
      expect(await runStatement(host, user, 'SYSTEM STOP LISTEN HTTP'), user).toBe(ACCESS_DENIED)
      expect(await runStatement(host, user, 'CREATE TABLE orrery.mine (a UInt8) ENGINE = Memory'), user).not.toBe('done')
    }
    expect(await runStatement(host, 'admin', "SELECT * FROM file('/etc/passwd', 'LineAsString')")).toBe(ACCESS_DENIED)
    expect(await runStatement(host, 'admin', 'SYSTEM SHUTDOWN')).toBe(ACCESS_DENIED)
  })

  it('users of the embedded engine who are analysts cannot raise their limits', async () => {
    const host = await start(newFolder())
    const CONSTRAINT = 452
    expect(await runStatement(host, 'analyst', 'SELECT 1 SETTINGS max_execution_time = 30')).toEqual([[1]])
    expect(await runStatement(host, 'analyst', 'SELECT 1 SETTINGS max_execution_time = 0')).toBe(CONSTRAINT)
    expect(await runStatement(host, 'analyst', 'SELECT 1 SETTINGS max_execution_time = 3600')).toBe(CONSTRAINT)
    expect(await runStatement(host, 'analyst', 'SELECT 1 SETTINGS max_memory_usage = 0')).toBe(CONSTRAINT)
    expect(await runStatement(host, 'analyst', 'SELECT 1 SETTINGS max_result_rows = 100000000')).toBe(CONSTRAINT)
    const TOO_MANY_ROWS_OR_BYTES = 396
    expect(await runStatement(host, 'analyst', 'SELECT number FROM numbers(2000000)')).toBe(TOO_MANY_ROWS_OR_BYTES)
  })
})

describe('a parent that is killed', () => {
  /** A separate process that starts an engine on `dir`, prints its address, and writes ledger after ledger. */
  function writerProcess(dir: string): { child: ChildProcess; lines: AsyncIterator<string> } {
    const script = fileURLToPath(new URL('../testing/writer-process.ts', import.meta.url))
    const child = spawn(process.execPath, [script, dir], { stdio: ['ignore', 'pipe', 'inherit'] })
    return { child, lines: createInterface({ input: child.stdout })[Symbol.asyncIterator]() }
  }

  async function nextLine(lines: AsyncIterator<string>): Promise<Record<string, number>> {
    return JSON.parse((await lines.next()).value as string)
  }

  it('a parent that is killed ends the engine, and acknowledged rows are there for the next one; writing all rows again gives the same rows', async () => {
    const dir = newFolder()
    let acknowledged = 0
    for (const rows of [3, 1, 7]) {
      const { child, lines } = writerProcess(dir)
      const { enginePid = 0 } = await nextLine(lines)
      for (let n = 0; n < rows; n++) acknowledged = Math.max(acknowledged, (await nextLine(lines)).acknowledged ?? 0)
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
      await expect.poll(() => isAlive(enginePid)).toBe(false)
    }
    const host = await start(dir)
    await using store = openStore(openClickHouse(host.address('writer')))
    const ledgers = await runStatement(host, 'admin', 'SELECT DISTINCT ledger FROM orrery.state_v1 ORDER BY ledger')
    const stored = new Set((ledgers as number[][]).flat())
    for (let ledger = 1; ledger <= acknowledged; ledger++) expect(stored.has(ledger), `ledger ${ledger} of ${acknowledged}`).toBe(true)

    // What a restarted worker does: from the beginning, the same rows.
    const all = Array.from({ length: Math.max(...stored) }, (_, n) => ({ ...NO_ROWS, state: [stateRow({ ledger: n + 1 })] }))
    await store.write(all, 1)
    expect(await runStatement(host, 'admin', 'SELECT count() FROM orrery.state_v1 FINAL')).toEqual([[`${all.length}`]])
    const latest = 'SELECT ledger FROM orrery.state_latest_v1 FINAL'
    expect(await runStatement(host, 'admin', latest)).toEqual([[all.length]])
    expect(await runStatement(host, 'admin', 'SELECT count() FROM orrery.state_buckets_v1 FINAL')).toEqual([['1']])
  })
})
