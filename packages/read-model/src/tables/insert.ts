// How rows get into a table: checked and encoded here, sent as JSONCompactEachRow, repeated while the engine cannot be reached.

import { Readable } from 'node:stream'
import { OrreryError } from '@orrery/errors'
import type { ClickHouseConnection } from '../connection.ts'
import type { Table } from './column.ts'

/** Rows of one request: enough that the request's own cost vanishes, few enough that its text stays some tens of megabytes. */
const ROWS_AT_ONCE = 20_000

/**
 * Inserts `rows`, in requests of at most ROWS_AT_ONCE; resolves when the engine has acknowledged all of them. No rows: no request.
 * Nothing is sent when a row cannot be encoded.
 *
 * @param adapterVersion last column of tables that have one.
 */
export async function insertRows<Row>(
  connection: ClickHouseConnection,
  table: Table<Row>,
  rows: readonly Row[],
  adapterVersion?: number,
): Promise<void> {
  if (adapterVersion !== undefined) assertVersion(adapterVersion)
  const columns = adapterVersion === undefined ? table.columns : [...table.columns, 'adapter_version']
  const query = `INSERT INTO ${table.name} (${columns.join(', ')}) FORMAT JSONCompactEachRow`
  const requests = encode(table, rows, adapterVersion === undefined ? [] : [adapterVersion])
  for (const request of requests) {
    // `exec` instead of `insert`: the text is ours already, the client would make it a second time for a retry.
    await connection.attempt(`insert_${table.name}`, async () => {
      const result = await connection.client.exec({ query, values: Readable.from([request], { objectMode: false }) })
      await result.stream.resume().toArray()
    })
  }
}

function encode<Row>(table: Table<Row>, rows: readonly Row[], last: readonly number[]): string[] {
  const requests: string[] = []
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    let lines = ''
    for (const row of rows.slice(first, first + ROWS_AT_ONCE)) lines += `${JSON.stringify([...table.encode(row), ...last])}\n`
    requests.push(lines)
  }
  return requests
}

function assertVersion(version: number): void {
  if (Number.isInteger(version) && version > 0 && version < 65_536) return
  throw new OrreryError('bug', 'row_refused', 'An adapter version is a whole number from 1 to 65535.', {
    context: { adapterVersion: version },
  })
}
