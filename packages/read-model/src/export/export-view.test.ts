import { once } from 'node:events'
import { buffer, text } from 'node:stream/consumers'
import { NO_ROWS } from '@orrery/protocol-kit'
import { expect, it } from 'vitest'
import { openStore } from '../clickhouse-store.ts'
import { activityRow, closeTimeOf } from '../testing/example-rows.ts'
import { withDatabases } from '../testing/with-clickhouse.ts'
import { type ExportRequest, exportView, readableViews } from './export-view.ts'

const databases = withDatabases()
const AS_TEXT = { output_format_json_quote_64bit_integers: '1', output_format_json_quote_decimals: '1' } as const

async function setUp() {
  const database = await databases.database()
  const store = openStore(database.connect('writer'))
  await store.activateIfNone('soroswap', 1, 1)
  const ledgers = [3, 1, 2]
  await store.writeLedgers(
    ledgers.map((ledger) => ({ ledger, closeTimeSeconds: closeTimeOf(ledger), hash: `0${ledger}` })),
    1n,
  )
  const activities = ledgers.map((ledger) => activityRow({ key: { ledger, txOrder: 0, opIndex: 0, eventIndex: 0, row: 0 } }))
  await store.write([{ ...NO_ROWS, activities }], 1)
  const admin = database.connect('admin')
  const viewNamed = async (name: string) => {
    const found = (await readableViews(admin)).find((view) => view.name === name)
    if (found === undefined) throw new Error(`no view ${name}`)
    return found
  }
  const exported = async (name: string, request: Partial<Omit<ExportRequest, 'view'>> = {}) =>
    exportView(admin, { view: await viewNamed(name), format: 'csv', protocol: null, ledgers: null, ...request })
  return { database, admin, exported, viewNamed }
}

it('a view is written by ledger, with a header and instants in ISO 8601', async () => {
  const { exported } = await setUp()
  const { rows, bytes } = await exported('ledgers', { ledgers: { from: 2, to: 9 } })
  expect(rows).toBe(2)
  const time = (ledger: number) => new Date(closeTimeOf(ledger) * 1000).toISOString().replace('.000', '')
  expect(
    (await text(bytes))
      .split('\n')
      .slice(0, 3)
      .map((line) => line.split(',').slice(0, 2)),
  ).toEqual([
    ['"ledger"', '"close_time"'],
    ['2', `"${time(2)}"`],
    ['3', `"${time(3)}"`],
  ])
})

it('a protocol without rows gives the header alone, and JSON has a line for each row', async () => {
  const { exported } = await setUp()
  expect((await text((await exported('activities', { protocol: 'fxdao' })).bytes)).trim().split('\n')).toHaveLength(1)
  const lines = (await text((await exported('activities', { format: 'jsonl', protocol: 'soroswap' })).bytes)).trim().split('\n')
  expect(lines.map((line) => JSON.parse(line).ledger)).toEqual([1, 2, 3])
})

it('what is written as Parquet reads back as the same rows', async () => {
  const { database, exported, viewNamed } = await setUp()
  const { rows, bytes } = await exported('activities', { format: 'parquet' })
  const { columns } = await viewNamed('activities')
  // Read by the engine, which has all types of Parquet, as a table that the request brings along.
  const structure = columns.map(({ name, type }) => `${name} ${/Int256|Decimal\(76/.test(type) ? 'Nullable(String)' : type}`).join(', ')
  const question = { query: 'SELECT * FROM file ORDER BY ledger FORMAT JSONEachRow', file_format: 'Parquet', file_structure: structure }
  const form = new FormData()
  form.append('file', new Blob([await buffer(bytes)]))
  const { url, user, password, headers } = database.address('admin')
  const authorization = `Basic ${btoa(`${user}:${password}`)}`
  const parameters = new URLSearchParams({ ...question, ...AS_TEXT, database: database.name })
  const answer = await fetch(`${url}/?${parameters}`, {
    method: 'POST',
    body: form,
    headers: { authorization, ...headers, connection: 'close' },
  })
  if (!answer.ok) throw new Error(await answer.text())
  const read = (await answer.text()).trim().split('\n')
  const wide = columns.filter(({ type }) => /Int256|Decimal\(76/.test(type)).map(({ name }) => name)
  expect([rows, read.length, wide.length > 0]).toEqual([3, 3, true])
  const stored = await database.connect('admin').client.query({
    query: `SELECT * REPLACE (${wide.map((name) => `toString(${name}) AS ${name}`).join(', ')}) FROM activities ORDER BY ledger`,
    format: 'JSONEachRow',
    clickhouse_settings: { output_format_json_quote_64bit_integers: 1, output_format_json_quote_decimals: 1 },
  })
  expect(read.map((line) => JSON.parse(line))).toEqual(await stored.json())
})

it('an export that the server ends before its last row fails', async () => {
  const { admin, exported } = await setUp()
  const rows = `SELECT toUInt32(number) AS ledger, repeat('x', 1000) AS x FROM numbers(300000)`
  await admin.client.command({ query: `CREATE VIEW large (ledger UInt32, x String) AS ${rows}` })
  const { bytes } = await exported('large')
  await once(bytes, 'readable')
  const whole = expect(text(bytes)).rejects.toMatchObject({ code: 'export_cut' })
  await admin.client.command({ query: "KILL QUERY WHERE query LIKE '%`large`%' AND query NOT LIKE '%KILL%' SYNC" })
  await whole
})
