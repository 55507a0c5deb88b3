// A text table: text is aligned to the left, numbers to the right.

type Value = string | number

export function table(head: readonly string[], rows: readonly (readonly Value[])[]): string {
  const texts = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...texts.map((row) => row[column]?.length ?? 0)))
  const isNumber = (column: number): boolean => rows.length > 0 && rows.every((row) => /^-?[\d,]+$/.test(String(row[column])))
  const line = (row: readonly string[]): string =>
    row
      .map((text, column) => (isNumber(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0)))
      .join('  ')
      .trimEnd()
  return `${texts.map(line).join('\n')}\n`
}
