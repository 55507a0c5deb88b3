// Removes rows that a repair has replaced and the engine has not merged yet. Of two rows of one key and one ledger the newer insert wins, but
// only for statements that read with FINAL, and the others are most of those that answer clients.

import type { ClickHouseConnection } from '../connection.ts'
import { activeVersionsSql, type ComparedRange, rangeParams } from './compare-table.ts'
import { REPAIR_SETTINGS } from './repair-table.ts'
import type { VerifiedTable } from './verified-tables.ts'

/**
 * Deletes each row of the range that has the key and the ledger of the row that FINAL reads, and other values. Copies with equal values stay: any
 * of them is right. It may be repeated. On one server only, as `repairTable`.
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
  const query_params = rangeParams(range)
  const request = { query_params, clickhouse_settings: REPAIR_SETTINGS }
  const run = (query: string): Promise<unknown> => scratch.attempt(`replaced_${name}`, () => scratch.client.command({ ...request, query }))
  const hasRows = async (query: string): Promise<boolean> =>
    (
      await scratch.attempt(`replaced_${name}`, async () =>
        (await scratch.client.query({ ...request, query, format: 'JSONEachRow' })).json(),
      )
    ).length > 0
  const stored = `\`${verified}\`.${name}`
  const kept = `\`${scratch.database}\`.verify_kept`
  const of = (names: readonly string[]): string => names.map((one) => `toString(\`${one}\`)`).join(', ')
  const place = of([...new Set([...key, ledger])])
  const values = `toString(tuple(${of(columns)}))`
  const inRange = `\`${ledger}\` BETWEEN {from:UInt32} AND {to:UInt32}${activeVersionsSql(table)}`
  const replaced = `(${place}) IN (SELECT verify_place FROM ${kept}) AND ((${place}), ${values}) NOT IN (SELECT verify_place, verify_values FROM ${kept})`
  await run('DROP TABLE IF EXISTS verify_kept SYNC')
  // Few keys have several rows, so the values of the others are not read.
  await run(
    `CREATE TABLE verify_kept ENGINE = MergeTree ORDER BY tuple() AS
    SELECT (${place}) AS verify_place, ${values} AS verify_values FROM ${stored} FINAL
    WHERE ${inRange} AND (${place}) IN (SELECT ${place} FROM ${stored} WHERE ${inRange} GROUP BY ${place} HAVING count() > 1)`,
  )
  const found = await hasRows(`SELECT 1 FROM ${stored} WHERE ${inRange} AND ${replaced} LIMIT 1`)
  if (found) await run(`ALTER TABLE ${stored} DELETE WHERE ${inRange} AND ${replaced}`)
  await run('DROP TABLE verify_kept SYNC')
  return found
}
