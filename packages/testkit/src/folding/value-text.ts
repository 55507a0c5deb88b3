/** JSON with integers as `"<digits>n"`. A recording has millions of values, and a replacer, which JSON calls for each, takes several times as long. */
export function valueText(value: unknown): string {
  switch (typeof value) {
    case 'string':
    case 'number':
    case 'boolean':
      return JSON.stringify(value)
    case 'bigint':
      return `"${value}n"`
    case 'undefined':
      return 'null'
    default:
      return value === null ? 'null' : JSON.stringify(value, (_, it: unknown) => (typeof it === 'bigint' ? `${it}n` : it))
  }
}
