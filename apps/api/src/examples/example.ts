// Examples of the OpenAPI document: a request to the demo network for each operation, and its answer.
// A file is `<tag>/<operationId>.json`. Its `request` is written by hand, its `response` by `npm run examples`.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface Example {
  readonly request: ExampleRequest
  /** The body of the answer; null for an answer without one. */
  readonly response: unknown
}

interface ExampleRequest {
  /** Text of each parameter of the path, by name. */
  readonly path: Readonly<Record<string, string>>
  /** Text of some parameters of the query, by name. */
  readonly query: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The folder with the files, for the code that compares them with the running demo. */
export const exampleFolder = fileURLToPath(new URL('.', import.meta.url))

/** By operation id, in the order of the paths of the files. */
export const EXAMPLES: ReadonlyMap<string, Example> = new Map(
  readdirSync(exampleFolder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.json'))
    .sort()
    .map((path) => [basename(path, '.json'), JSON.parse(readFileSync(join(exampleFolder, path), 'utf8'))]),
)

/** The template of a path, such as `/v1/pools/{pool_id}`, with the values of the request, and its query. */
export function exampleTarget(template: string, { path, query }: ExampleRequest): string {
  const filled = template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => path[name] ?? whole)
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${value}`)
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`
}
