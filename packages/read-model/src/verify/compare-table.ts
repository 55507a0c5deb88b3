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
  readonly place_protocol: string
  readonly place_partition: number
  readonly kind: DifferenceKind
  readonly count: string
  readonly first: number
  readonly last: number
}

interface ExampleRow {
  readonly kind: DifferenceKind
  readonly at: number
  readonly stored: readonly (string | null)[]
  readonly expected: readonly (string | null)[]
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
  const { from, to } = range
  const query_params = { from, to, protocols: range.versions.map((it) => it.protocol), versions: range.versions.map((it) => it.version), most }
  const select = async <Row>(query: string): Promise<Row[]> =>
    scratch.attempt(`verify_${table.name}`, async () =>
      (await scratch.client.query({ query, query_params, clickhouse_settings: SETTINGS, format: 'JSONEachRow' })).json<Row>(),
    )
  const places = await select<PlaceRow>(placesSql(table, differing))
  if (places.length === 0) return null
  const examples = await select<ExampleRow>(`SELECT kind, at, stored, expected FROM (${differing}) ORDER BY at, kind, stored, expected LIMIT {most:UInt32}`)
  return summary(table, places, examples)
}

/** One row for each key that differs, with all columns of both sides as text. An empty array: the side has no such row. */
function differencesSql({ name, comparison, ledger, key, columns }: VerifiedTable, stored: string, scratch: string): string {
  const all = columns.map(quoted).join(', ')
  const keys = key.map(quoted).join(', ')
  const active = columns.includes('adapter_version')
    ? ' AND has(arrayZip({protocols:Array(String)}, {versions:Array(UInt16)}), (toString(protocol), adapter_version))'
    : ''
  const rows = (database: string, side: number) =>
    `SELECT ${all}, toInt8(${side}) AS verified_side FROM ${database}.${name} FINAL WHERE ${quoted(ledger)} BETWEEN {from:UInt32} AND {to:UInt32}${active}`
  const texts = `[${columns.map((column) => `CAST(toString(${quoted(column)}) AS Nullable(String))`).join(', ')}]`
  const places = PLACE_COLUMNS.filter((column) => columns.includes(column) && !key.includes(column)).map((column) => `, any(${column}) AS ${column}`)
  const replaced =
    comparison === 'rows'
      ? ''
      : `WHERE kind != 'missing' OR (${keys}) NOT IN (SELECT ${keys} FROM ${stored}.${name} FINAL WHERE ${
          comparison === 'newest' ? `${quoted(ledger)} > {to:UInt32}` : `${quoted(ledger)} < {from:UInt32}`
        }${active})`
  return `SELECT * FROM (
      SELECT ${keys}${places.join('')}, anyIf(texts, side > 0) AS stored, anyIf(texts, side < 0) AS expected, min(of_ledger) AS at,
        multiIf(countIf(side > 0) = 0, 'missing', countIf(side < 0) = 0, 'extra', 'changed') AS kind
      FROM (
        SELECT ${all}, sum(verified_side) AS side, ${texts} AS texts, ${quoted(ledger)} AS of_ledger
        FROM (${rows(stored, 1)} UNION ALL ${rows(scratch, -1)}) GROUP BY ${all} HAVING side != 0
      ) GROUP BY ${keys}
    ) ${replaced}`
}

/** Columns that name the partition that folds a row. */
const PLACE_COLUMNS = ['scope', 'partition']

function placesSql({ columns }: VerifiedTable, differing: string): string {
  const protocol = columns.includes('protocol') ? 'toString(protocol)' : "''"
  const partition = PLACE_COLUMNS.find((column) => columns.includes(column)) ?? `toUInt16(${NO_PARTITION})`
  return `SELECT ${protocol} AS place_protocol, toUInt16(${partition}) AS place_partition, kind, count() AS count, min(at) AS first, max(at) AS last
    FROM (${differing}) GROUP BY place_protocol, place_partition, kind ORDER BY place_protocol, place_partition, kind`
}

function summary(table: VerifiedTable, rows: readonly PlaceRow[], examples: readonly ExampleRow[]): TableDifferences {
  const counts = { missing: 0, extra: 0, changed: 0 }
  for (const { kind, count } of rows) counts[kind] += Number(count)
  const places = [...Map.groupBy(rows, (row) => `${row.place_protocol}/${row.place_partition}`).values()].map((own) => ({
    protocol: own[0]?.place_protocol ?? '',
    partition: own[0]?.place_partition === NO_PARTITION ? null : (own[0]?.place_partition ?? null),
    ...spanOf(own),
  }))
  return { table: table.name, counts, ...spanOf(rows), places, examples: examples.map((row) => exampleOf(table, row)) }
}

function spanOf(rows: readonly PlaceRow[]): { readonly firstLedger: number; readonly lastLedger: number } {
  return { firstLedger: Math.min(...rows.map(({ first }) => first)), lastLedger: Math.max(...rows.map(({ last }) => last)) }
}

function exampleOf({ key, columns }: VerifiedTable, { kind, at, stored, expected }: ExampleRow): RowDifference {
  const present = stored.length > 0 ? stored : expected
  const valueOf = (column: string): string | null => present[columns.indexOf(column)] ?? null
  const differing = columns.flatMap((column, n) => {
    const [one, other] = [stored[n] ?? null, expected[n] ?? null]
    return kind === 'changed' && one !== other ? [{ column, stored: one, expected: other }] : []
  })
  return { kind, ledger: at, key: Object.fromEntries(key.map((column) => [column, valueOf(column)])), columns: differing }
}

function quoted(name: string): string {
  return `\`${name}\``
}
