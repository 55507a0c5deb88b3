// Compares a table of the verified database with the same table of the scratch database: every column of every row of a range, by ClickHouse
// itself. Both sides have the types of one schema, so no value is converted before it is compared.

import type { ClickHouseConnection } from '../connection.ts'
import type { VerifiedTable } from './verified-tables.ts'

/** The rows of ledgers from `from` to `to`, of these adapter versions. */
export interface ComparedRange {
  readonly from: number
  readonly to: number
  readonly versions: readonly { readonly protocol: string; readonly version: number }[]
}

/** `missing`: folded again, not stored. `extra`: stored, not folded again. `changed`: both, with other values. */
export type DifferenceKind = 'missing' | 'extra' | 'changed'

/** Values are ClickHouse's own text of them. Null is NULL. */
export interface RowDifference {
  readonly kind: DifferenceKind
  readonly ledger: number
  readonly key: Readonly<Record<string, string | null>>
  /** The columns that differ; none where a whole row is missing or extra. */
  readonly columns: readonly { readonly column: string; readonly stored: string | null; readonly expected: string | null }[]
}

export interface TableDifferences {
  readonly table: string
  readonly counts: Readonly<Record<DifferenceKind, number>>
  readonly firstLedger: number
  readonly lastLedger: number
  /** Differences by protocol ('' in tables without one) and the partition that folds the row; null where the table does not have it. */
  readonly places: readonly {
    readonly protocol: string
    readonly partition: number | null
    readonly firstLedger: number
    readonly lastLedger: number
  }[]
  /** The first ones, by ledger. */
  readonly examples: readonly RowDifference[]
}

interface PlaceRow {
  readonly of_protocol: string
  readonly of_partition: number
  readonly of_kind: DifferenceKind
  readonly differences: string
  readonly first: number
  readonly last: number
}

interface ExampleRow {
  readonly verify_kind: DifferenceKind
  readonly verify_at: number
  readonly verify_stored: readonly (string | null)[]
  readonly verify_expected: readonly (string | null)[]
}

/** What a comparison holds in memory before it goes on on the disk, and the most that it may take, bytes. */
const SETTINGS = {
  max_bytes_before_external_group_by: '268435456',
  max_bytes_before_external_sort: '268435456',
  max_memory_usage: '1073741824',
  max_threads: 2,
  max_execution_time: 0,
}

/** Scope of state that all partitions fold. */
const NO_PARTITION = 65_535

/**
 * Null when the rows are equal.
 * @param scratch A connection that may read both databases; its database has the rows of the second fold.
 * @param most Examples to return.
 */
export async function compareTable(
  scratch: ClickHouseConnection,
  verified: string,
  table: VerifiedTable,
  range: ComparedRange,
  most: number,
): Promise<TableDifferences | null> {
  const differing = differencesSql(table, `\`${verified}\``, `\`${scratch.database}\``)
  const query_params = { ...rangeParams(range), most }
  const select = async <Row>(query: string): Promise<Row[]> =>
    scratch.attempt(`verify_${table.name}`, async () =>
      (await scratch.client.query({ query, query_params, clickhouse_settings: SETTINGS, format: 'JSONEachRow' })).json<Row>(),
    )
  const places = await select<PlaceRow>(placesSql(table, differing))
  if (places.length === 0) return null
  const examples = await select<ExampleRow>(
    `SELECT verify_kind, verify_at, verify_stored, verify_expected FROM (${differing})
    ORDER BY verify_at, verify_kind, verify_stored, verify_expected LIMIT {most:UInt32}`,
  )
  return summary(table, places, examples)
}

/**
 * One row for each key that differs, with all columns of both sides as text. An empty array: the side has no such row. The names of this
 * statement begin with `verify_`, which no column does.
 */
