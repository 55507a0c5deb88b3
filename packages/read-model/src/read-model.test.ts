import type { StateRow } from '@orrery/protocol-kit'
import { NO_ROWS, SHARED_SCOPE } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { serverText } from './clickhouse-error.ts'
import { openStore } from './clickhouse-store.ts'
import { type ClickHouseConnection, openClickHouse } from './connection.ts'
import { defineQuery } from './query.ts'
import { openReadModel, type SlowStatement } from './read-model.ts'
import { closeTimeOf, EXAMPLE, stateRow } from './testing/example-rows.ts'
import { type TestDatabase, withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()
const OPTIONS = { tag: { route: '/v1/test', requestId: 'request-1' } } as const

/** A writer's store and a reader's model without a cached tip, on a new database. */
async function setUp() {
  const database = await databases.databaseOfTest()
  const writer = database.connect('writer')
  return { database, writer, store: openStore(writer), readModel: openReadModel(database.connect('api'), { tipForMs: 0 }) }
}

async function activate(writer: ClickHouseConnection, protocol: string, version: number, partitions: number, setAt: string): Promise<void> {
  await writer.client.insert({
    table: 'active_versions_v1',
    values: [[protocol, version, partitions, setAt]],
    format: 'JSONCompactEachRow',
  })
}

const checkpoint = (ledger: number) => ({ ledger, closeTimeSeconds: closeTimeOf(ledger), offset: 1n, rollingHash: '' })
const ledgersUpTo = (last: number) =>
  Array.from({ length: last }, (_, n) => ({ ledger: n + 1, closeTimeSeconds: closeTimeOf(n + 1), hash: '00' }))

/** Rows that the statements tagged with `requestId` read, by name of the query, from the engine's own log. */
async function rowsRead(database: TestDatabase, requestId: string): Promise<Record<string, number>> {
  const { client } = database.connect('admin')
  // The engine logs the end of a statement after it has sent the answer, and its beginning before.
  const query = `SELECT JSONExtractString(log_comment, 'query') AS name, sum(read_rows) AS read,
      countIf(type = 'QueryStart') AS started, countIf(type = 'QueryFinish') AS finished
    FROM system.query_log WHERE JSONExtractString(log_comment, 'request_id') = {requestId:String} GROUP BY name`
  for (;;) {
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    const result = await client.query({ query, query_params: { requestId }, format: 'JSONEachRow' })
    const rows = await result.json<{ name: string; read: string; started: string; finished: string }>()
    if (rows.some(({ started, finished }) => Number(finished) < Number(started))) continue
    return Object.fromEntries(rows.map(({ name, read }) => [name, Number(read)]))
  }
}

describe('the watermark', () => {
  it('the watermark is 0 before the first checkpoint', async () => {
    const { readModel, store } = await setUp()
    expect(await readModel.watermark()).toEqual({ ledger: 0, closeTimeSeconds: 0 })
    await store.writeLedgers(ledgersUpTo(30), 1n)
    await store.activateIfNone('soroswap', 1, 2)
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 1, checkpoint(20))
    expect(await readModel.watermark()).toEqual({ ledger: 0, closeTimeSeconds: 0 })
  })

  it('the watermark is the smallest checkpoint over all partitions of the requested protocols, and of the ledgers table', async () => {
    const { readModel, store } = await setUp()
    await store.activateIfNone('soroswap', 1, 2)
    await store.activateIfNone('blend', 4, 1)
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 1, checkpoint(20))
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 1 }, 1, checkpoint(25))
    await store.moveCheckpoint({ protocol: 'blend', partition: 0 }, 4, checkpoint(10))
    await store.writeLedgers(ledgersUpTo(22), 1n)
    expect(await readModel.watermark(['soroswap'])).toEqual({ ledger: 20, closeTimeSeconds: closeTimeOf(20) })
    expect(await readModel.watermark(['soroswap', 'blend'])).toMatchObject({ ledger: 10 })
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 1, checkpoint(30))
    expect(await readModel.watermark(['soroswap'])).toMatchObject({ ledger: 22 })
  })

  it('the watermark is not lowered by a protocol without an adapter, nor by a version that is not active', async () => {
    const { readModel, store } = await setUp()
    await store.writeLedgers(ledgersUpTo(30), 1n)
    await store.activateIfNone('soroswap', 2, 1)
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 2, checkpoint(20))
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 3, checkpoint(5))
    expect(await readModel.watermark(['soroswap', 'fxdao'])).toMatchObject({ ledger: 20 })
    expect((await readModel.tip()).adapters).toEqual([
      { protocol: 'soroswap', version: 2, checkpoints: [{ ledger: 20, closeTimeSeconds: closeTimeOf(20) }], quarantined: [] },
    ])
  })

  it('the watermark follows a swap of versions', async () => {
    const { readModel, store, writer } = await setUp()
    await store.writeLedgers(ledgersUpTo(30), 1n)
    expect(await store.activateIfNone('soroswap', 1, 1)).toBe(1)
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 1, checkpoint(20))
    expect(await store.activateIfNone('soroswap', 2, 1)).toBe(1)
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 0 }, 2, checkpoint(12))
    await activate(writer, 'soroswap', 2, 1, '2100-01-01 00:00:00')
    expect(await readModel.watermark()).toMatchObject({ ledger: 12 })
    expect(await store.activateIfNone('soroswap', 1, 1)).toBe(2)
  })

  it('the watermark is read once for concurrent callers, and is then cached for a while', async () => {
    const { database, store } = await setUp()
    const cachedReader = openReadModel(database.connect('api'), { tipForMs: 60_000 })
    const [first, second] = await Promise.all([cachedReader.tip(), cachedReader.tip()])
    expect(second).toBe(first)
    await store.writeLedgers(ledgersUpTo(3), 1n)
    expect(await cachedReader.tip()).toBe(first)
  })

  it('the tip is the same object until something of it changes, or until it is forgotten', async () => {
    const { readModel, store } = await setUp()
    await store.writeLedgers(ledgersUpTo(3), 1n)
    const first = await readModel.tip()
    expect(await readModel.tip()).toBe(first)
    await store.writeLedgers(ledgersUpTo(4), 2n)
    const second = await readModel.tip()
    expect(second).not.toBe(first)
    expect(second.ledgers?.ledger).toBe(4)
    readModel.forgetTip()
    const third = await readModel.tip()
    expect(third).toEqual(second)
    expect(third).not.toBe(second)
  })
})

