import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openClickHouse } from '../connection.ts'
import { migrate } from '../schema/migrate.ts'
import { listeners, sockets } from '../testing/close-listener.ts'
import { analystOf, basic, numberOf, runAsAnalyst, runStatement, send } from '../testing/send-statement.ts'
import { HOST_USERS } from './credentials.ts'
import { type ClickHouseHost, startClickHouseHost } from './start-host.ts'

const CANNOT_OPEN_FILE = 76
const ACCESS_DENIED = 497
const folder = mkdtempSync(join(tmpdir(), 'orrery-confinement-'))
const dir = join(folder, 'clickhouse')
const secretFile = join(folder, 'secrets.json')
let host: ClickHouseHost

beforeAll(async () => {
  writeFileSync(secretFile, '{"adminToken":"of the operator"}', { mode: 0o600 })
  host = await startClickHouseHost({ dir })
  await migrate(host.address('admin'))
})
afterAll(async () => {
  await host.stop()
  rmSync(folder, { recursive: true, force: true })
})

const literal = (path: string): string => `'${path}'`
/** A literal of a statement that holds quotes of its own. */
const quote = (statement: string): string => `'${statement.replaceAll("'", "\\'")}'`

// Other systems have no Landlock: there the part is reported as skipped, and analysts are not served.
describe.runIf(process.platform === 'linux')('the confined engine', () => {
  const FORBIDDEN = [
    secretFile,
    join(dir, 'passwords.json'),
    join(dir, 'engine.log'),
    join(dir, 'run', 'clickhouse.log'),
    '/etc/passwd',
    '/etc/shadow',
    '/proc/self/environ',
    '/proc/self/cmdline',
    '/proc/self/maps',
    '/proc/1/environ',
    `/proc/${process.pid}/environ`,
    '/proc/meminfo',
    fileURLToPath(import.meta.url),
  ]

  it('the confined engine opens no file that is not its own, for any user', async () => {
    expect(host.unconfined).toBeNull()
    writeFileSync(join(dir, 'run', 'clickhouse.log'), 'a statement of another user', { flag: 'a' })
    for (const path of FORBIDDEN) {
      expect(existsSync(path), path).toBe(true)
      const scalar = `SELECT length(file(${literal(path)}))`
      expect(await runAsAnalyst(host, scalar), path).toBe(CANNOT_OPEN_FILE)
      for (const user of HOST_USERS) expect(await runStatement(host, user, scalar), `${path} as ${user}`).toBe(CANNOT_OPEN_FILE)
      expect(await runAsAnalyst(host, `SELECT * FROM file(${literal(path)}, 'RawBLOB')`), path).toBe(ACCESS_DENIED)
      expect(await runAsAnalyst(host, `SELECT * FROM default.\`${path}\``), path).toBe(ACCESS_DENIED)
    }
  })

  it('the confined engine is confined on every thread: statements that run at once on all of them open nothing either', async () => {
    const tasks = readdirSync(`/proc/${host.pid}/task`)
    expect(tasks.length).toBeGreaterThan(10)
    for (const task of tasks) expect(readFileSync(`/proc/${host.pid}/task/${task}/status`, 'utf8')).toMatch(/^NoNewPrivs:\t1$/m)
    const path = `concat(${literal(secretFile)}, if(number < 0, 'x', ''))`
    const statement = `SELECT max(length(file(${path}))) FROM numbers_mt(100) SETTINGS max_block_size = 1, max_threads = 16`
    const answers = await Promise.all(Array.from({ length: 60 }, () => runStatement(host, 'writer', statement)))
    expect(new Set(answers)).toEqual(new Set([CANNOT_OPEN_FILE]))
  })

  it('the confined engine reads its own tables and /proc/self/statm, as documented for operators', async () => {
    expect(await runAsAnalyst(host, "SELECT length(file('/proc/self/statm')) > 0")).toBe('1')
    expect(await runAsAnalyst(host, 'SELECT count() FROM orrery.ledgers')).toBe('0')
  })

  it('the confined engine counts nothing of its threads: beginning a statement is refused no file', async () => {
    const refused = async (): Promise<number> =>
      Number(await runStatement(host, 'admin', `SELECT sum(value) FROM system.errors WHERE code = ${CANNOT_OPEN_FILE}`))
    const [before, start, statements] = [await refused(), performance.now(), 200]
    for (let n = 0; n < statements; n++) expect(await runStatement(host, 'api', 'SELECT count() FROM orrery.ledgers')).toBe('0')
    // The engine asks for /proc/meminfo every two seconds.
    const ofItsMemory = Math.ceil((performance.now() - start) / 2_000) + 2
    expect((await refused()) - before).toBeLessThan(statements + ofItsMemory)
  })

  it('the confined engine is not stopped, sent elsewhere or written to by an analyst', async () => {
    for (const statement of [
      'SYSTEM STOP LISTEN HTTP',
      'SYSTEM START LISTEN TCP',
      'SYSTEM SHUTDOWN',
      "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString')",
      "SELECT * FROM s3('http://127.0.0.1:1/bucket/b.csv', 'CSV', 'a String')",
      "SELECT * FROM remote('127.0.0.1:1', 'system.one')",
      "SELECT * FROM executable('id', 'LineAsString', 'a String')",
      'CREATE TABLE orrery.mine (a UInt8) ENGINE = Memory',
      'KILL QUERY WHERE 1',
    ])
      expect([ACCESS_DENIED, 164, ''], statement).toContain(await runAsAnalyst(host, statement))
    expect(await runAsAnalyst(host, "SELECT 1 INTO OUTFILE '/tmp/orrery-outfile'")).not.toBe('1')
    expect(existsSync('/tmp/orrery-outfile')).toBe(false)
    expect(await runStatement(host, 'api', 'SELECT 1')).toBe('1')
  })

  it('the confined engine creates no file for SQLite, however an analyst spells the table function, and starts again', async () => {
    const own = await startClickHouseHost({ dir: join(folder, 'sqlite') })
    await migrate(own.address('admin'))
    /** Names of the databases, tables and run files. Files of parts come and go with merges. */
    const files = (): string[] =>
      ['data', 'data/data', 'data/metadata', 'data/metadata/orrery', 'run'].flatMap((path) =>
        readdirSync(join(folder, 'sqlite', path)).map((name) => `${path}/${name}`),
      )
    const before = files()
    expect(before).toContain('data/metadata/orrery.sql')
    let count = 0
    const spellings: ((call: string) => string)[] = [
      (it) => `SELECT * FROM sqlite(${it})`,
      (it) => `SELECT * FROM \`sq\\x6cite\`(${it})`,
      (it) => `SELECT * FROM SQLite(${it})`,
      (it) => `SELECT 1 WHERE 1 IN (SELECT 1 FROM sqlite(${it}))`,
      (it) => `WITH x AS (SELECT * FROM sqlite(${it})) SELECT * FROM x`,
      (it) => `SELECT * FROM eval(concat('SELECT * FROM sql', ${quote(`ite(${it})`)}))`,
      (it) => `SELECT * FROM system.one SETTINGS additional_table_filters = {'system.one': ${quote(`1 IN (SELECT 1 FROM sqlite(${it}))`)}}`,
      (it) => `SELECT 1 SETTINGS additional_result_filter = ${quote(`1 IN (SELECT 1 FROM sqlite(${it}))`)}`,
      (it) => `DESCRIBE TABLE sqlite(${it})`,
      (it) => `EXPLAIN SELECT * FROM sqlite(${it})`,
      (it) => `EXPLAIN QUERY TREE SELECT * FROM sqlite(${it})`,
      (it) => `EXPLAIN SYNTAX SELECT * FROM sqlite(${it})`,
      (it) => `SELECT * FROM remote('127.0.0.1', sqlite(${it}))`,
      (it) => `SELECT * FROM view(SELECT * FROM sqlite(${it}))`,
      (it) => `SELECT * FROM merge(sqlite(${it}))`,
    ]
    for (const spelling of spellings)
      for (const place of ['data/metadata', 'run']) {
        count += 1
        const statement = spelling(`'${join(folder, 'sqlite', place, `evil${count}.sql`)}', 't'`)
        await runAsAnalyst(own, statement)
        expect(files(), statement).toEqual(before)
      }
    await own.stop()
    await using again = await startClickHouseHost({ dir: join(folder, 'sqlite') })
    expect(await runAsAnalyst(again, 'SELECT count() FROM orrery.ledgers')).toBe('0')
  })

  it('the confined engine sends no answer that a page of another origin could read, whatever the request asks for', async () => {
    const origin = { origin: 'https://evil.example' }
    for (const user of HOST_USERS) {
      const { url, headers } = host.address(user)
      const asked = await send(`${url}/?add_http_cors_header=1`, 'SELECT 1', { ...headers, ...origin })
      expect([numberOf(asked.body), asked.headers.get('access-control-allow-origin')], user).toEqual([452, null])
      const plain = await send(url, 'SELECT 1', { ...headers, ...origin })
      expect([plain.body, plain.headers.get('access-control-allow-origin')], user).toEqual(['1\n', null])
    }
  })

  it('the confined engine has one open port, which speaks HTTP', () => {
    const mine = sockets(host.pid)
    const ports = [...listeners(host.pid)].filter(([, inode]) => mine.has(inode)).map(([port]) => port)
    expect(ports).toEqual([Number(new URL(host.url).port)])
  })
})

describe('an engine that is not confined', () => {
  it('an engine that is not confined has no address for analysts and gives the reason; with the option it has one', async () => {
    const closed = await startClickHouseHost({ dir: join(folder, 'open'), confine: false })
    await migrate(closed.address('admin'))
    expect([closed.analyst, closed.unconfined]).toEqual([null, 'it was not asked for'])
    await using connection = openClickHouse(closed.address('api'))
    expect(await (await connection.client.query({ query: 'SELECT 1', format: 'TabSeparated' })).text()).toBe('1\n')
    await closed.stop()
    await using open = await startClickHouseHost({ dir: join(folder, 'open'), confine: false, allowUnconfinedAnalyst: true })
    const { url, user, password } = analystOf(open)
    expect((await send(url, `SELECT length(file(${literal(secretFile)}))`, basic(user, password))).body).toBe('32\n')
  })
})
