// Which part of an answer its CSV form has. The columns are the members of the items, as the schema of the answer lists them.

import { assert } from '@orrery/errors'
import { z } from 'zod'

/** Rows of a page, by default and at most. */
export const CSV_ROWS = 50_000
export const CSV_MEDIA_TYPE = 'text/csv'
export const CSV_DEADLINE_MS = 60_000

export interface CsvTable {
  /** The member of `data` whose items are the rows. */
  readonly rows: string
  /**
   * What requests the next page: the cursor of `data`; or of a history without buckets whose older points were cut, a last ledger, with
   * `from_ledger` if that is required. `null`: an answer always has all rows.
   */
  readonly next: 'cursor' | 'as_of_ledger' | 'to_ledger' | null
  /** Parameters as for JSON, but for `limit`, which is at most `CSV_ROWS`. Absent: those of JSON. */
  readonly query?: z.ZodObject
}

/** Names of the columns, in the order of the schema. */
export function columnsOf(data: z.ZodType, { rows }: CsvTable): readonly string[] {
  const list = data instanceof z.ZodObject ? data.shape[rows] : undefined
  const item = list instanceof z.ZodArray ? list.element : undefined
  assert(item instanceof z.ZodObject, 'The rows of a CSV answer are a list of objects.', { rows })
  return Object.keys(item.shape)
}