describe('a query', () => {
  const ledgersFrom = defineQuery({
    name: 'ledgers_from',
    params: z.object({ from: z.int().nonnegative(), watermark: z.int() }),
    row: z.object({ ledger: z.int(), wide: z.string() }),
    watermark: 'required',
    sql: `SELECT ledger, toUInt64(18446744073709551615) AS wide FROM ledgers_v1
      WHERE ledger >= {from:UInt32} AND ledger <= {watermark:UInt32} ORDER BY ledger`,
  })
  const slow = defineQuery({
    name: 'slow',
    params: z.object({}),
    row: z.object({ n: z.string() }),
    watermark: 'none',
    sql: 'SELECT sum(cityHash64(number)) AS n FROM numbers(1000000000000)',
  })

  it('a query gives checked rows, and integers of 64 bits without losing a digit', async () => {
    const { readModel, store } = await setUp()
    await store.writeLedgers(ledgersUpTo(5), 1n)
    const rows = await readModel.query(ledgersFrom, { from: 3, watermark: 4 }, OPTIONS)
    expect(rows).toEqual([3, 4].map((ledger) => ({ ledger, wide: '18446744073709551615' })))
  })

  it('a query is refused with invalid parameters, and with rows of another shape, without quoting a value', async () => {
    const { readModel, store } = await setUp()
    await store.writeLedgers(ledgersUpTo(5), 1n)
    await expect(readModel.query(ledgersFrom, { from: -1, watermark: 4 }, OPTIONS)).rejects.toMatchObject({
      kind: 'bug',
      code: 'query_params_invalid',
    })
    const wrong = defineQuery({ ...ledgersFrom, row: z.object({ ledger: z.string() }) })
    const failed = readModel.query(wrong, { from: 1, watermark: 4 }, OPTIONS)
    await expect(failed).rejects.toMatchObject({ code: 'query_row_invalid', message: expect.stringContaining('ledger (invalid_type)') })
  })

  it('a query binds the active versions by itself', async () => {
    const { readModel, store } = await setUp()
    await store.activateIfNone('soroswap', 7, 1)
    await store.activateIfNone('blend', 2, 1)
    const active = defineQuery({
      name: 'active_pairs',
      params: z.object({}),
      row: z.object({ protocol: z.string(), version: z.int() }),
      watermark: 'none',
      sql: 'SELECT pair.1 AS protocol, pair.2 AS version FROM (SELECT arrayJoin({active:Array(Tuple(String, UInt16))}) AS pair) ORDER BY protocol',
    })
    expect(await readModel.query(active, {}, OPTIONS)).toEqual([
      { protocol: 'blend', version: 2 },
      { protocol: 'soroswap', version: 7 },
    ])
  })

  it('a query is found in the log of the engine by its name, route and request', async () => {
    const { database, readModel } = await setUp()
    const tag = { route: '/v1/health', requestId: database.name }
    await readModel.query(ledgersFrom, { from: 1, watermark: 1 }, { tag })
    const { client } = database.connect('admin')
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    const comment = JSON.stringify({ query: 'ledgers_from', route: '/v1/health', request_id: database.name })
    const query = "SELECT DISTINCT user FROM system.query_log WHERE log_comment = {comment:String} AND type = 'QueryStart'"
    const found = await client.query({ query, query_params: { comment }, format: 'JSONCompactEachRow' })
    expect(await found.json()).toEqual([['api']])
  })

  it('a query that took long is reported with its request and whether it succeeded, and a faster one is not', async () => {
    const database = await databases.databaseOfTest()
    const reported: SlowStatement[] = []
    await using readModel = openReadModel(database.connect('api'), { slow: { fromMs: 200, report: (it) => reported.push(it) } })
    const pausing = (name: string, seconds: number, end: string) =>
      defineQuery({
        name,
        params: z.object({}),
        row: z.object({ zero: z.int() }),
        watermark: 'none',
        sql: `SELECT sleep(${seconds}) + ${end} AS zero`,
      })
    await readModel.query(pausing('paused', 0.4, '0'), {}, OPTIONS)
    await readModel.query(pausing('at_once', 0, '0'), {}, OPTIONS)
    await expect(readModel.query(pausing('refused', 0.4, "throwIf(1, 'no')"), {}, OPTIONS)).rejects.toBeDefined()
    const waits = (seconds: number): boolean => seconds >= 0.4 && seconds < 120
    expect(reported.map(({ seconds, ...facts }) => ({ ...facts, waits: waits(seconds) }))).toEqual([
      { statement: 'paused', succeeded: true, tag: OPTIONS.tag, waits: true },
      { statement: 'refused', succeeded: false, tag: OPTIONS.tag, waits: true },
    ])
  })

  it('a query ends on the server when its caller aborts', async () => {
    const { database, readModel } = await setUp()
    const leaving = new AbortController()
    const tag = { route: '/gone', requestId: database.name }
    const answer = readModel.query(slow, {}, { tag, signal: leaving.signal })
    const outcome = expect(answer).rejects.toBe('the caller left')
    const running = async () => {
      const query = "SELECT count() FROM system.processes WHERE JSONExtractString(Settings['log_comment'], 'request_id') = {id:String}"
      const { client } = database.connect('admin')
      const [[count]] = (await (
        await client.query({ query, query_params: { id: database.name }, format: 'JSONCompactEachRow' })
      ).json()) as [[string]]
      return Number(count)
    }
    await expect.poll(running).toBe(1)
    leaving.abort('the caller left')
    await outcome
    await expect.poll(running).toBe(0)
  })

  it('a query that exceeds its time limit is a timeout', async () => {
    const { readModel } = await setUp()
    const hasty = defineQuery({ ...slow, settings: { max_execution_time: 1 } })
    await expect(readModel.query(hasty, {}, OPTIONS)).rejects.toMatchObject({ kind: 'unavailable', code: 'timeout' })
  })

  it('a query streams rows as they arrive, and ends early when its reader stops', async () => {
    const { readModel } = await setUp()
    const numbers = defineQuery({ ...slow, row: z.object({ number: z.string() }), sql: 'SELECT number FROM numbers(1000000000000)' })
    const seen: string[] = []
    for await (const { number } of readModel.stream(numbers, {}, OPTIONS)) {
      seen.push(number)
      if (seen.length === 100_000) break
    }
    expect(seen.at(-1)).toBe('99999')
  })

  it('a query that breaks in the middle of its stream is an error, not a short answer', async () => {
    const { readModel } = await setUp()
    const breaking = defineQuery({
      ...slow,
      row: z.object({ number: z.string() }),
      settings: { max_block_size: '1000' },
      sql: 'SELECT number, throwIf(number = 300000) FROM numbers(400000)',
    })
    let seen = 0
    const read = async () => {
      for await (const _ of readModel.stream(breaking, {}, OPTIONS)) seen += 1
    }
    await expect(read()).rejects.toMatchObject({ kind: 'bug', context: { serverCode: '395' } })
    expect(seen).toBeLessThanOrEqual(300_000)
  })

  it("a query keeps the server's message, which may quote a row, out of logs", async () => {
    const { readModel } = await setUp()
    const quoting = defineQuery({ ...slow, sql: "SELECT toUInt8('secret row') AS n" })
    const error: unknown = await readModel.query(quoting, {}, OPTIONS).catch((thrown: unknown) => thrown)
    expect(serverText(error)).toContain('secret row')
    expect(`${JSON.stringify(error)}${(error as Error).message}${(error as Error).stack}`).not.toContain('secret row')
    expect(Object.keys(error as object)).not.toContain('serverText')
    expect((error as Error).cause).toBeUndefined()
  })

  it('a query on an engine that is down is retried, then is `unavailable`', async () => {
    await using connection = openClickHouse({ url: 'http://127.0.0.1:9', user: 'api', password: '', database: 'orrery', retryForMs: 300 })
    const failed = openReadModel(connection).tip()
    await expect(failed).rejects.toMatchObject({ kind: 'unavailable', code: 'read_model_unreachable' })
    expect(await openReadModel(connection).answers()).toBe(false)
  })
})

