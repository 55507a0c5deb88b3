// Removes rows that a repair has replaced and the engine has not merged yet. Of two rows of one key and one ledger the newer insert wins, but
// only for statements that read with FINAL, and the others are most of those that answer clients.

import type { ClickHouseConnection } from '../connection.ts'
import { activeVersionsSql, type ComparedRange, rangeParams } from './compare-table.ts'
import { REPAIR_SETTINGS } from './repair-table.ts'
import type { VerifiedTable } from './verified-tables.ts'

/**
 * Deletes each row of the range that has the key and the ledger of the row that FINAL reads, and other values. Copies with equal values stay: any
 * of them is right. Rows that are written meanwhile stay as well. It may be repeated. On one server only, as `repairTable`.
 * @param scratch A connection to a database for rows in between, whose user may alter the tables of `verified`.
 * @returns Whether there were any.
 */
export async function removeReplaced(
  scratch: ClickHouseConnection,
  verified: string,
  table: VerifiedTable,
  range: ComparedRange,
): Promise<boolean> {
  const { name, key, columns, ledger } = table
  const request = { query_params: rangeParams(range), clickhouse_settings: REPAIR_SETTINGS }
  const run = (query: string): Promise<unknown> => scratch.attempt(`replaced_${name}`, () => scratch.client.command({ ...request, query }))
  const hasRows = async (query: string): Promise<boolean> => {
    const one = { ...request, query: `${query} LIMIT 1`, format: 'JSONEachRow' } as const
    return (await scratch.attempt(`replaced_${name}`, () => scratch.client.select(one))).length > 0
  }
  const stored = `\`${verified}\`.${name}`
  const [tied, kept, replaced] = ['verify_tied', 'verify_kept', 'verify_replaced'].map((own) => `\`${scratch.database}\`.${own}`)
  // Hashes of 128 bits: keys and values of many rows fit into the sets that the engine holds in memory.
  const hashOf = (names: readonly string[]): string =>
    `sipHash128(toString(tuple(${names.map((one) => `toString(\`${one}\`)`).join(', ')})))`
  const place = hashOf([...new Set([...key, ledger])])
  const values = hashOf(columns)
  const inRange = `\`${ledger}\` BETWEEN {from:UInt32} AND {to:UInt32}${activeVersionsSql(table)}`
  const tiedSql = `SELECT ${place} AS verify_place FROM ${stored} WHERE ${inRange} GROUP BY verify_place HAVING min(${values}) != max(${values})`
  if (!(await hasRows(tiedSql))) return false
  const drop = async (): Promise<void> => {
    for (const own of [tied, kept, replaced]) await run(`DROP TABLE IF EXISTS ${own} SYNC`)
  }
  await drop()
  const pairs = 'verify_place FixedString(16), verify_values FixedString(16)'
  await run(`CREATE TABLE IF NOT EXISTS ${tied} (verify_place FixedString(16)) ENGINE = MergeTree ORDER BY tuple()`)
  for (const own of [kept, replaced]) await run(`CREATE TABLE IF NOT EXISTS ${own} (${pairs}) ENGINE = MergeTree ORDER BY tuple()`)
  await run(`INSERT INTO ${tied} ${tiedSql}`)
  const isTied = `${place} IN (SELECT verify_place FROM ${tied})`
  await run(`INSERT INTO ${kept} SELECT ${place}, ${values} FROM ${stored} FINAL WHERE ${inRange} AND ${isTied}`)
  // Of a table of newest rows a key may have a newer row than the tied ones, which readers take: these stay until a merge.
  await run(
    `INSERT INTO ${replaced} SELECT DISTINCT ${place}, ${values} FROM ${stored} WHERE ${inRange}
      AND ${place} IN (SELECT verify_place FROM ${kept}) AND (${place}, ${values}) NOT IN (SELECT verify_place, verify_values FROM ${kept})`,
  )
  const found = await hasRows(`SELECT 1 FROM ${replaced}`)
  if (found)
    await run(
      `ALTER TABLE ${stored} DELETE WHERE ${inRange} AND (${place}, ${values}) IN (SELECT verify_place, verify_values FROM ${replaced})`,
    )
  await drop()
  return found
}
