// The rows of a view as a stream of bytes in a format of files, sorted, up to a ledger.

import { PassThrough, type Readable } from 'node:stream'
import type { ClickHouseSettings } from '@clickhouse/client'
import { OrreryError } from '@orrery/errors'
import type { ProtocolId } from '@orrery/protocol-kit'
import type { ClickHouseConnection } from '../connection.ts'

export const EXPORT_FORMATS = ['csv', 'jsonl', 'parquet'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

const FORMAT_NAMES: Readonly<Record<ExportFormat, string>> = { csv: 'CSVWithNames', jsonl: 'JSONEachRow', parquet: 'Parquet' }

export interface ReadableView {
  readonly name: string
  readonly description: string
  readonly columns: readonly { readonly name: string; readonly type: string }[]
}

/** Every view that readers have, by name. */
export async function readableViews(connection: ClickHouseConnection): Promise<ReadableView[]> {
  const query = `
    SELECT t.name AS name, t.comment AS description, groupArray((c.name, c.type)) AS columns
    FROM system.tables AS t
    INNER JOIN (SELECT table, name, type FROM system.columns WHERE database = currentDatabase() ORDER BY table, position) AS c ON c.table = t.name
    WHERE t.database = currentDatabase() AND t.engine = 'View'
    GROUP BY name, description ORDER BY name`
  type Row = { readonly name: string; readonly description: string; readonly columns: readonly (readonly [string, string])[] }
  const rows = await connection.attempt('readable_views', async () =>
    (await connection.client.query({ query, format: 'JSONEachRow' })).json<Row>(),
  )
  return rows.map(({ columns, ...view }) => ({ ...view, columns: columns.map(([name, type]) => ({ name, type })) }))
}

export interface ExportRequest {
  readonly view: ReadableView
  readonly format: ExportFormat
  /** Null for all; a view without protocols is refused. */
  readonly protocol: ProtocolId | null
  /** Both included. Null for a view without ledgers. */
  readonly ledgers: { readonly from: number; readonly to: number } | null
}

export interface Export {
  /** How many rows it will have. */
  readonly rows: number
  /** Destroyed with an OrreryError where the server ends it early: what came before is then not whole. */
  readonly bytes: Readable
}

/**
 * Sorted by ledger where the view has ledgers, then by the other columns in their order, so that two exports of one index are equal. Integers above
 * 64 bits and decimals of more than 38 digits are text in Parquet, which has no such types that its readers share; instants are UTC in ISO 8601.
 * @param settings Of the statement, beside those of every export.
 * @throws OrreryError `unavailable`/`read_model_unreachable`, and the other errors of a statement.
 */
export async function exportView(
  connection: ClickHouseConnection,
  { view, format, protocol, ledgers }: ExportRequest,
  settings: ClickHouseSettings = {},
): Promise<Export> {
  const conditions = [
    ...(ledgers === null ? [] : ['ledger BETWEEN {from:UInt32} AND {to:UInt32}']),
    ...(protocol === null ? [] : ['protocol = {protocol:String}']),
  ]
  const where = conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`
  const query_params = { ...ledgers, ...(protocol !== null && { protocol }) }
  const counted = await connection.attempt('export_rows', async () =>
    (
      await connection.client.query({ query: `SELECT count() AS rows FROM \`${view.name}\`${where}`, query_params, format: 'JSONEachRow' })
    ).json<{ rows: string }>(),
  )
  const shown = view.columns.map(({ name, type }) =>
    format === 'parquet' && isWide(type) ? `${textOf(name, type)} AS \`${name}\`` : `\`${name}\``,
  )
  const sorted = view.columns.map(({ name }) => name).toSorted((a, b) => Number(b === 'ledger') - Number(a === 'ledger'))
  const query = `SELECT ${shown.join(', ')}
    FROM (SELECT * FROM \`${view.name}\`${where} ORDER BY ${sorted.map((name) => `\`${name}\``).join(', ')})
    FORMAT ${FORMAT_NAMES[format]}`
  const request = { query, query_params, clickhouse_settings: { ...SETTINGS, ...settings } }
  const { stream } = await connection.attempt('export_view', () => connection.client.exec(request))
  // Without its last chunk, an answer that failed after its beginning is aborted.
  const bytes = new PassThrough()
  stream.once('error', (error) => bytes.destroy(endedEarly(error)))
  bytes.once('close', () => stream.destroy())
  return { rows: Number(counted[0]?.rows ?? 0), bytes: stream.pipe(bytes) }
}

const SETTINGS = {
  max_execution_time: 0,
  // A sort of more than this uses the server's disk.
  max_bytes_before_external_sort: String(256 * 1024 ** 2),
  date_time_output_format: 'iso',
  output_format_json_quote_64bit_integers: 1,
  output_format_json_quote_decimals: 1,
} as const

function isWide(type: string): boolean {
  return /Int(128|256)\b|Decimal\((39|[4-7]\d),/.test(type)
}

function textOf(name: string, type: string): string {
  return type.startsWith('Array(') ? `arrayMap(it -> toString(it), \`${name}\`)` : `toString(\`${name}\`)`
}

function endedEarly(cause: unknown): OrreryError {
  return new OrreryError(
    'unavailable',
    'export_cut',
    'ClickHouse ended the export before its last row. Nothing of it was kept. Run the command again.',
    {
      cause,
    },
  )
}
