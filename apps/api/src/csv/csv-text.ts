// Rows as CSV: RFC 4180, with a header line. Members that are lists or objects are JSON; null is an empty field.

import { turnOfEventLoop } from '@orrery/service-kit'
import { stringify } from 'csv-stringify/sync'

export type CsvRow = Readonly<Record<string, unknown>>

/** Rows between two turns of the event loop. */
const ROWS_AT_ONCE = 500
/** Characters with which a spreadsheet begins a formula. A tab and a line break are removed by some before they look. */
const FORMULA = /^[=+\-@\t\r]/
const NUMBER = /^[+-]?\d+(\.\d+)?$/

/** A header line, and a line for each row. Other requests are served in between. */
export async function csvText(columns: readonly string[], rows: readonly CsvRow[], signal?: AbortSignal): Promise<string> {
  const parts = [lines([columns])]
  for (let n = 0; n < rows.length; n += ROWS_AT_ONCE) {
    parts.push(lines(rows.slice(n, n + ROWS_AT_ONCE).map((row) => columns.map((name) => row[name]))))
    await turnOfEventLoop()
    signal?.throwIfAborted()
  }
  return parts.join('')
}

function lines(records: readonly (readonly unknown[])[]): string {
  return stringify(
    records.map((record) => [...record]),
    { record_delimiter: 'windows', cast: { string: withoutFormula, boolean: String } },
  )
}

/** A text that a spreadsheet would compute gets an apostrophe in front, which spreadsheets read as the mark of a text. Numbers stay. */
function withoutFormula(text: string): string {
  return FORMULA.test(text) && !NUMBER.test(text) ? `'${text}` : text
}
