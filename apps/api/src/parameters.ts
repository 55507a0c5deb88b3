// From the text of a path and a query to checked values. The first problem is reported, in a fixed order:
// unknown and repeated names in query order, then values in the order of the route's table, then the route's rules.

import { z } from 'zod'
import { type ApiErrorCode, refuse } from './errors.ts'
import type { Route } from './route.ts'

/**
 * A schema whose `values` are announced for later and refused until then: 400 `reserved_parameter`. The inner schema checks all other values.
 * `message` names what to use instead.
 */
export function reserved<S extends z.ZodType>(schema: S, values: readonly string[] | 'all', message: string) {
  // The OpenAPI document shows what the inner schema takes, the announced values included.
  const { $schema, ...announced } = z.toJSONSchema(schema, { io: 'input' })
  return z
    .string()
    .check((check) => {
      if (values !== 'all' && !values.includes(check.value)) return
      check.issues.push({ code: 'custom', input: check.value, message, params: { code: 'reserved_parameter' }, continue: false })
    })
    .pipe(schema as unknown as z.ZodType<z.output<S>, string>)
    .meta(announced)
}

/** The values of one request. Throws the first problem. */
export function readParameters<P extends z.ZodObject, Q extends z.ZodObject>(
  route: Pick<Route<P, Q>, 'params' | 'query' | 'rules'>,
  pathValues: Readonly<Record<string, string>>,
  queryText: string,
): { readonly params: z.output<P>; readonly query: z.output<Q> } {
  const given = readQueryNames(Object.keys(route.query.shape), queryText)
  const params = readValues(route.params, (name) => pathValues[name])
  const query = readValues(route.query, (name) => given.get(name))
  for (const rule of route.rules) {
    if (rule.broken(query)) throw refuse(rule.code, typeof rule.message === 'string' ? rule.message : rule.message(query))
  }
  return { params, query }
}

/** Names and values of a query string. An unknown or repeated name is refused, because a typo must not change an answer. */
function readQueryNames(known: readonly string[], queryText: string): ReadonlyMap<string, string> {
  const given = new Map<string, string>()
  for (const pair of queryText.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = decodePercent(equals === -1 ? pair : pair.slice(0, equals))
    const value = decodePercent(equals === -1 ? '' : pair.slice(equals + 1))
    if (!known.includes(name)) throw refuse('unknown_parameter', unknownMessage(name, known))
    if (given.has(name)) throw refuse('invalid_parameter', `\`${name}\` was given more than once. Give it once.`)
    given.set(name, value)
  }
  return given
}

function unknownMessage(name: string, known: readonly string[]): string {
  const shown = `\`${name.slice(0, 64)}\` is not a parameter of this endpoint. `
  return shown + (known.length === 0 ? 'It takes none; drop it.' : `It takes ${known.map((k) => `\`${k}\``).join(', ')}.`)
}

function readValues<S extends z.ZodObject>(schema: S, textOf: (name: string) => string | undefined): z.output<S> {
  const read: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(schema.shape)) {
    const text = textOf(name)
    if (text === '') throw refuse('invalid_parameter', `\`${name}\` is empty. Give a value or drop it.`)
    const result = (value as z.ZodType).safeParse(text)
    if (!result.success) throw problemOf(name, text, result.error)
    read[name] = result.data
  }
  return read as z.output<S>
}

/** The schema's message follows the parameter's name: "`limit` must be an integer from 1 to 100." */
function problemOf(name: string, text: string | undefined, error: z.ZodError): Error {
  if (text === undefined) return refuse('missing_parameter', `\`${name}\` is required.`)
  const issue = error.issues[0]
  const code = issue?.code === 'custom' ? issue.params?.code : undefined
  return refuse((code as ApiErrorCode | undefined) ?? 'invalid_parameter', `\`${name}\` ${issue?.message ?? 'is not valid.'}`)
}

/**
 * `+` stays a plus, as in RFC 3986: no parameter contains a space, and people type `2026-01-01T00:00:00+02:00`.
 * A broken escape stays unchanged, and the rule of the value refuses it.
 */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
