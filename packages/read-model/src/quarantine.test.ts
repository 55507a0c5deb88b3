import { contractId } from '@orrery/ledger'
import { NO_ROWS, partitionOf } from '@orrery/protocol-kit'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openStore } from './clickhouse-store.ts'
import { openClickHouse } from './connection.ts'
import { defineQuery } from './query.ts'
import { openReadModel } from './read-model.ts'
import type { HealthReport } from './store.ts'
import { activityRow, closeTimeOf, stateRow } from './testing/example-rows.ts'
import { withDatabases } from './testing/with-clickhouse.ts'

const databases = withDatabases()
const OPTIONS = { tag: { route: '/v1/test', requestId: 'request-1' } } as const
const PARTITIONS = 3
const QUARANTINED_AT = 10
const LAST = 20

const CONTRACTS = Array.from({ length: 12 }, (_, n) => ({
  id: contractId(new Uint8Array(32).fill(n)),
  bytes: new Uint8Array(32).fill(n),
}))
const idsIn = (partition: number): string[] =>
  CONTRACTS.filter(({ bytes }) => partitionOf(bytes, PARTITIONS) === partition).map(({ id }) => id)
const inOrder = (ids: readonly string[]): string[] => ids.toSorted()

const report = (partition: number, state: HealthReport['state'], reportedAtMs: number): HealthReport => ({
  ...{ protocol: 'soroswap', partition, indexVersion: 1, reportedAtMs, state },
  ...{ checkpointLedger: 1, checkpointCloseTimeSeconds: 1, seenLedger: 1, seenCloseTimeSeconds: 1, sourceEnded: false, sourceHeardAtMs: 0 },
  ...{ progressedAtMs: 0, gap: null, error: '', errorsLastHour: 0, contractsTracked: 0 },
})

const activities = defineQuery({
  name: 'activity_contracts',
  params: z.object({ watermark: z.int() }),
  row: z.object({ contract: z.string() }),
  watermark: 'required',
  sql: 'SELECT DISTINCT contract FROM activities_by_contract_v1 WHERE ledger <= {watermark:UInt32} ORDER BY contract',
})

/** Rows of twelve pools in three partitions, of which number 1 is quarantined after ledger 10. */
async function setUp(shared: readonly string[] = []) {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0, sharedContracts: () => shared })
  await store.activateIfNone('soroswap', 1, PARTITIONS)
  await store.writeLedgers(
    Array.from({ length: LAST }, (_, n) => ({ ledger: n + 1, closeTimeSeconds: closeTimeOf(n + 1), hash: '00' })),
    1n,
  )
  const rows = CONTRACTS.map(({ id, bytes }, n) => ({
    state: stateRow({ contract: id, key: 'pair', ledger: 5, scope: partitionOf(bytes, PARTITIONS) }),
    activity: activityRow({ contract: id, key: { ledger: 5, txOrder: n, opIndex: 0, eventIndex: 0, row: 0 } }),
  }))
  await store.write([{ ...NO_ROWS, state: rows.map(({ state }) => state), activities: rows.map((row) => row.activity) }], 1)
  for (const partition of [0, 1, 2]) {
    const ledger = partition === 1 ? QUARANTINED_AT : LAST
    await store.moveCheckpoint({ protocol: 'soroswap', partition }, 1, {
      ledger,
      closeTimeSeconds: closeTimeOf(ledger),
      offset: 1n,
      rollingHash: '',
    })
  }
  await store.reportHealth([report(1, 'quarantined', 1)])
  const states = async (ledger: number, asOf?: number) => {
    const rows = await readModel.stateAsOf({ protocol: 'soroswap', ledger, contracts: CONTRACTS.map(({ id }) => id) }, { ...OPTIONS, asOf })
    return rows.map(({ contract }) => contract)
  }
  const contracts = async (watermark: number, asOf?: number) =>
    (await readModel.query(activities, { watermark }, { ...OPTIONS, asOf })).map(({ contract }) => contract)
  return { database, store, readModel, states, contracts }
}

const ALL = inOrder(CONTRACTS.map(({ id }) => id))
const OTHERS = inOrder([...idsIn(0), ...idsIn(2)])

