// An answer as CSV: its rows as the body; its `meta`, its other members and the address of the next page as headers.

import { assert } from '@orrery/errors'
import type { SparseMeta } from '../envelope.ts'
import type { WrittenAnswer } from '../response-cache/written-answer.ts'
import type { Answer, Route } from '../route.ts'
import type { CsvPage } from './csv-page.ts'
import { type CsvTable, columnsOf } from './csv-table.ts'
import { type CsvRow, csvText } from './csv-text.ts'

type Data = Readonly<Record<string, unknown>>

/** @param query Parameters of the request, after defaults. */
export async function writeCsv(
  route: Route,
  table: CsvTable,
  query: Data,
  { data, facts, asOfLedger, tag }: Answer<unknown>,
  signal: AbortSignal,
): Promise<WrittenAnswer> {
  const { [table.rows]: rows, next_cursor: cursor, ...members } = data as Data
  assert(Array.isArray(rows), 'A CSV answer has no list of rows.', { route: route.path })
  const isCut = facts.warnings.some(({ code }) => code === 'history_cut')
  const next = table.next === 'cursor' ? { cursor } : isCut ? olderThan(rows as CsvRow[], table, query) : null
  return {
    data: await csvText(columnsOf(route.data, table), rows as CsvRow[], signal),
    enrichment: '',
    facts,
    tag,
    ...(asOfLedger !== undefined && { asOfLedger }),
    csv: {
      next: next === null || Object.values(next).includes(null) ? null : (next as Record<string, string>),
      members: Object.fromEntries(Object.entries(members).map(([name, value]) => [name, String(value)])),
    },
  }
}

/** Points before the oldest one that is shown. They are in ascending order, one for each ledger. */
function olderThan([oldest]: readonly CsvRow[], { next }: CsvTable, query: Data): Readonly<Record<string, string>> | null {
  const ledger = Number(oldest?.ledger ?? 0) - 1
  if (next === null || ledger < 0) return null
  return next === 'as_of_ledger'
    ? { as_of_ledger: String(ledger) }
    : { from_ledger: String(query.from_ledger ?? 0), to_ledger: String(ledger) }
}

/** `meta` and the other members: `x-orrery-last-indexed-ledger`. Warnings are their codes, each once. */
export function csvHeaders({ members }: CsvPage, meta: SparseMeta): Readonly<Record<string, string>> {
  const { sources, warnings, ...numbers } = meta
  const texts = {
    ...members,
    ...numbers,
    sources: sources === null ? null : sources.join(', '),
    warnings: [...new Set(warnings.map(({ code }) => code))].join(', '),
  }
  return Object.fromEntries(
    Object.entries(texts).flatMap(([name, value]) => (value === null ? [] : [[`x-orrery-${name.replaceAll('_', '-')}`, String(value)]])),
  )
}

/** The value of `Link`, with an address relative to the host. */
export function linkToNext(path: string, querystring: string, next: Readonly<Record<string, string>>): string {
  const query = new URLSearchParams(querystring)
  for (const [name, value] of Object.entries(next)) query.set(name, value)
  return `<${path}?${query}>; rel="next"`
}
