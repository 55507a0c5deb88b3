// The size of a page of a list.

import { rowLimit } from './integer.ts'

const DEFAULT_LIMIT = 50
const MAX_LIMIT = 100

/** `items`: what the list has. `csvRows`: the default and maximum for an answer as CSV. */
export function pageLimit(items: string, csvRows?: number) {
  return rowLimit(csvRows ?? MAX_LIMIT)
    .default(csvRows ?? DEFAULT_LIMIT)
    .describe(`Maximum number of ${items} of a page. Of an answer as CSV: default and maximum 50,000.`)
}
