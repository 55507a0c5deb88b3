// What a test needs of `orrery export`: the command without a process of its own, and its files read by an engine.

import { PassThrough } from 'node:stream'
import type { ClickHouseAddress } from '@orrery/read-model'
import type { CliContext } from '../src/cli-context.ts'

/** A context whose output is kept. */
export function keptContext(env: CliContext['env'] = {}): { context: CliContext; stdout: () => string; stderr: () => string } {
  const [out, err] = [new PassThrough(), new PassThrough()]
  const texts = [out, err].map((stream) => {
    let text = ''
    stream.setEncoding('utf8').on('data', (more: string) => {
      text += more
    })
    return () => text
  })
  const [stdout, stderr] = [out, err].map((stream) => stream as unknown as NodeJS.WriteStream) as [NodeJS.WriteStream, NodeJS.WriteStream]
  return {
    context: { env, isColourWanted: false, stdin: process.stdin, stdout, stderr },
    stdout: () => texts[0]?.() ?? '',
    stderr: () => texts[1]?.() ?? '',
  }
}

const WIDE = /Int(128|256)\b|Decimal\((39|[4-7]\d),/

/** The rows of `sql`, in which `file` is a table with the rows of a file. Integers and decimals are text. */
export async function queryFile<Row>(
  { url, user, password, headers, database }: ClickHouseAddress,
  sql: string,
  file: { readonly bytes: Buffer; readonly format: 'csv' | 'parquet'; readonly columns: readonly { name: string; type: string }[] },
): Promise<Row[]> {
  const structure = file.columns.map(
    ({ name, type }) => `\`${name}\` ${file.format === 'parquet' && WIDE.test(type) ? asText(type) : type}`,
  )
  const parameters = new URLSearchParams({
    ...{ query: `${sql} FORMAT JSONEachRow`, database, file_structure: structure.join(', ') },
    ...{ file_format: file.format === 'csv' ? 'CSVWithNames' : 'Parquet', date_time_output_format: 'iso' },
    ...{ output_format_json_quote_64bit_integers: '0', date_time_input_format: 'best_effort' },
  })
  const body = new FormData()
  body.append('file', new Blob([new Uint8Array(file.bytes)]))
  const authorization = `Basic ${btoa(`${user}:${password}`)}`
  const sent = headers === undefined ? { authorization } : headers
  const response = await fetch(`${url}/?${parameters}`, { method: 'POST', body, headers: { ...sent, connection: 'close' } })
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line))
}

function asText(type: string): string {
  return type.startsWith('Array(') ? 'Array(Nullable(String))' : 'Nullable(String)'
}
