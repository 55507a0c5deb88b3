// Compares two index versions of a protocol, table by table, inside ClickHouse. Both are in the same tables, so the column of the version is left
// out of the rows and their keys.

import type { ClickHouseConnection } from '../connection.ts'
import type { VerifiedTable } from '../verify/verified-tables.ts'

export interface ComparedVersions {
  readonly protocol: string
  /** Index versions: rows of `after` that `before` does not have are added. */
  readonly before: number
  readonly after: number
  /** Ledgers, both included. */
  readonly from: number
  readonly to: number
}

/** The largest change of one numeric column: as a difference of the values, or the value itself where a row was added or removed. */
export interface LargestChange {
  readonly column: string
  /** Binary, to rank changes: exact values are in the rows. In the column's own unit. */
  readonly change: number
  readonly key: Readonly<Record<string, string>>
}

export interface TableChanges {
  readonly table: string
  readonly added: number
  readonly removed: number
  readonly changed: number
  readonly firstLedger: number
  readonly lastLedger: number
  /** Accounts with a differing row; null in a table without accounts. */
  readonly accounts: number | null
  readonly largest: readonly LargestChange[]
}

const VERSION = 'adapter_version'
/** Columns with the account of a row. */
const ACCOUNT = ['address', 'owner']
const NUMERIC = /^(Nullable\()?(Decimal|Int|UInt(128|256)|Float)/

/** What a comparison holds in memory before it goes on on the disk, and the most that it may take, bytes. */
const SETTINGS = {
  max_bytes_before_external_group_by: '268435456',
  max_bytes_before_external_sort: '268435456',
  max_memory_usage: '1073741824',
  max_threads: 2,
  max_execution_time: 0,
}

interface SummaryRow {
  readonly added: string
  readonly removed: string
  readonly changed: string
  readonly first: number
  readonly last: number
  readonly accounts: string
}

/**
 * The differing rows of a table with the columns `protocol` and `adapter_version`; null when the rows are equal. A table of newest rows is compared
 * where both versions have their newest row in the range.
 */
export async function diffVersions(
  connection: ClickHouseConnection,
  table: VerifiedTable,
  compared: ComparedVersions,
): Promise<TableChanges | null> {
  const { before, after, from, to, protocol } = compared
  const query_params = { protocol, before, after, from, to }
  const select = async <Row>(query: string): Promise<Row[]> =>
    connection.attempt(`diff_${table.name}`, async () =>
      (await connection.client.query({ query, query_params, clickhouse_settings: SETTINGS, format: 'JSONEachRow' })).json<Row>(),
    )
  const columns = table.columns.filter((column) => column !== VERSION)
  const key = table.key.filter((column) => column !== VERSION)
  const account = ACCOUNT.find((column) => columns.includes(column))
  const differing = differencesSql(table, columns, key)
  const [summary] = await select<SummaryRow>(
    `SELECT countIf(diff_kind = 'added') AS added, countIf(diff_kind = 'removed') AS removed, countIf(diff_kind = 'changed') AS changed,
      min(diff_ledger) AS first, max(diff_ledger) AS last,
      ${account === undefined ? '0' : `uniqExactIf(diff_account, diff_account != '')`} AS accounts
    FROM (${differing})`,
  )
  if (summary === undefined || Number(summary.added) + Number(summary.removed) + Number(summary.changed) === 0) return null
  const numeric = await numericColumns(connection, table, columns)
  const largest: LargestChange[] = []
  for (const column of numeric) {
    const at = columns.indexOf(column) + 1
    const value = (side: string): string => `toFloat64OrZero(ifNull(arrayElementOrNull(${side}, ${at}), '0'))`
    const [found] = await select<{ change: number; key_texts: string[] }>(
      `SELECT ${value('diff_after')} - ${value('diff_before')} AS change, [${key.map((one) => `toString(\`${one}\`)`).join(', ')}] AS key_texts
      FROM (${differing}) ORDER BY abs(change) DESC, key_texts LIMIT 1`,
    )
    if (found === undefined || found.change === 0) continue
    largest.push({ column, change: found.change, key: Object.fromEntries(key.map((one, n) => [one, found.key_texts[n] ?? ''])) })
  }
  return {
    table: table.name,
    ...{ added: Number(summary.added), removed: Number(summary.removed), changed: Number(summary.changed) },
    ...{ firstLedger: summary.first, lastLedger: summary.last },
    accounts: account === undefined ? null : Number(summary.accounts),
    largest,
  }
}

/** One row for each key that differs, with all columns of both sides as text; an empty array where the side has no such row. */
function differencesSql(
  { name, ledger, comparison, columns: all }: VerifiedTable,
  columns: readonly string[],
  key: readonly string[],
): string {
  const list = columns.map(quoted).join(', ')
  const keys = key.map(quoted).join(', ')
  const of = (version: string): string => `protocol = {protocol:String} AND ${VERSION} = {${version}:UInt16}`
  const rows = (version: string, side: number): string =>
    `SELECT ${list}, toInt8(${side}) AS diff_side FROM ${name} FINAL WHERE ${of(version)} AND ${quoted(ledger)} BETWEEN {from:UInt32} AND {to:UInt32}`
  const texts = `[${columns.map((column) => `CAST(toString(${quoted(column)}) AS Nullable(String))`).join(', ')}]`
  const account = ACCOUNT.find((column) => all.includes(column))
  const outside = comparison === 'newest' ? `${quoted(ledger)} > {to:UInt32}` : `${quoted(ledger)} < {from:UInt32}`
  const replaced = (version: string): string => `(${keys}) NOT IN (SELECT ${keys} FROM ${name} FINAL WHERE ${of(version)} AND ${outside})`
  return `SELECT ${keys}, min(diff_at) AS diff_ledger, ${account === undefined ? "''" : `any(diff_of)`} AS diff_account,
      anyIf(diff_texts, diff_sum > 0) AS diff_after, anyIf(diff_texts, diff_sum < 0) AS diff_before,
      multiIf(countIf(diff_sum > 0) = 0, 'removed', countIf(diff_sum < 0) = 0, 'added', 'changed') AS diff_kind
    FROM (
      SELECT ${list}, sum(diff_side) AS diff_sum, ${texts} AS diff_texts, ${quoted(ledger)} AS diff_at,
        ${account === undefined ? "''" : `toString(${quoted(account)})`} AS diff_of
      FROM (${rows('after', 1)} UNION ALL ${rows('before', -1)}) GROUP BY ${list} HAVING diff_sum != 0
    )${comparison === 'rows' ? '' : ` WHERE ${replaced('before')} AND ${replaced('after')}`}
    GROUP BY ${keys}`
}

async function numericColumns(connection: ClickHouseConnection, table: VerifiedTable, columns: readonly string[]): Promise<string[]> {
  const query = 'SELECT name, type FROM system.columns WHERE database = currentDatabase() AND table = {table:String} ORDER BY position'
  const rows = await connection.attempt('column_types', async () =>
    (await connection.client.query({ query, query_params: { table: table.name }, format: 'JSONEachRow' })).json<{
      name: string
      type: string
    }>(),
  )
  return rows.filter(({ name, type }) => columns.includes(name) && NUMERIC.test(type)).map(({ name }) => name)
}

function quoted(name: string): string {
  return `\`${name}\``
}