describe('ledgers and close times', () => {
  it('ledgers and close times are found from one another', async () => {
    const { readModel, store } = await setUp()
    await store.writeLedgers(ledgersUpTo(40).slice(9), 1n)
    expect(await readModel.closeTimeOf(20, OPTIONS)).toBe(closeTimeOf(20))
    expect(await readModel.closeTimeOf(50, OPTIONS)).toBe(closeTimeOf(40))
    expect(await readModel.closeTimeOf(9, OPTIONS)).toBeNull()
    expect(await readModel.ledgerAtOrBefore(closeTimeOf(20) + 4, OPTIONS)).toEqual({ ledger: 20, closeTimeSeconds: closeTimeOf(20) })
    expect(await readModel.ledgerAtOrBefore(closeTimeOf(10) - 1, OPTIONS)).toBeNull()
  })

  it('ledgers and close times are read once, unless a later ledger can change the answer', async () => {
    const { database, readModel, store } = await setUp()
    const readTimes = async (requestId: string) => {
      const options = { tag: { route: '', requestId: `${database.name}-${requestId}` } }
      return [
        await readModel.closeTimeOf(20, options),
        await readModel.closeTimeOf(50, options),
        await readModel.ledgerAtOrBefore(closeTimeOf(20), options),
        await readModel.ledgerAtOrBefore(closeTimeOf(40), options),
      ]
    }
    const at = (ledger: number) => ({ ledger, closeTimeSeconds: closeTimeOf(ledger) })
    await store.writeLedgers(ledgersUpTo(40), 1n)
    expect(await readTimes('first')).toEqual([closeTimeOf(20), closeTimeOf(40), at(20), at(40)])
    expect(await rowsRead(database, `${database.name}-first`)).toMatchObject({ ledger_time: expect.anything() })
    // The 41st closes in the same second as the 40th.
    await store.writeLedgers([...ledgersUpTo(60).slice(41), { ledger: 41, closeTimeSeconds: closeTimeOf(40), hash: '00' }], 2n)
    expect(await readTimes('second')).toEqual([closeTimeOf(20), closeTimeOf(50), at(20), { ledger: 41, closeTimeSeconds: closeTimeOf(40) }])
    await readTimes('third')
    expect(await rowsRead(database, `${database.name}-third`)).toEqual({})
  })
})

