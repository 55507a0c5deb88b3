// A table that scrolls sideways inside its own frame where the window is narrow, also by keyboard.

import type { ComponentChildren } from 'preact'

export interface Column<Row> {
  readonly title: string
  readonly cell: (row: Row) => ComponentChildren
  /** Numbers stand to the right. */
  readonly isNumber?: boolean
  /** Left out on a narrow window. */
  readonly isWide?: boolean
}

interface TableProps<Row> {
  /** What the table has, for readers that do not see it. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string
}

export function Table<Row>({ label, columns, rows, keyOf }: TableProps<Row>) {
  const classOf = ({ isNumber, isWide }: Column<Row>): string => [isNumber && 'number', isWide && 'wide'].filter(Boolean).join(' ')
  return (
    // It takes the focus, because it could not be scrolled by keyboard otherwise.
    <section class="scroll" aria-label={`${label}, table`} tabIndex={0}>
      <table>
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
                <td key={column.title} class={classOf(column)}>
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
