// Writes the rows of the scratch database over those of the verified one, where the two differ. Readers see the old rows or the new ones, and
// no row is absent in between: the expected rows are inserted before the wrong ones are deleted.

import { type ClickHouseConnection, SHOWS_PROGRESS } from '../connection.ts'
import { type ComparedRange, differencesSql, rangeParams } from './compare-table.ts'
import type { VerifiedTable } from './verified-tables.ts'

/** What a repair may take; like a comparison it goes on on the disk. */
export const REPAIR_SETTINGS = {
  max_bytes_before_external_group_by: '268435456',
  max_memory_usage: '1073741824',
  max_threads: 2,
  max_execution_time: 0,
  mutations_sync: '1',
  ...SHOWS_PROGRESS,
}

/**
 * Makes the rows of the range equal to those of the scratch database. It may be repeated. On one server only: a replicated table does not accept a
 * deletion whose condition reads another table.
 * @param scratch A connection to the scratch database, whose user may insert into and alter the tables of `verified`.
 */
export async function repairTable(
  scratch: ClickHouseConnection,
  verified: string,
  table: VerifiedTable,
  range: ComparedRange,
): Promise<void> {
  const query_params = rangeParams(range)
  const run = (query: string): Promise<unknown> =>
    scratch.attempt(`repair_${table.name}`, () => scratch.client.command({ query, query_params, clickhouse_settings: REPAIR_SETTINGS }))
  const { name, key, columns, ledger, comparison } = table
  const list = (names: readonly string[]): string => names.map((one) => `\`${one}\``).join(', ')
  const stored = `\`${verified}\`.${name}`
  const ledgerAt = columns.indexOf(ledger) + 1
  await run('DROP TABLE IF EXISTS verify_repair SYNC')
  const texts = [...key, 'verify_kind', 'stored_ledger', 'expected_ledger'].map((column) => `\`${column}\` String`).join(', ')
  await run(`CREATE TABLE verify_repair (${texts}) ENGINE = MergeTree ORDER BY tuple()`)
  await run(
    `INSERT INTO verify_repair SELECT ${key.map((column) => `toString(\`${column}\`)`).join(', ')}, verify_kind,
      ifNull(arrayElementOrNull(verify_stored, ${ledgerAt}), ''), ifNull(arrayElementOrNull(verify_expected, ${ledgerAt}), '')
    FROM (${differencesSql(table, `\`${verified}\``, `\`${scratch.database}\``)})`,
  )
  const keyTexts = key.map((column) => `toString(\`${column}\`)`).join(', ')
  const insert = `INSERT INTO ${stored} (${list(columns)})
    SELECT ${list(columns)} FROM \`${scratch.database}\`.${name} FINAL
    WHERE \`${ledger}\` BETWEEN {from:UInt32} AND {to:UInt32}
      AND (${keyTexts}) IN (SELECT ${list(key)} FROM verify_repair WHERE verify_kind != 'extra')`
  await run(insert)
  await run(
    `ALTER TABLE ${stored} DELETE WHERE (${keyTexts}) IN (SELECT ${list(key)} FROM \`${scratch.database}\`.verify_repair WHERE verify_kind = 'extra')
      AND \`${ledger}\` BETWEEN {from:UInt32} AND {to:UInt32}`,
  )
  // In a table of newest rows the wrong row wins by its ledger, and a merge may have dropped the row that was just inserted.
  if (comparison !== 'rows') {
    await run(
      `ALTER TABLE ${stored} DELETE WHERE (${keyTexts}, toString(\`${ledger}\`)) IN (
        SELECT ${list(key)}, stored_ledger FROM \`${scratch.database}\`.verify_repair WHERE verify_kind = 'changed' AND stored_ledger != expected_ledger)`,
    )
    await run(insert)
  }
  await run('DROP TABLE verify_repair SYNC')
}
