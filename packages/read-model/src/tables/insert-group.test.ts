import { describe, expect, it } from 'vitest'
import type { ClickHouseConnection } from '../connection.ts'
import { stateRow } from '../testing/example-rows.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { encodeRows } from './insert.ts'
import { InsertGroups } from './insert-group.ts'
import { checkpointsTable } from './progress.ts'
import { stateTable } from './state.ts'

const databases = withDatabases()

/** Counts what is sent. */
function counting(connection: ClickHouseConnection): { readonly connection: ClickHouseConnection; readonly sent: string[] } {
  const sent: string[] = []
  const attempt: ClickHouseConnection['attempt'] = (name, work, options) => {
    sent.push(name)
    return connection.attempt(name, work, options)
  }
  return { connection: { ...connection, attempt }, sent }
}

const keysOf = async (connection: ClickHouseConnection): Promise<string[]> => {
  const result = await connection.client.query({ query: 'SELECT key FROM state_v1 ORDER BY key', format: 'JSONCompactEachRow' })
  return ((await result.json()) as [string][]).map(([key]) => key)
}

describe('inserts of several partitions at one moment', () => {
  it('inserts of several partitions at one moment are one request for each table, and each resolves when its rows are stored', async () => {
    const database = await databases.databaseOfTest()
    const { connection, sent } = counting(database.connect('writer'))
    const groups = new InsertGroups(connection)
    const keys = Array.from({ length: 8 }, (_, n) => `key${n}`)
    await Promise.all(keys.map((key) => groups.insert(stateTable, [stateRow({ key })], 1)))
    expect(sent).toEqual(['insert_state_v1'])
    expect(await keysOf(connection)).toEqual(keys)
  })

  it('inserts of several partitions at one moment go without the rows of one that its table refuses', async () => {
    const database = await databases.databaseOfTest()
    const connection = database.connect('writer')
    const groups = new InsertGroups(connection)
    const refused = groups.insert(stateTable, [stateRow({ key: 'bad', ledger: -1 })], 1)
    const stored = groups.insert(stateTable, [stateRow({ key: 'good' })], 1)
    await expect(refused).rejects.toMatchObject({ code: 'row_refused' })
    await stored
    expect(await keysOf(connection)).toEqual(['good'])
  })

  it('an insert of several requests fails when all of them have ended', async () => {
    const database = await databases.databaseOfTest()
    const connection = database.connect('writer')
    const ended: string[] = []
    const attempt: typeof connection.attempt = async (name, work, options) => {
      if (ended.length === 0) {
        ended.push('refused')
        throw new Error('refused')
      }
      const result = await connection.attempt(name, work, options)
      ended.push('stored')
      return result
    }
    const groups = new InsertGroups({ ...connection, attempt })
    // Each fills a request.
    const bodies = ['a', 'b', 'c']
      .flatMap((key) => encodeRows(stateTable, [stateRow({ key })], 1))
      .map((body) => ({ ...body, rows: 60_000 }))
    await expect(groups.send(bodies)).rejects.toThrow('refused')
    expect(ended).toEqual(['refused', 'stored', 'stored'])
    expect(await keysOf(connection)).toEqual(['b', 'c'])
  })

  it('inserts of several partitions at one moment fail together when the engine refuses them, and later ones are not delayed', async () => {
    const database = await databases.databaseOfTest()
    const connection = database.connect('writer')
    const groups = new InsertGroups(connection)
    const nowhere = { ...stateTable, name: 'no_such_table' }
    const results = await Promise.allSettled(['a', 'b'].map((key) => groups.insert(nowhere, [stateRow({ key })], 1)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    await groups.insert(stateTable, [stateRow({ key: 'after' })], 1)
    expect(await keysOf(connection)).toEqual(['after'])
  })
})

describe('inserts that go last', () => {
  const checkpoint = (partition: number) => ({
    at: { protocol: 'soroswap', partition },
    indexVersion: 1,
    ledger: 7,
    closeTimeSeconds: 70,
    offset: 0n,
    rollingHash: '',
  })

  const bodiesOf = (name: string, key: string) => encodeRows({ ...stateTable, name }, [stateRow({ key })], 1)

  /** Holds every insert of state until `release` is called. */
  function holdingState(connection: ClickHouseConnection, lastWaitsMs: number) {
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    const stored: string[] = []
    const attempt: ClickHouseConnection['attempt'] = async (name, work, options) => {
      if (name === 'insert_state_v1') await held
      const result = await connection.attempt(name, work, options)
      stored.push(name)
      return result
    }
    return { groups: new InsertGroups({ ...connection, attempt }, lastWaitsMs), stored, release }
  }

  it('inserts that go last share one request after the rows that were given before them, also where these are refused', async () => {
    const database = await databases.databaseOfTest()
    const { groups, stored, release } = holdingState(database.connect('writer'), 60_000)
    const refused = groups.send(bodiesOf('no_such_table', 'bad'))
    const rows = groups.send(bodiesOf('state_v1', 'a'))
    const last = [0, 1].map((partition) => groups.insertLast(checkpointsTable, [checkpoint(partition)]))
    await expect(refused).rejects.toThrow('lacks a')
    last.push(groups.insertLast(checkpointsTable, [checkpoint(2)]))
    release()
    await Promise.all([rows, ...last])
    expect(stored).toEqual(['insert_state_v1', 'insert_checkpoints_v1'])
  })

  it('inserts that go last do not wait for rows that the engine does not acknowledge for long', async () => {
    const database = await databases.databaseOfTest()
    const { groups, stored, release } = holdingState(database.connect('writer'), 20)
    const rows = groups.send(bodiesOf('state_v1', 'a'))
    await groups.insertLast(checkpointsTable, [checkpoint(0)])
    expect(stored).toEqual(['insert_checkpoints_v1'])
    release()
    await rows
    expect(stored).toEqual(['insert_checkpoints_v1', 'insert_state_v1'])
  })
})
