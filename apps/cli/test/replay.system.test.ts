import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openClickHouse, verifiedTables } from '@orrery/read-model'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readRunning } from '../src/running-file.ts'
import { Orrery, orrery, type Ready, upArguments } from './orrery.ts'
import { shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-replay-'))
const data = join(folder, 'data')
const lake = shortLake(join(folder, 'lake'), 6)
let up: Orrery
let ready: Ready

beforeAll(async () => {
  up = new Orrery(upArguments(lake, data))
  ready = await up.result<Ready>()
  await up.result() // caught up
})
afterAll(async () => {
  await up?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

/** A command on the data folder, with `--json`. */
async function command(...args: string[]) {
  const { code, stdout, stderr } = await orrery([...args, '--data', data, '--json'])
  return { code, stderr, result: stdout[0] === undefined ? null : JSON.parse(stdout[0]) }
}

/** As an operator with all rights. */
async function admin<T>(work: (connection: ReturnType<typeof openClickHouse>) => Promise<T>): Promise<T> {
  const address = readRunning(data)?.admin
  if (address === undefined) throw new Error('nothing runs on the folder')
  await using connection = openClickHouse(address)
  return await work(connection)
}
const rows = <Row>(query: string): Promise<Row[]> =>
  admin(async ({ client }) => (await client.query({ query, format: 'JSONEachRow' })).json<Row>())
const damage = (query: string): Promise<unknown> =>
  admin(({ client }) => client.command({ query, clickhouse_settings: { mutations_sync: '1' } }))

/** Everything that readers see of a protocol, without the number under which it is written. */
async function seen(protocol: string): Promise<Record<string, string>> {
  const views = await rows<{ view: string }>(
    `SELECT DISTINCT table AS view FROM system.columns WHERE database = 'orrery' AND name = 'adapter_version'
     AND table IN (SELECT name FROM system.tables WHERE database = 'orrery' AND engine = 'View')
     AND table NOT IN ('checkpoints', 'adapter_health', 'active_versions', 'index_versions') ORDER BY view`,
  )
  const contents: Record<string, string> = {}
  for (const { view } of views) {
    contents[view] = JSON.stringify(await rows(`SELECT * EXCEPT adapter_version FROM ${view} WHERE protocol = '${protocol}' ORDER BY ALL`))
  }
  return contents
}

async function adapterOf(protocol: string) {
  const response = await fetch(`${ready.url}/v1/index`, { headers: { 'x-service-api-key': ready.apiKey, connection: 'close' } })
  const { data: index } = (await response.json()) as { data: { adapters: { protocol_id: string; adapter: unknown }[] } }
  return index.adapters.find(({ protocol_id: id }) => id === protocol)?.adapter
}

describe('a replay beside what readers see, while up runs', () => {
  it('gives the same rows, and readers notice neither it nor the switch', async () => {
    const before = await seen('blend')
    expect(Object.values(before).join('').length).toBeGreaterThan(100_000)
    expect(await command('replay', 'blend')).toMatchObject({
      code: 0,
      result: { event: 'replayed', protocol: 'blend', indexVersion: 2, outcome: 'caught_up', ledger: lake.lastLedger },
    })
    expect(await seen('blend')).toEqual(before)
    expect(await adapterOf('blend')).toMatchObject({ index_version: 1, replay: { index_version: 2, last_sync_ledger: lake.lastLedger } })

    expect(await command('diff', 'blend')).toMatchObject({
      code: 0,
      result: {
        event: 'compared',
        isEqual: true,
        tables: [],
        before: { indexVersion: 1 },
        after: { indexVersion: 2 },
        toLedger: lake.lastLedger,
      },
    })
    expect(await command('activate', 'blend', '2')).toMatchObject({ code: 0, result: { event: 'activated', indexVersion: 2, before: 1 } })
    expect(await seen('blend')).toEqual(before)
    await expect.poll(() => adapterOf('blend'), { timeout: 30_000 }).toMatchObject({ index_version: 2, replay: null, status: 'healthy' })

    expect(await command('activate', 'blend', '1')).toMatchObject({ code: 0, result: { indexVersion: 1, before: 2 } })
    expect(await command('retire', 'blend', '1')).toMatchObject({ code: 2, stderr: expect.stringContaining('Readers see index version 1') })
    expect(await command('retire', 'blend', '2', '--force')).toMatchObject({
      code: 0,
      result: { event: 'retired', rows: expect.any(Number) },
    })
    expect(await rows("SELECT count() AS n FROM state_v1 WHERE protocol = 'blend' AND adapter_version = 2")).toEqual([{ n: '0' }])
    expect(await seen('blend')).toEqual(before)
  })

  it('a replay that is killed goes on from its checkpoints', async () => {
    const args = ['replay', 'aquarius', '--data', data, '--json']
    {
      await using killed = new Orrery(args)
      const begun = () => rows("SELECT ledger FROM checkpoints_v1 FINAL WHERE protocol = 'aquarius' AND adapter_version = 2")
      await expect.poll(async () => (await begun()).length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(0)
      killed.signal('SIGKILL')
      await killed.exited
    }
    expect(await command('replay', 'aquarius', '--activate')).toMatchObject({ code: 0, result: { indexVersion: 2, outcome: 'activated' } })
    expect(await command('diff', 'aquarius', '1', '2')).toMatchObject({ code: 0, result: { isEqual: true } })
  })

  it('a version that is behind is not activated unless that is forced, and the message names both ledgers', async () => {
    expect(await command('replay', 'soroswap')).toMatchObject({ code: 0 })
    const back = lake.lastLedger - 40
    await damage("ALTER TABLE checkpoints_v1 DELETE WHERE protocol = 'soroswap' AND adapter_version = 2 AND partition = 0")
    await damage(
      `INSERT INTO checkpoints_v1 SELECT protocol, 0, 2, ${back}, close_time, 0, rolling_hash FROM checkpoints_v1 FINAL WHERE protocol = 'soroswap' AND partition = 1 AND adapter_version = 2`,
    )
    const refused = await command('activate', 'soroswap', '2')
    expect(refused).toMatchObject({ code: 75, stderr: expect.stringContaining(`up to ledger ${back.toLocaleString('en-US')}`) })
    expect(refused.stderr).toContain('--activate')
  })

  it('differing rows are counted by table, with accounts and the largest change of each amount', async () => {
    type Snapshot = { address: string; pool: string; ledger: number; net: string }
    const [changed] = await rows<Snapshot>(
      "SELECT address, pool, ledger, toString(net_usd) AS net FROM position_snapshots_v1 FINAL WHERE protocol = 'blend' AND net_usd > 1 ORDER BY ledger LIMIT 1",
    )
    expect(changed).toBeDefined()
    expect(await command('replay', 'blend')).toMatchObject({ code: 0, result: { indexVersion: 3 } })
    const key = `address = '${changed?.address}' AND pool = '${changed?.pool}' AND ledger = ${changed?.ledger}`
    await damage(
      `ALTER TABLE position_snapshots_v1 UPDATE net_usd = net_usd + 1000000 WHERE protocol = 'blend' AND adapter_version = 3 AND ${key}`,
    )
    const { code, result, stderr } = await command('diff', 'blend', '1', '3')
    expect(code).toBe(1)
    expect(stderr).toContain('differ in 1 tables')
    expect(result.tables).toMatchObject([
      {
        ...{ table: 'position_snapshots_v1', added: 0, removed: 0, changed: 1, accounts: 1 },
        largest: [{ column: 'net_usd', change: 1_000_000, key: { address: changed?.address, pool: changed?.pool } }],
      },
    ])
  })
})

describe('the repair of the rows that readers see', () => {
  it('removed, changed and added rows of base and derived tables are written over, while up runs', async () => {
    const before = await seen('fxdao')
    const [{ key = '', contract = '', ledger = 0 } = {}] = await rows<{ key: string; contract: string; ledger: number }>(
      "SELECT key, contract, ledger FROM state_v1 FINAL WHERE protocol = 'fxdao' AND startsWith(key, '@') ORDER BY ledger DESC LIMIT 1",
    )
    // Most statements read without FINAL, so the repair must not leave its work to a merge.
    const tables = await admin(verifiedTables)
    for (const { name } of tables) await damage(`ALTER TABLE ${name} MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1`)
    await damage("ALTER TABLE position_snapshots_v1 UPDATE net_usd = net_usd + 1 WHERE protocol = 'fxdao' AND ledger % 2 = 0")
    const entry = `protocol = 'fxdao' AND contract = '${contract}' AND key = '${key}' AND ledger = ${ledger}`
    const wrong = `SELECT count() AS n FROM state_v1 WHERE ${entry} AND value = '{}'`
    await damage(`ALTER TABLE state_v1 UPDATE value = '{}' WHERE ${entry}`)
    expect(await rows(wrong)).toEqual([{ n: '1' }])
    await damage("ALTER TABLE activities_v1 DELETE WHERE protocol = 'fxdao' AND ledger % 3 = 0")
    await damage("ALTER TABLE pool_hourly_v1 UPDATE tvl_usd = tvl_usd + 1 WHERE protocol = 'fxdao'")
    await damage(
      `INSERT INTO state_v1 SELECT * REPLACE (${lake.lastLedger - 3} AS ledger, 'invented' AS key) FROM state_v1 FINAL WHERE protocol = 'fxdao' LIMIT 1`,
    )
    expect(await seen('fxdao')).not.toEqual(before)
    const { code, result, stderr } = await command('replay', 'fxdao', '--same-version')
    expect(code, stderr).toBe(0)
    expect(result).toMatchObject({ event: 'repaired', protocol: 'fxdao', indexVersion: 1, toLedger: lake.lastLedger })
    expect(result.tables.map(({ table }: { table: string }) => table)).toEqual(
      expect.arrayContaining(['activities_v1', 'pool_hourly_v1', 'state_latest_v1', 'state_v1']),
    )
    expect(await seen('fxdao')).toEqual(before)
    expect(await rows(wrong)).toEqual([{ n: '0' }])
    for (const { name, key, ledger: at, columns } of tables) {
      const [place, values] = [[...new Set([...key, at])], columns].map((names) => names.map((column) => `toString(${column})`).join(', '))
      expect(await rows(`SELECT ${place} FROM ${name} GROUP BY ${place} HAVING uniqExact(tuple(${values})) > 1`), name).toEqual([])
    }
    expect(await command('replay', 'fxdao', '--same-version')).toMatchObject({ code: 0, result: { tables: [], checkpoints: 0 } })
    const verified = await orrery(['verify', '--data', data, '--lake', lake.directory, '--json'])
    expect(JSON.parse(verified.stdout[0] ?? '{}')).toMatchObject({ verdict: 'equal' })
  })

  it('a checkpoint that is ahead of the log is set back to it, on a stopped folder', async () => {
    await damage(
      `INSERT INTO checkpoints_v1 SELECT protocol, partition, adapter_version, ledger + 7, close_time, log_offset, repeat('a', 16) FROM checkpoints_v1 FINAL
       WHERE protocol = 'fxdao' AND partition = 0 AND adapter_version = 1`,
    )
    up.signal('SIGTERM')
    expect(await up.exited, up.stderr).toBe(0)
    expect(await command('replay', 'fxdao', '--same-version')).toMatchObject({ code: 0, result: { checkpoints: 1 } })
    const verified = await orrery(['verify', '--data', data, '--lake', lake.directory, '--json'])
    expect(JSON.parse(verified.stdout[0] ?? '{}'), verified.stderr).toMatchObject({ verdict: 'equal' })
  })
})

it('wrong use is refused with code 2 and changes nothing', async () => {
  expect(await command('replay', 'nothing')).toMatchObject({ code: 2, stderr: expect.stringContaining('It has: ') })
  expect(await command('activate', 'blend', '9')).toMatchObject({ code: 2, stderr: expect.stringContaining('There are: 1') })
  expect(await command('replay', 'blend', '--same-version', '--activate')).toMatchObject({ code: 2 })
})
