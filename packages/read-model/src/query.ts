// A query is a value: name, SQL with typed parameters, a schema of its parameters and one of its rows.
// It can be listed, explained and benchmarked; running it (`ReadModel.query`) validates both ways and tags the statement.
// Errors of a definition are found when its module is loaded, not at the first request.

import type { ClickHouseSettings } from '@clickhouse/client'
import { assert } from '@orrery/errors'
import type { z } from 'zod'

/**
 * Parameters that the read model fills in:
 * `active`: the active (protocol, adapter version) pairs. Every statement on a base table has
 * `(protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}`.
 */
export const FILLED_IN = ['active'] as const

/**
 * For a statement that needs every row of a range of the sort key, or of a table with a few rows: the engine does not look for a better plan. It still finds
 * the range by the index, and looking for more is a tenth to a third of such a statement's CPU. Not for one that stops after some rows, which needs
 * the order of the key, nor for one that reads many rows to show a few, which needs most columns only for these.
 */
export const PLANNED_AS_WRITTEN: ClickHouseSettings = { query_plan_enable_optimizations: 0 }

/**
 * For a statement that shows most rows of a short range, but needs the order of the key: to stop after some rows, or to hold one entry at a time. The columns of
 * its conditions are not read before the others, which takes a reader for each condition and part.
 */
export const CONDITIONS_WITH_COLUMNS: ClickHouseSettings = { optimize_move_to_prewhere: 0 }

/** A statement sorts on disk from 128 MiB on, where the rows of an account or a pool may be more than its memory holds. */
export const SORTS_ON_DISK: ClickHouseSettings = { max_bytes_before_external_sort: `${128 * 1024 ** 2}` }

export interface QueryDefinition<Params extends z.ZodObject, Row extends z.ZodType> {
  /** snake_case, unique: it names the statement in `log_comment` and in metrics. */
  readonly name: string
  readonly params: Params
  readonly row: Row
  /** One SELECT with `{name:Type}` parameters, without FORMAT. Parts of it may be sent only if they are asked for: `ifGiven`. */
  readonly sql: string
  readonly settings?: ClickHouseSettings
  /** `required`: the statement is bounded by `{watermark:UInt32}`. `none`: it reads tables that no fold writes, or past the watermark on purpose. */
  readonly watermark: 'required' | 'none'
}

export interface Query<Params extends z.ZodObject = z.ZodObject, Row extends z.ZodType = z.ZodType> extends QueryDefinition<Params, Row> {
  /** Names of the typed parameters of `sql`. */
  readonly bound: ReadonlySet<string>
}

/**
 * A part of a statement that is sent only if `parameter` is given: not null, not '' and not an empty list. The engine plans a condition also where it
 * does nothing, and planning is most of the CPU of a keyed statement.
 */
export function ifGiven(parameter: string, sql: string): string {
  return `/*if ${parameter}*/${sql}/*end*/`
}

const OPTIONAL = /\/\*if (\w+)\*\/(.*?)\/\*end\*\//gs

/** What is sent for a request: the statement without the parts that were not asked for, and the parameters that are left. */
export interface SentStatement {
  readonly sql: string
  readonly params: Readonly<Record<string, unknown>>
}

export function statementOf({ sql }: { readonly sql: string }, params: Readonly<Record<string, unknown>>): SentStatement {
  if (!sql.includes('/*if ')) return { sql, params }
  const asked = sql.replace(OPTIONAL, (_, parameter: string, part: string) => (isGiven(params[parameter]) ? part : ''))
  return asked === sql
    ? { sql, params }
    : { sql: asked, params: Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null)) }
}

function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0)
}

const PARAMETER = /\{(\w+)\s*:\s*([^{}]+)\}/g

/**
 * Checks a definition and makes it a query.
 *
 * @throws OrreryError `bug`/`internal` when SQL and schema name different parameters, or a required watermark is not in the SQL.
 */
export function defineQuery<Params extends z.ZodObject, Row extends z.ZodType>(
  definition: QueryDefinition<Params, Row>,
): Query<Params, Row> {
  const { name, sql, params, watermark } = definition
  assert(/^[a-z][a-z0-9_]*$/.test(name), `The query name ${name} is not snake_case.`)
  const types = new Map<string, string>()
  for (const [, parameter = '', type = ''] of sql.matchAll(PARAMETER)) types.set(parameter, type.trim())
  for (const parameter of Object.keys(params.shape)) {
    assert(types.has(parameter), `The query ${name} validates the parameter ${parameter}, but its SQL does not use it.`)
  }
  for (const parameter of types.keys()) {
    const known = parameter in params.shape || (FILLED_IN as readonly string[]).includes(parameter)
    assert(known, `The SQL of the query ${name} uses the parameter ${parameter}, which its schema does not have.`)
  }
  for (const [, parameter = ''] of sql.matchAll(OPTIONAL)) {
    assert(parameter in params.shape, `A part of the query ${name} depends on the parameter ${parameter}, which its schema does not have.`)
  }
  if (watermark === 'required') {
    assert(
      types.get('watermark') === 'UInt32' && sql.replace(OPTIONAL, '').includes('{watermark:UInt32}'),
      `The query ${name} requires a watermark, but its SQL is not bounded by {watermark:UInt32}: an answer could change while partitions catch up.`,
    )
  }
  return { ...definition, bound: new Set(types.keys()) }
}