describe('state as of a ledger', () => {
  it('state as of a ledger equals the history, for any history and any ledger', async () => {
    const { readModel, store } = await setUp()
    await store.activateIfNone('soroswap', 1, 1)
    const contracts = ['C1', 'C2', 'C3']
    // Around two borders of a bucket, with changes in bursts.
    const ledger = fc.oneof(
      fc.integer({ min: 1, max: 60 }),
      fc.integer({ min: 16_370, max: 16_400 }),
      fc.integer({ min: 49_140, max: 49_160 }),
    )
    const change = fc.record({
      contract: fc.constantFrom(...contracts),
      key: fc.constantFrom('pair', 'counters', '@G1:shares', '@G2:shares'),
      ledger,
      removed: fc.boolean(),
    })
    const changes = fc.sample(change, { numRuns: 400, seed: 11 })
    const history = new Map<string, StateRow>()
    for (const [n, { contract, key, ledger, removed }] of changes.entries()) {
      const owner = key.startsWith('@') ? key.slice(1, 3) : ''
      history.set(`${contract} ${key} ${ledger}`, stateRow({ contract, key, ledger, removed, owner, value: removed ? '' : `${n}` }))
    }
    const rows = [...history.values()].sort((a, b) => a.ledger - b.ledger)
    // Other batches than ledgers, the second half of them again.
    for (let first = 0; first < rows.length; first += 60) await store.write([{ ...NO_ROWS, state: rows.slice(first, first + 60) }], 1)
    await store.write([{ ...NO_ROWS, state: rows.slice(rows.length / 2) }], 1)
    await store.write([{ ...NO_ROWS, state: rows.map((row) => ({ ...row, value: 'another version' })) }], 2)

    const expected = (at: number, isSelected: (row: StateRow) => boolean): StateRow[] => {
      const newest = new Map<string, StateRow>()
      for (const row of rows) if (row.ledger <= at && isSelected(row)) newest.set(`${row.contract} ${row.key}`, row)
      return [...newest].sort(([a], [b]) => (a < b ? -1 : 1)).flatMap(([, row]) => (row.removed ? [] : [row]))
    }
    for (const at of [0, 1, 30, 60, 5_000, 16_383, 16_384, 16_390, 16_399, 16_400, 32_768, 49_150, 49_152, 59_999, 60_000]) {
      const all = { protocol: 'soroswap', contracts, ledger: at } as const
      expect(await readModel.stateAsOf(all, OPTIONS), `all at ${at}`).toEqual(expected(at, () => true))
      expect(await readModel.stateAsOf({ ...all, keyFrom: 'a' }, OPTIONS), `of no account at ${at}`).toEqual(
        expected(at, ({ owner }) => owner === ''),
      )
      const some = await readModel.stateAsOf({ ...all, contracts: ['C1', 'C2'], keys: ['pair'] }, OPTIONS)
      expect(some, `some at ${at}`).toEqual(expected(at, ({ contract, key }) => contract !== 'C3' && key === 'pair'))
      const latestSkipped = { ...all, contracts: ['C1', 'C2'], keys: ['counters'], skipLatest: true }
      expect(await readModel.stateAsOf(latestSkipped, OPTIONS), `counters at ${at}`).toEqual(
        expected(at, ({ contract, key }) => contract !== 'C3' && key === 'counters'),
      )
      // Cached with the ledgers around it, of which some were asked for before.
      expect(await readModel.stateAsOf({ ...latestSkipped, cacheable: true }, OPTIONS), `cacheable counters at ${at}`).toEqual(
        expected(at, ({ contract, key }) => contract !== 'C3' && key === 'counters'),
      )
      // Several selections, of which one names again what another has.
      const also = [
        { contracts: ['C2', 'C3'], keys: ['pair'] },
        { contracts: ['C3'], keyFrom: '@G2' },
      ]
      expect(await readModel.stateAsOf({ ...latestSkipped, also }, OPTIONS), `together at ${at}`).toEqual(
        expected(at, ({ contract, key }) =>
          contract === 'C3' ? key >= '@G2' : key === 'counters' || (contract === 'C2' && key === 'pair'),
        ),
      )
      expect(await readModel.ownerStateAsOf({ owners: ['G1'], ledger: at }, OPTIONS), `owner at ${at}`).toEqual(
        expected(at, ({ owner }) => owner === 'G1'),
      )
      expect(await readModel.ownerStateAsOf({ owners: ['G2', 'G1'], ledger: at }, OPTIONS), `owners at ${at}`).toEqual(
        ['G1', 'G2'].flatMap((one) => expected(at, ({ owner }) => owner === one)),
      )
    }
  })

  it('state as of a ledger leaves out a temporary entry whose last live ledger has passed, and keeps an archived one', async () => {
    const { readModel, store } = await setUp()
    await store.activateIfNone('soroswap', 1, 1)
    const owner = EXAMPLE.account
    const temporary = stateRow({ key: '@G:a', durability: 'temporary', ledger: 10, liveUntil: 20, owner })
    const archived = stateRow({ key: '@G:b', durability: 'persistent', ledger: 10, liveUntil: 20, owner })
    await store.write([{ ...NO_ROWS, state: [temporary, archived] }], 1)
    for (const [ledger, rows] of [
      [20, [temporary, archived]],
      [21, [archived]],
    ] as const) {
      expect(await readModel.stateAsOf({ protocol: 'soroswap', contracts: [EXAMPLE.pool], ledger }, OPTIONS)).toEqual(rows)
      expect(await readModel.ownerStateAsOf({ owners: [owner], protocol: 'soroswap', ledger }, OPTIONS)).toEqual(rows)
    }
  })

  it('state as of a ledger reads shared state, more contracts than one request can contain, and nothing of a protocol without an adapter', async () => {
    const { readModel, store } = await setUp()
    const contracts = Array.from({ length: 4_000 }, (_, n) => `C${String(n).padStart(55, '0')}`)
    const state = contracts.map((contract) => stateRow({ contract, scope: SHARED_SCOPE, ledger: 7 }))
    await store.write([{ ...NO_ROWS, state }], 1)
    expect(await readModel.stateAsOf({ protocol: 'soroswap', contracts, ledger: 9 }, OPTIONS)).toEqual([])
    await store.activateIfNone('soroswap', 1, 1)
    expect(await readModel.stateAsOf({ protocol: 'soroswap', contracts, ledger: 9 }, OPTIONS)).toEqual(state)
    expect(await readModel.stateAsOf({ protocol: 'soroswap', contracts: [], ledger: 9 }, OPTIONS)).toEqual([])
    const also = [{ contracts: contracts.toReversed(), keyFrom: 'a' }]
    expect(await readModel.stateAsOf({ protocol: 'soroswap', contracts, ledger: 9, also }, OPTIONS)).toEqual(state)
  })

  it('state as of a ledger reads a bounded number of rows of a key that changes in every ledger for months', async () => {
    const { database, readModel, store, writer } = await setUp()
    await store.activateIfNone('soroswap', 1, 1)
    const insert = `INSERT INTO state_v1 SELECT 'soroswap', {contract:String}, 'pair', toUInt32(number + 1), toDateTime(1700000000 + number * 5, 'UTC'),
      '', 0, 0, 'fact', false, false, toString(number + 1), 1 FROM numbers(1000000)`
    await writer.client.command({ query: insert, query_params: { contract: EXAMPLE.pool } })
    for (const [ledger, limit] of [
      [1_000_000, 20_000],
      [500_000, 60_000],
      [20_000, 60_000],
    ] as const) {
      const requestId = `${database.name}-${ledger}`
      const rows = await readModel.stateAsOf(
        { protocol: 'soroswap', contracts: [EXAMPLE.pool], keyFrom: 'a', ledger },
        { tag: { route: '', requestId } },
      )
      expect(rows).toMatchObject([{ ledger, value: `${ledger}` }])
      const read = await rowsRead(database, requestId)
      expect((read.state_latest ?? 0) + (read.state_of_keys ?? 0), `as of ${ledger}`).toBeLessThan(limit)
    }
  })
})
