// Inserts rows into a table: checks and encodes them, sends them as JSONCompactEachRow, and retries while the engine is not reachable.

import { Readable } from 'node:stream'
import { OrreryError } from '@orrery/errors'
import type { ClickHouseConnection } from '../connection.ts'
import type { Table } from './column.ts'

/** Rows of one request: enough that the request's own cost vanishes, few enough that its text stays some tens of megabytes. */
const ROWS_AT_ONCE = 20_000
/** Text that becomes bytes at once: a text of megabytes would be in memory twice, and the first of them until the next full collection. */
const PIECE_CHARACTERS = 64 * 1024

/** One request: rows of one table as text, in pieces. */
export interface InsertBody {
  readonly query: string
  readonly rows: number
  readonly pieces: readonly Buffer[]
}

/**
 * Rows as requests of at most ROWS_AT_ONCE.
 * @param indexVersion last column of tables that have one.
 * @throws OrreryError `bug`/`row_refused` when one cannot be encoded.
 */
export function encodeRows<Row>(table: Table<Row>, rows: readonly Row[], indexVersion?: number): InsertBody[] {
  if (indexVersion !== undefined) assertVersion(indexVersion)
  const columns = indexVersion === undefined ? table.columns : [...table.columns, 'adapter_version']
  const query = `INSERT INTO ${table.name} (${columns.join(', ')}) FORMAT JSONCompactEachRow`
  const requests = encode(table, rows, indexVersion === undefined ? [] : [indexVersion])
  return requests.map((pieces, n) => ({ query, rows: Math.min(ROWS_AT_ONCE, rows.length - n * ROWS_AT_ONCE), pieces }))
}

/** Sends requests of one table as one. Resolves when the engine has acknowledged it. */
export async function sendInsert(connection: ClickHouseConnection, bodies: readonly InsertBody[]): Promise<void> {
  const query = bodies[0]?.query
  if (query === undefined) return
  const pieces = bodies.flatMap((body) => body.pieces)
  const name = `insert_${query.split(' ')[2]}`
  // `exec` instead of `insert`: the text is made already, the client would make it a second time for a retry.
  await connection.attempt(name, async () => {
    const result = await connection.client.exec({ query, values: Readable.from(pieces, { objectMode: false }) })
    await result.stream.resume().toArray()
  })
}

/** The body of each request, in pieces. */
function encode<Row>(table: Table<Row>, rows: readonly Row[], last: readonly number[]): Buffer[][] {
  const requests: Buffer[][] = []
  for (let first = 0; first < rows.length; first += ROWS_AT_ONCE) {
    const pieces: Buffer[] = []
    let lines = ''
    for (const row of rows.slice(first, first + ROWS_AT_ONCE)) {
      lines += `${JSON.stringify([...table.encode(row), ...last])}\n`
      if (lines.length < PIECE_CHARACTERS) continue
      pieces.push(Buffer.from(lines))
      lines = ''
    }
    if (lines !== '') pieces.push(Buffer.from(lines))
    requests.push(pieces)
  }
  return requests
}

function assertVersion(version: number): void {
  if (Number.isInteger(version) && version > 0 && version < 65_536) return
  throw new OrreryError('bug', 'row_refused', 'An index version is a whole number from 1 to 65535.', {
    context: { indexVersion: version },
  })
}