export function differencesSql(table: VerifiedTable, stored: string, scratch: string): string {
  const { name, comparison, ledger, key, columns } = table
  const all = columns.map(quoted).join(', ')
  const keys = key.map(quoted).join(', ')
  const active = activeVersionsSql(table)
  const rows = (database: string, side: number) =>
    `SELECT ${all}, toInt8(${side}) AS verify_side FROM ${database}.${name} FINAL WHERE ${quoted(ledger)} BETWEEN {from:UInt32} AND {to:UInt32}${active}`
  const texts = `[${columns.map((column) => `CAST(toString(${quoted(column)}) AS Nullable(String))`).join(', ')}]`
  const places = ['protocol', ...PARTITION_COLUMNS]
    .filter((column) => columns.includes(column))
    .map((column) => `any(${column}) AS verify_${column}, `)
  const replaced = comparison === 'newest' ? `${quoted(ledger)} > {to:UInt32}` : `${quoted(ledger)} < {from:UInt32}`
  const notReplaced = `WHERE verify_kind != 'missing' OR (${keys}) NOT IN (SELECT ${keys} FROM ${stored}.${name} FINAL WHERE ${replaced}${active})`
  return `SELECT * FROM (
      SELECT ${keys}, ${places.join('')}min(verify_ledger) AS verify_at,
        anyIf(verify_texts, verify_sum > 0) AS verify_stored, anyIf(verify_texts, verify_sum < 0) AS verify_expected,
        multiIf(countIf(verify_sum > 0) = 0, 'missing', countIf(verify_sum < 0) = 0, 'extra', 'changed') AS verify_kind
      FROM (
        SELECT ${all}, sum(verify_side) AS verify_sum, ${texts} AS verify_texts, ${quoted(ledger)} AS verify_ledger
        FROM (${rows(stored, 1)} UNION ALL ${rows(scratch, -1)}) GROUP BY ${all} HAVING verify_sum != 0
      ) GROUP BY ${keys}
    ) ${comparison === 'rows' ? '' : notReplaced}`
}

/** A condition that follows another one: only rows of the versions of the range. Empty for a table whose rows have none. */
export function activeVersionsSql({ columns }: VerifiedTable): string {
  return columns.includes('adapter_version')
    ? ' AND has(arrayZip({protocols:Array(String)}, {versions:Array(UInt16)}), (toString(protocol), adapter_version))'
    : ''
}

/** Parameters of statements over a range. */
export function rangeParams({ from, to, versions }: ComparedRange) {
  return { from, to, protocols: versions.map(({ protocol }) => protocol), versions: versions.map(({ version }) => version) }
}

/** Columns that name the partition that folds a row. */
const PARTITION_COLUMNS = ['scope', 'partition']

function placesSql({ columns }: VerifiedTable, differing: string): string {
  const protocol = columns.includes('protocol') ? 'toString(verify_protocol)' : "''"
  const column = PARTITION_COLUMNS.find((one) => columns.includes(one))
  return `SELECT ${protocol} AS of_protocol, toUInt16(${column === undefined ? NO_PARTITION : `verify_${column}`}) AS of_partition,
      verify_kind AS of_kind, count() AS differences, min(verify_at) AS first, max(verify_at) AS last
    FROM (${differing}) GROUP BY of_protocol, of_partition, of_kind ORDER BY of_protocol, of_partition, of_kind`
}

function summary(table: VerifiedTable, rows: readonly PlaceRow[], examples: readonly ExampleRow[]): TableDifferences {
  const counts = { missing: 0, extra: 0, changed: 0 }
  for (const { of_kind: kind, differences } of rows) counts[kind] += Number(differences)
  const places = [...Map.groupBy(rows, (row) => `${row.of_protocol}/${row.of_partition}`).values()].map((own) => ({
    protocol: own[0]?.of_protocol ?? '',
    partition: own[0]?.of_partition === NO_PARTITION ? null : (own[0]?.of_partition ?? null),
    ...spanOf(own),
  }))
  return { table: table.name, counts, ...spanOf(rows), places, examples: examples.map((row) => exampleOf(table, row)) }
}

function spanOf(rows: readonly PlaceRow[]): { readonly firstLedger: number; readonly lastLedger: number } {
  return { firstLedger: Math.min(...rows.map(({ first }) => first)), lastLedger: Math.max(...rows.map(({ last }) => last)) }
}

function exampleOf({ key, columns }: VerifiedTable, row: ExampleRow): RowDifference {
  const { verify_kind: kind, verify_at: at, verify_stored: stored, verify_expected: expected } = row
  const present = stored.length > 0 ? stored : expected
  const textOf = (column: string): string | null => present[columns.indexOf(column)] ?? null
  const differing = columns.flatMap((column, n) => {
    const [one, other] = [stored[n] ?? null, expected[n] ?? null]
    return kind === 'changed' && one !== other ? [{ column, stored: one, expected: other }] : []
  })
  return { kind, ledger: at, key: Object.fromEntries(key.map((column) => [column, textOf(column)])), columns: differing }
}

function quoted(name: string): string {
  return `\`${name}\``
}
