// The text of a query value for readers outside of the API: the parameters of its statement, the tables that it reads, and the same on their views.

import { TupleParam } from '@clickhouse/client'

export interface StatementParameter {
  readonly name: string
  /** As ClickHouse names it: `Array(UInt32)`. */
  readonly type: string
}

const PARAMETER = /\{(\w+)\s*:\s*([^{}]+)\}/g

/** In the order in which the statement names them first. */
export function parametersOf({ sql }: { readonly sql: string }): StatementParameter[] {
  return [...new Map([...sql.matchAll(PARAMETER)].map(([, name = '', type = '']) => [name, { name, type: type.trim() }])).values()]
}

const TABLE = /\b([a-z][a-z_]*)(_v\d+)\b( FINAL)?/g

/** The base tables that the statement reads, by name. */
export function tablesOf({ sql }: { readonly sql: string }): string[] {
  return [...new Set([...sql.matchAll(TABLE)].map(([, name = '', version = '']) => `${name}${version}`))].sort()
}

/** The view over a base table. */
export function viewOf(table: string): string {
  return table.replace(/_v\d+$/, '')
}

/** The statement with views in place of their tables. They show each row once, as FINAL does. */
export function onViews({ sql }: { readonly sql: string }): string {
  return sql.replaceAll(TABLE, '$1')
}

/** Without the indent of the source. */
export function flushLeft(sql: string): string {
  const lines = sql.replace(/^\s*\n/, '').split('\n')
  const indent = Math.min(...lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length))
  return lines
    .map((line) => line.slice(indent).trimEnd())
    .join('\n')
    .trimEnd()
}

/** A value as text of the HTTP interface: `param_<name>=<text>`. */
export function parameterText(value: unknown): string {
  if (value === null) return '\\N'
  return typeof value === 'string' ? escaped(value) : nested(value)
}

const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

const escaped = (text: string): string => text.replaceAll(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character)

function nested(value: unknown): string {
  if (typeof value === 'string') return `'${escaped(value).replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(nested).join(',')}]`
  if (value instanceof TupleParam) return `(${value.values.map(nested).join(',')})`
  return value === null ? 'NULL' : String(value)
}
