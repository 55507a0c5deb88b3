// A table. On a narrow window the rows of one with many columns or with long texts become blocks of named values; any other scrolls sideways inside its own frame.

import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers stand to the right. */
  readonly isNumber?: boolean
  /** Left out on a narrow window. */
  readonly isWide?: boolean
  /** On a narrow window it has a line of its own. */
  readonly isLine?: boolean
  /** On a narrow window it stands without its title, because the cells speak for themselves. */
  readonly isPlain?: boolean
}

interface TableProps<Row> {
  /** What the table has, for readers that do not see it. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

/** A table with more columns than these does not fit a phone. */
const MOST_NARROW_COLUMNS = 3

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const classOf = ({ isNumber, isWide, isLine }: Column<Row>): string =>
    [isNumber && 'number', isWide && 'wide', isLine && 'one-line'].filter(Boolean).join(' ')
  const isStacked = columns.filter(({ isWide }) => isWide !== true).length > MOST_NARROW_COLUMNS || columns.some(({ isLine }) => isLine)
  return (
    // It takes the focus, because it could not be scrolled by keyboard otherwise.
    <section class="scroll" aria-label={`${label}, table`} tabIndex={0}>
      <table class={isStacked ? 'stack' : undefined}>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.title} scope="col" class={classOf(column)}>
                {column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column) => (
                <td key={column.title} class={classOf(column)} data-title={column.isPlain ? undefined : column.title}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
