/** Fields of each record of a CSV text (RFC 4180). The first record is the header. */
export function csvRecords(text: string): readonly (readonly string[])[] {
  const records: string[][] = [[]]
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/g)) {
    records.at(-1)?.push(quoted === undefined ? plain : quoted.replaceAll('""', '"'))
    if (end === '') break
    if (end !== ',') records.push([])
  }
  const last = records.at(-1)
  return last?.length === 1 && last[0] === '' ? records.slice(0, -1) : records
}
