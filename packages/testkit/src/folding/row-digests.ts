// Digests of folded rows, table by table: a change of one byte of one row changes a digest.

import { createHash } from 'node:crypto'
import { ROW_TABLES, type Rows } from '@orrery/protocol-kit'
import { valueText } from './value-text.ts'

/** For each table `<number of rows> <first 16 hex digits of SHA-256>`, over the rows in the order in which the fold returned them. */
export type RowDigests = Readonly<Record<keyof Rows, string>>

export function rowDigests(folded: Iterable<Rows>): RowDigests {
  const tables = ROW_TABLES.map((table) => ({ table, hash: createHash('sha256'), count: 0 }))
  for (const rows of folded) {
    for (const it of tables) {
      it.count += rows[it.table].length
      let lines = ''
      for (const row of rows[it.table]) lines += `${rowText(row)}\n`
      it.hash.update(lines)
    }
  }
  return Object.fromEntries(
    tables.map(({ table, hash, count }) => [table, `${count} ${hash.digest('hex').slice(0, 16)}`]),
  ) as unknown as RowDigests
}

/** Columns by name, so that the order of members in a row does not count. Inside of JSON columns the order is stored, and counts. */
function rowText(row: object): string {
  const columns = row as Readonly<Record<string, unknown>>
  const names = Object.keys(columns).sort()
  return `[${names.map((name) => `["${name}",${valueText(columns[name])}]`).join(',')}]`
}
