import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { stateRow } from '../testing/example-rows.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { encodeRows, type InsertBody, joinBodies, packBody, sendInsert } from './insert.ts'
import { stateTable } from './state.ts'

const databases = withDatabases()
const bodyOf = (rows: number, piece = ''): InsertBody => ({ query: 'INSERT', rows, pieces: [Buffer.from(piece)] })

it('requests of one table are joined in their order, up to 20,000 rows each', () => {
  const joined = joinBodies([bodyOf(12_000, 'a'), bodyOf(8_000, 'b'), bodyOf(1, 'c'), bodyOf(20_000, 'd'), bodyOf(5, 'e')])
  expect(joined.map(({ rows, pieces }) => [rows, Buffer.concat(pieces).toString()])).toEqual([
    [20_000, 'ab'],
    [1, 'c'],
    [20_000, 'd'],
    [5, 'e'],
  ])
  expect(joinBodies([])).toEqual([])
})

it('text and frames are not joined', () => {
  const packed = { ...bodyOf(1, 'frame'), isPacked: true }
  expect(joinBodies([packed, packed, bodyOf(2, 'a'), bodyOf(3, 'b')]).map(({ rows, isPacked = false }) => [rows, isPacked])).toEqual([
    [2, true],
    [5, false],
  ])
})

it.each([
  ['some kilobytes', 30],
  ['megabytes', 20_000],
])('a request of frames and text is sent compressed: %s', async (_, count) => {
  const database = await databases.databaseOfTest()
  const connection = database.connect('writer')
  // Texts that do not compress, so that a large request stays one.
  const bodies = Array.from({ length: count }, (_row, n) =>
    encodeRows(stateTable, [stateRow({ key: `key${n}`, value: JSON.stringify({ n, text: randomBytes(60).toString('hex') }) })], 1),
  ) // prettier-ignore
  const joined = joinBodies(bodies.flat())
  await sendInsert(connection, [...joined.map(packBody), ...joinBodies(encodeRows(stateTable, [stateRow({ key: 'as text' })], 1))])
  const query = 'SELECT count(), uniqExact(key), uniqExact(value) FROM state_v1'
  const result = await connection.client.query({ query, format: 'JSONCompactEachRow' })
  expect((await result.json()).map((row) => (row as string[]).map(Number))).toEqual([[count + 1, count + 1, count + 1]])
})

it('a request of many pieces and several blocks is sent whole, and whole again when the request is repeated', async () => {
  const database = await databases.databaseOfTest()
  const connection = database.connect('writer')
  // 3,000 ledgers of one row each: half a megabyte of text.
  const values = Array.from({ length: 3_000 }, (_, n) => `{"n":"${n}","text":"${'x'.repeat(150)}"}`)
  const bodies = joinBodies(values.flatMap((value, n) => encodeRows(stateTable, [stateRow({ key: `key${n}`, value })], 1)))
  const admin = database.connect('admin')
  const repeating: typeof connection = {
    ...connection,
    attempt: async (name, work) => {
      await connection.attempt(name, work)
      await admin.client.command({ query: 'TRUNCATE TABLE state_v1' }) // what is stored at the end is of the second time
      return await connection.attempt(name, work)
    },
  }
  await sendInsert(repeating, bodies)
  const result = await connection.client.query({
    query: 'SELECT count(), uniqExact(key), sum(length(value)) FROM state_v1',
    format: 'JSONCompactEachRow',
  })
  const length = values.reduce((sum, value) => sum + value.length, 0)
  expect((await result.json()).map((row) => (row as string[]).map(Number))).toEqual([[3_000, 3_000, length]])
})
