import { createHash } from 'node:crypto'
import { NO_ROWS, type Rows } from '@orrery/protocol-kit'
import { expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import type { ClickHouseConnection } from '../connection.ts'
import { stateRow } from '../testing/example-rows.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { WaitingRows } from './packed-rows.ts'

const databases = withDatabases()
const LEDGERS = 300

/** One row of four kilobytes in each ledger: more than a megabyte in all. Half of its text is as in every other row. */
const rowsOf = (ledger: number): Rows => ({
  ...NO_ROWS,
  state: [
    stateRow({ key: `key${ledger}`, ledger, value: JSON.stringify({ ledger, same: 'x'.repeat(2_000), own: `${ledger}`.repeat(500) }) }),
  ],
})
const all = Array.from({ length: LEDGERS }, (_, n) => rowsOf(n + 1))

async function storeOf(connection: ClickHouseConnection) {
  const query = 'SELECT key, ledger, lower(hex(SHA256(value))) FROM state_v1 ORDER BY ledger'
  const stored = async () => (await (await connection.client.query({ query, format: 'JSONCompactEachRow' })).json()) as unknown[]
  return { store: openStore(connection), stored }
}

/** The first statement of this name fails. */
function refusingOnce(connection: ClickHouseConnection, statement: string): ClickHouseConnection {
  let refusals = 1
  return {
    ...connection,
    attempt: async (name, work, options) => {
      if (name === statement && refusals-- > 0) throw new Error('refused')
      return connection.attempt(name, work, options)
    },
  }
}

const expected = all.flatMap(({ state }) =>
  state.map(({ key, ledger, value }) => [key, ledger, createHash('sha256').update(value).digest('hex')]),
)

it('rows of hundreds of ledgers are stored as they were encoded, and each is sent once, wherever batches end', async () => {
  const database = await databases.databaseOfTest()
  const withoutMerges = 'ALTER TABLE state_v1 MODIFY SETTING max_bytes_to_merge_at_max_space_in_pool = 1'
  await database.connect('admin').client.command({ query: withoutMerges })
  const { store, stored } = await storeOf(database.connect('writer'))
  const ledgers = all.map(store.encoder(1))
  // Packs end where their text is long enough, which is nowhere near the ends of these batches.
  for (const [from, to] of [
    [0, 100],
    [100, 101],
    [101, LEDGERS],
  ])
    await store.writeEncoded(ledgers.slice(from, to))
  // Without merges and FINAL: a row that was sent twice would be here twice.
  expect(await stored()).toEqual(expected)
  expect(ledgers.map((ledger) => ledger.count('state'))).toEqual(all.map(() => 1))
  const kept = ledgers.filter((ledger) => ledger instanceof WaitingRows && ledger.bodies.size > 0)
  expect(kept).toEqual([]) // the text of what is stored is let go
})

it('of two tables of which one is refused, both are sent again', async () => {
  const database = await databases.databaseOfTest()
  const connection = database.connect('writer')
  const notice = { protocol: 'soroswap', partition: 0, contract: 'C', kind: 'event', reason: 'x', closeTimeSeconds: 1, count: 1 } as const
  const { store, stored } = await storeOf(refusingOnce(connection, 'insert_notices_v1'))
  const ledgers = all.map((rows, n) => ({ ...rows, notices: [{ ...notice, ledger: n + 1 }] })).map(store.encoder(1))
  await expect(store.writeEncoded(ledgers)).rejects.toThrow('refused')
  await store.writeEncoded(ledgers)
  const query = 'SELECT count() AS n FROM notices_v1 FINAL'
  expect(await (await connection.client.query({ query, format: 'JSONEachRow' })).json()).toEqual([{ n: `${LEDGERS}` }])
  expect(new Set((await stored()).map((row) => JSON.stringify(row)))).toEqual(new Set(expected.map((row) => JSON.stringify(row))))
})

it('while rows wait, those of all but the last ledgers are a tenth of their text', async () => {
  const database = await databases.databaseOfTest()
  const { store } = await storeOf(database.connect('writer'))
  const ledgers = all.map(store.encoder(1)).filter((ledger) => ledger instanceof WaitingRows)
  const packs = new Set(ledgers.flatMap(({ pack }) => pack ?? []))
  const bytesOf = (bodies: WaitingRows['bodies']) => [...bodies.values()].flat().flatMap(({ pieces }) => pieces.map(({ length }) => length))
  const sum = (bytes: readonly number[]) => bytes.reduce((total, one) => total + one, 0)
  const text = sum(all.flatMap(({ state }) => state.map(({ value }) => value.length)))
  expect(packs.size).toBeGreaterThanOrEqual(3)
  expect(sum(ledgers.flatMap(({ bodies }) => bytesOf(bodies)))).toBeLessThan(300 * 1024)
  expect(sum([...packs].flatMap(({ bodies }) => bytesOf(bodies)))).toBeLessThan(text / 10)
})

it('rows that could not be stored are sent again, those in packs too', async () => {
  const database = await databases.databaseOfTest()
  const { store, stored } = await storeOf(refusingOnce(database.connect('writer'), 'insert_state_v1'))
  const ledgers = all.map(store.encoder(1))
  await expect(store.writeEncoded(ledgers)).rejects.toThrow('refused')
  expect(await stored()).toEqual([])
  await store.writeEncoded(ledgers)
  expect(await stored()).toEqual(expected)
})
