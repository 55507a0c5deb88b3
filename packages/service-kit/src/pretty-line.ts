// One log line for eyes: `11:32:07 info  ingest: Wrote a batch  protocol=soroswap rows=12`. Errors follow with their stack.

import { OrreryError } from '@orrery/errors'

const LEVEL_NAMES: Readonly<Record<number, string>> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }
/** Shown elsewhere in the line. */
const HIDDEN = new Set(['level', 'time', 'name', 'msg', 'err'])

interface LogLine {
  readonly level: number
  readonly time: string
  readonly name?: string
  readonly msg?: string
  readonly err?: { readonly stack?: string }
  readonly [field: string]: unknown
}

export function prettyLine(json: string): string {
  const line = parse(json)
  const fields = Object.entries(line).flatMap(([name, value]) => (HIDDEN.has(name) ? [] : [`${name}=${show(value)}`]))
  const level = (LEVEL_NAMES[line.level] ?? String(line.level)).padEnd(5)
  const head = `${line.time.slice(11, 19)} ${level} ${line.name ?? ''}: ${line.msg ?? ''}`
  const stack = line.err?.stack === undefined ? '' : `\n  ${line.err.stack.replaceAll('\n', '\n  ')}`
  return `${[head, ...fields].join('  ')}${stack}\n`
}

function parse(json: string): LogLine {
  try {
    return JSON.parse(json) as LogLine
  } catch (cause) {
    throw new OrreryError('bug', 'internal', 'The logger made a line that is not JSON.', { cause })
  }
}

function show(value: unknown): string {
  if (typeof value === 'string') return /^[^\s"=]+$/.test(value) ? value : JSON.stringify(value)
  return JSON.stringify(value)
}