describe('a quarantined partition', () => {
  it('does not lower the watermark until its newest report says otherwise', async () => {
    const { database, readModel, store } = await setUp()
    expect(idsIn(1).length).toBeGreaterThan(0)
    expect((await readModel.watermark()).ledger).toBe(LAST)
    await store.reportHealth([report(1, 'running', 2)])
    await using later = openReadModel(database.connect('api'), { tipForMs: 0 })
    expect((await later.watermark()).ledger).toBe(QUARANTINED_AT)
  })

  it('whose release is reported behind what readers have seen stays left out until it is there: the watermark never moves back', async () => {
    const { readModel, store, states } = await setUp()
    expect((await readModel.watermark()).ledger).toBe(LAST)
    await store.reportHealth([report(1, 'running', 2)])
    const moveTo = (ledger: number) =>
      store.moveCheckpoint({ protocol: 'soroswap', partition: 1 }, 1, {
        ...{ ledger, closeTimeSeconds: closeTimeOf(ledger), offset: BigInt(ledger), rollingHash: '' },
      })
    await moveTo(LAST - 1)
    expect([(await readModel.watermark()).ledger, await states(LAST)]).toEqual([LAST, OTHERS])
    await moveTo(LAST)
    expect([(await readModel.watermark()).ledger, await states(LAST)]).toEqual([LAST, ALL])
  })

  it('does not lower the watermark either where all other partitions become quarantined', async () => {
    const { readModel, store, states } = await setUp()
    await store.reportHealth([report(0, 'quarantined', 1)])
    await store.reportHealth([report(2, 'quarantined', 1)])
    expect((await readModel.watermark(['soroswap'])).ledger).toBe(LAST)
    expect(await states(LAST)).toEqual(OTHERS)
  })

  it('of another index version is no concern of readers', async () => {
    const { readModel, store } = await setUp()
    await store.reportHealth([{ ...report(1, 'running', 2) }])
    await store.reportHealth([{ ...report(1, 'quarantined', 3), indexVersion: 2 }])
    expect((await readModel.watermark()).ledger).toBe(QUARANTINED_AT)
  })

  it('has no rows of its pools in a statement as of a ledger after its checkpoint, and all of them as of an earlier one', async () => {
    const { states, contracts } = await setUp()
    for (const read of [states, contracts]) {
      expect(await read(LAST)).toEqual(OTHERS)
      expect(await read(QUARANTINED_AT)).toEqual(ALL)
      expect(await read(LAST, QUARANTINED_AT)).toEqual(ALL)
      expect(await read(LAST)).toEqual(OTHERS)
    }
  })

  it('gives its pools to an answer as of an earlier ledger without giving them to later answers as of the newest', async () => {
    const { store, readModel } = await setUp()
    const [pool = ''] = idsIn(1)
    const values = async (asOf?: number) => {
      const request = { protocol: 'soroswap', ledger: LAST, contracts: [pool], keys: ['pair'], cacheable: true } as const
      return (await readModel.stateAsOf(request, { ...OPTIONS, asOf })).map(({ ledger }) => ledger)
    }
    expect(await values(QUARANTINED_AT)).toEqual([5])
    // The partition catches up with a row that the earlier answer could not have.
    await store.write([{ ...NO_ROWS, state: [stateRow({ contract: pool, key: 'pair', ledger: 15, scope: 1 })] }], 1)
    const at = { ledger: LAST, closeTimeSeconds: closeTimeOf(LAST), offset: 2n, rollingHash: '' }
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 1 }, 1, at)
    await store.reportHealth([report(1, 'running', 2)])
    expect(await values()).toEqual([15])
  })

  it('does not leave what later answers need out of rows that are read for the ledgers around them', async () => {
    const { store, readModel } = await setUp()
    const [pool = ''] = idsIn(1)
    const values = async (ledger: number) => {
      const request = { protocol: 'soroswap', ledger, contracts: [pool], keys: ['pair'], skipLatest: true, cacheable: true } as const
      return (await readModel.stateAsOf(request, OPTIONS)).map((row) => row.ledger)
    }
    expect(await values(8)).toEqual([5])
    expect(await values(QUARANTINED_AT)).toEqual([5])
    // Released, it folds its next ledger, which also records what an entry was at the end of its last one.
    const rows = [
      stateRow({ contract: pool, key: 'pair', ledger: QUARANTINED_AT, scope: 1, inferred: true }),
      stateRow({ contract: pool, key: 'pair', ledger: 15, scope: 1 }),
    ]
    await store.write([{ ...NO_ROWS, state: rows }], 1)
    const at = { ledger: LAST, closeTimeSeconds: closeTimeOf(LAST), offset: 2n, rollingHash: '' }
    await store.moveCheckpoint({ protocol: 'soroswap', partition: 1 }, 1, at)
    await store.reportHealth([report(1, 'running', 2)])
    expect(await values(QUARANTINED_AT)).toEqual([QUARANTINED_AT])
    expect(await values(15)).toEqual([15])
  })

  it('does not take contracts with it that answers about all pools need', async () => {
    const [kept = ''] = idsIn(1)
    const { states, contracts } = await setUp([kept])
    for (const read of [states, contracts]) expect(await read(LAST)).toEqual(inOrder([...OTHERS, kept]))
  })
})

