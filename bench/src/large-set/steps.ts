// What a filling runs: statements in groups, each with the count of rows that it inserts into the table that is written.

export interface Step {
  readonly name: string
  readonly statements: readonly Statement[]
  /** No block has two rows of one key, neither for the table nor for those that views fill: the engine need not look for them. */
  readonly isUnique?: boolean
}

export interface Statement {
  readonly sql: string
  /** Rows for the table that it names, about; those that views add for other tables are not counted. */
  readonly rows: number
}

/** Of one statement. Its blocks, with those of the views, fit into the memory of the embedded engine beside its merges. */
const ROWS_AT_ONCE = 500_000

/** `total` items in statements of about `ROWS_AT_ONCE` rows. */
export function inChunks(total: number, rowsOfItem: number, sqlOf: (first: number, count: number) => string): Statement[] {
  const size = Math.max(1, Math.floor(ROWS_AT_ONCE / rowsOfItem))
  return Array.from({ length: Math.ceil(total / size) }, (_, n) => {
    const count = Math.min(size, total - n * size)
    return { sql: sqlOf(n * size, count), rows: count * rowsOfItem }
  })
}
