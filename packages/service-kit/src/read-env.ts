// The environment of a process, checked by one zod schema. All problems are reported at once.
// The only callers are files named `env.ts`.

import { OrreryError } from '@orrery/errors'
import type { z } from 'zod'

/**
 * The environment as read by `schema`. An empty variable counts as not set: compose files write `NAME=` for "no value".
 * Throws `invalid`/`invalid_environment` with one line for each problem. Values are never shown, because they may be secrets.
 */
export function readEnv<S extends z.ZodObject>(schema: S, env: Readonly<Record<string, string | undefined>>): z.output<S> {
  const given = Object.fromEntries(Object.keys(schema.shape).flatMap((name) => (env[name] ? [[name, env[name]]] : [])))
  const read = schema.safeParse(given)
  if (read.success) return read.data
  const problems = read.error.issues.map((issue) => {
    const name = issue.path.map(String).join('.')
    const absent = given[name] === undefined
    return `  ${name}: ${absent ? 'is required and not set' : lowerFirst(issue.message)}${descriptionOf(schema, name)}`
  })
  const count = problems.length === 1 ? 'One variable' : `${problems.length} variables`
  throw new OrreryError(
    'invalid',
    'invalid_environment',
    `${count} of the environment cannot be used. Nothing was started.\n${problems.join('\n')}\nSet what is named above and start again.`,
    { context: { variables: read.error.issues.map((issue) => issue.path.join('.')).join(' ') } },
  )
}

function descriptionOf(schema: z.ZodObject, name: string): string {
  const description = (schema.shape[name] as z.ZodType | undefined)?.description
  return description === undefined ? '' : ` (${description})`
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1)
}
