// How each table of the schema is verified. The list comes from the database, so a table that a migration adds is compared without an edit
// here; one that cannot be compared by its columns is refused, and a test fails by its name.

import { assert } from '@orrery/errors'
import type { ClickHouseConnection } from '../connection.ts'

/**
 * - `rows`: one row for each key and ledger. All rows of the range are compared.
 * - `newest`: one row for each key, that of the newest ledger. A row that a ledger after the range has replaced is not compared.
 * - `oldest`: one row for each key, that of the oldest ledger. A row of a ledger before the range is not compared.
 */
export type Comparison = 'rows' | 'newest' | 'oldest'

export interface VerifiedTable {
  readonly name: string
  readonly comparison: Comparison
  /** Column with the ledger of the row. */
  readonly ledger: string
  /** Columns of the sort key. */
  readonly key: readonly string[]
  /** All columns, the key included, in the order of the table. */
  readonly columns: readonly string[]
}

/** Tables that no ledger determines, with the reason. `checkpoints_v1` is compared with the event log instead. */
export const UNFOLDED_TABLES: Readonly<Record<string, string>> = {
  checkpoints_v1: 'progress of the adapters: compared with the slices of the log',
  adapter_health_v1: 'reports of running adapters',
  active_versions_v1: 'which index version readers see: a decision of the operator',
  index_versions_v1: 'which index versions there are: decisions of the operator',
  verifications_v1: 'verdicts of earlier verifications',
}

interface SchemaRow {
  readonly table: string
  readonly engine: string
  readonly sorting_key: string
  readonly column: string
}

/**
 * What the engine computes from other columns is neither compared nor inserted. Of a cluster: the tables of a shard have sort keys, and statements
 * read the tables of all shards, without `_local`.
 */
const SCHEMA_SQL = `
  SELECT replaceRegexpOne(c.table, '_local$', '') AS table, t.engine_full AS engine, t.sorting_key AS sorting_key, c.name AS column
  FROM system.columns AS c INNER JOIN system.tables AS t ON t.database = c.database AND t.name = c.table
  WHERE c.database = {database:String} AND match(c.table, '_v[0-9]+(_local)?$') AND t.engine LIKE '%MergeTree'
    AND c.default_kind != 'MATERIALIZED'
  ORDER BY table, c.position`

/** The tables of the connection's database that a fold, or a materialized view over its rows, fills. */
export async function verifiedTables(connection: ClickHouseConnection): Promise<VerifiedTable[]> {
  const { client, database } = connection
  const request = { query: SCHEMA_SQL, query_params: { database }, format: 'JSONEachRow' } as const
  const rows = await connection.attempt('verified_tables', async () => (await client.query(request)).json<SchemaRow>())
  return [...Map.groupBy(rows, (row) => row.table)]
    .filter(([name]) => !(name in UNFOLDED_TABLES))
    .map(([name, [first, ...rest]]) => tableOf(name, first ? [first, ...rest] : []))
}

function tableOf(name: string, rows: readonly SchemaRow[]): VerifiedTable {
  const columns = rows.map(({ column }) => column)
  const key = (rows[0]?.sorting_key ?? '').split(',').map((column) => column.trim())
  const ledger = ['ledger', 'first_ledger'].find((column) => columns.includes(column))
  const isWhole = ledger !== undefined && key.every((column) => columns.includes(column))
  assert(isWhole, `The table ${name} has no ledger or another sort key than columns: verify cannot compare it.`)
  // A replicated table has its path and the name of the replica before it.
  const version = /ReplacingMergeTree\((?:'[^']*', '[^']*', )?(\w+)\)/.exec(rows[0]?.engine ?? '')?.[1]
  const comparison = key.includes(ledger) ? 'rows' : version === 'ledger' ? 'newest' : 'oldest'
  assert(comparison !== 'oldest' || version === 'earliness', `The table ${name} keeps neither the newest nor the oldest row of a key.`)
  return { name, comparison, ledger, key, columns }
}
