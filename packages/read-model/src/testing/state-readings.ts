// Readings of state, of contracts and of accounts, each with the count of its statements.

import { randomUUID } from 'node:crypto'
import { NO_ROWS, type ProtocolId, type StateRow } from '@orrery/protocol-kit'
import { openStore } from '../clickhouse-store.ts'
import { openReadModel, type ReadModelOptions } from '../read-model.ts'
import { closeTimeOf, stateRow } from './example-rows.ts'
import type { TestDatabases } from './with-clickhouse.ts'

const history: readonly StateRow[] = ['C1', 'C2', 'C3'].flatMap((contract) =>
  [5, 15, 25].flatMap((ledger) => [
    stateRow({ contract, key: 'counters', ledger, value: `counters of ${contract} at ${ledger}` }),
    stateRow({ contract, key: 'pair', ledger, value: `${contract} at ${ledger}`, removed: contract === 'C3' && ledger > 5 }),
  ]),
)

interface ReadOptions {
  readonly keys?: readonly string[] | undefined
  readonly keyFrom?: string
  readonly skipLatest?: boolean
}

/** An index of three contracts up to ledger 20, and readings of it whose statements are counted. */
export async function setUpStateReadings(databases: TestDatabases, options: ReadModelOptions = {}) {
  const database = await databases.database()
  // Another test may have had the database before.
  const since = Date.now()
  const store = openStore(database.connect('writer'))
  await store.activateIfNone('soroswap', 1, 1)
  await store.writeLedgers(
    Array.from({ length: 200 }, (_, n) => ({ ledger: n + 1, closeTimeSeconds: closeTimeOf(n + 1), hash: '00' })),
    1n,
  )
  const moveTo = (ledger: number, protocol: ProtocolId = 'soroswap') =>
    store.moveCheckpoint({ protocol, partition: 0 }, 1, {
      ledger,
      closeTimeSeconds: closeTimeOf(ledger),
      offset: 1n,
      rollingHash: '',
    })
  await store.write([{ ...NO_ROWS, state: history }], 1)
  await moveTo(20)
  const readModel = openReadModel(database.connect('api'), { tipForMs: 0, ...options })
  /** Common keys of some contracts as of a ledger: the rows, and how many statements they took. */
  const read = async (ledger: number, contracts: readonly string[], options: ReadOptions = {}) => {
    const requestId = randomUUID()
    const { keys, ...others } = { keys: ['counters', 'pair'], ...options }
    const request = { protocol: 'soroswap', ledger, contracts, ...(keys && { keys }), cacheable: true, ...others } as const
    const rows = await readModel.stateAsOf(request, { tag: { route: '/v1/test', requestId } })
    return { rows: rows.map(({ value }) => value), statements: await statements(requestId) }
  }
  /** All entries of some accounts as of a ledger, likewise. */
  const readOwn = async (ledger: number, owners: readonly string[], protocol?: ProtocolId) => {
    const requestId = randomUUID()
    const request = { owners, ledger, ...(protocol !== undefined && { protocol }) }
    const rows = await readModel.ownerStateAsOf(request, { tag: { route: '/v1/test', requestId } })
    return { rows: rows.map(({ value }) => value), statements: await statements(requestId) }
  }
  const statements = async (requestId: string): Promise<number> => {
    const { client } = database.connect('admin')
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    // Their beginnings: the engine logs the end of a statement after it has sent the answer.
    const query = `SELECT count() AS n FROM system.query_log
      WHERE type = 'QueryStart' AND JSONExtractString(log_comment, 'request_id') = {requestId:String}`
    const rows = await (await client.query({ query, query_params: { requestId }, format: 'JSONEachRow' })).json<{ n: string }>()
    return Number(rows[0]?.n)
  }
  /** How often a statement of that name has ended. */
  const finished = async (name: string): Promise<number> => {
    const { client } = database.connect('admin')
    await client.command({ query: 'SYSTEM FLUSH LOGS' })
    const query = `SELECT count() AS n FROM system.query_log
      WHERE type = 'QueryFinish' AND current_database = {database:String} AND event_time_microseconds >= fromUnixTimestamp64Milli({since:Int64}) AND JSONExtractString(log_comment, 'query') = {name:String}`
    const rows = await (await client.query({ query, query_params: { name, database: database.name, since }, format: 'JSONEachRow' })).json<{
      n: string
    }>()
    return Number(rows[0]?.n)
  }
  return { database, read, readOwn, moveTo, store, finished }
}