it('another index version is activated only when its partitions are as far as readers see, also those that are quarantined in the active one', async () => {
  const { store, readModel } = await setUp()
  const made = await store.findOrCreateIndexVersion({ protocol: 'soroswap', adapterVersion: 9, partitions: PARTITIONS, purpose: 'upgrade' })
  const moveTo = (partition: number, ledger: number) =>
    store.moveCheckpoint({ protocol: 'soroswap', partition }, made.indexVersion, {
      ledger,
      closeTimeSeconds: closeTimeOf(ledger),
      offset: 1n,
      rollingHash: '',
    })
  await moveTo(0, LAST)
  await moveTo(2, LAST)
  await moveTo(1, QUARANTINED_AT + 2)
  expect(await store.activateIfComplete(made)).toBe(false)
  expect((await readModel.watermark()).ledger).toBe(LAST)
  await moveTo(1, LAST)
  expect(await store.activateIfComplete(made)).toBe(true)
  expect((await readModel.watermark()).ledger).toBe(LAST)
})

it('every table with a column of pools or contracts is filtered, or has no rows of pools by themselves', async () => {
  const { database } = await setUp()
  const { client } = database.connect('admin')
  const tables = await (
    await client.query({
      query: `SELECT DISTINCT table FROM system.columns WHERE database = currentDatabase() AND name IN ('contract', 'pool') AND table LIKE '%\\_v1'
        ORDER BY table`,
      format: 'JSONEachRow',
    })
  ).json<{ table: string }>()
  const unfiltered: string[] = []
  for (const { table } of tables) {
    const read = defineQuery({
      ...{ name: 'counted', watermark: 'required', params: z.object({ watermark: z.int() }), row: z.object({ rows: z.string() }) },
      sql: `SELECT count() AS rows FROM ${table} WHERE {watermark:UInt32} > 0`,
    })
    let settings: unknown
    const connection = openClickHouse(database.address('api'))
    const inner = connection.client.select.bind(connection.client)
    Object.assign(connection.client, {
      select: (asked: Parameters<typeof inner>[0]) => {
        settings = asked.clickhouse_settings?.additional_table_filters ?? settings
        return inner(asked)
      },
    })
    await using readModel = openReadModel(connection, { tipForMs: 0 })
    await readModel.query(read, { watermark: LAST }, OPTIONS)
    if (settings === undefined) unfiltered.push(table)
  }
  expect(tables.length).toBeGreaterThan(15)
  // Counts of what could not be used, and views of analysts, are not read as rows of pools.
  expect(unfiltered).toEqual(['notices_v1'])
})

it('the engine computes the partition of an address as ingest does', async () => {
  const { client } = (await databases.database()).connect('admin')
  const made = fc.sample(fc.tuple(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.integer({ min: 2, max: 1_024 })), 200)
  const query = `SELECT arrayMap((id, count) -> toUInt32(xxHash64(substring(tryBase32Decode(id), 2, 32)) % count),
    {ids:Array(String)}, {counts:Array(UInt32)}) AS partitions`
  const query_params = { ids: made.map(([bytes]) => contractId(bytes)), counts: made.map(([, count]) => count) }
  const [found] = await (await client.query({ query, query_params, format: 'JSONEachRow' })).json<{ partitions: number[] }>()
  expect(found?.partitions).toEqual(made.map(([bytes, count]) => partitionOf(bytes, count)))
})
