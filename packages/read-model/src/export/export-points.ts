// The points of a series, pages of CSV, as a stream of bytes in a format of files: an engine of the export's own reads and writes them.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { type ClickHouseConnection, openClickHouse } from '../connection.ts'
import { startClickHouseHost } from '../host/start-host.ts'
import { type Export, type ExportFormat, exportView } from './export-view.ts'

export interface PointColumn {
  readonly name: string
  /** Type in ClickHouse. An empty field of a nullable one is null. */
  readonly type: string
}

const TABLE = 'points'

/**
 * Sorted as rows of a view are. The engine has a folder of its own, which goes with it: no index is read or written.
 * @param pages Each with a header line, in any order. A page is read when the one before is stored.
 * @param stack Stops the engine; dispose it after the last byte.
 * @throws OrreryError the errors of `startClickHouseHost` and of a statement; whatever `pages` throws.
 */
export async function exportPoints(
  {
    columns,
    pages,
    format,
  }: { readonly columns: readonly PointColumn[]; readonly pages: AsyncIterable<string>; readonly format: ExportFormat },
  stack: AsyncDisposableStack,
): Promise<Export> {
  const connection = await openEngine(stack)
  const definitions = columns.map(({ name, type }) => `\`${name}\` ${type}`).join(', ')
  await run(connection, `CREATE TABLE ${TABLE} (${definitions}) ENGINE = MergeTree ORDER BY tuple()`)
  for await (const page of pages) {
    await connection.attempt('store_points', () =>
      connection.client.insert({
        table: TABLE,
        values: Readable.from([page], { objectMode: false }),
        format: 'CSVWithNames',
        clickhouse_settings: { input_format_csv_empty_as_default: 1, input_format_with_names_use_header: 1 },
      }),
    )
  }
  const view = { name: TABLE, description: '', columns }
  // Integers of an answer are numbers in its JSON.
  return exportView(connection, { view, format, protocol: null, ledgers: null }, { output_format_json_quote_64bit_integers: 0 })
}

async function openEngine(stack: AsyncDisposableStack): Promise<ClickHouseConnection> {
  const dir = await mkdtemp(join(tmpdir(), 'orrery-export-'))
  stack.defer(() => rm(dir, { recursive: true, force: true }))
  const address = stack.use(await startClickHouseHost({ dir })).address('admin')
  await using beside = openClickHouse({ ...address, database: 'system' })
  await run(beside, `CREATE DATABASE \`${address.database}\``)
  return stack.use(openClickHouse(address))
}

function run(connection: ClickHouseConnection, query: string): Promise<unknown> {
  return connection.attempt('prepare_export', () => connection.client.command({ query }))
}
