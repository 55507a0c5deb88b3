// A request as the user would write it: for curl and for the client. The texts have a placeholder instead of the API key.

import { createClient } from '@orrery/client'
import type { ApiCall } from './api-call.ts'

export const KEY_PLACEHOLDER = 'YOUR_API_KEY'

/** Answers with pages, by resource and method: the client gives them one page at a time. */
const PAGED = new Set(['accounts.actions', 'accounts.activities', 'assets.list', 'pools.activities', 'pools.list', 'protocols.accounts'])

/** Path and query, taken from the request that the client itself makes of the call. Nothing is sent. */
export async function pathOf(call: ApiCall<unknown>): Promise<string> {
  const paths: string[] = []
  const client = createClient({
    baseUrl: 'http://localhost',
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url)
      paths.push(`${pathname}${search}`)
      return new Response('{}', { headers: { 'content-type': 'application/json' } })
    },
  })
  await call.send(client)
  return paths[0] ?? ''
}

/** @param origin Where the API is served. */
export async function curlText(call: ApiCall<unknown>, origin: string): Promise<string> {
  return `curl -H 'x-service-api-key: ${KEY_PLACEHOLDER}' '${origin}${await pathOf(call)}'`
}

/** @param origin Where the API is served. */
export function typescriptText({ resource, method, args, take }: ApiCall<unknown>, origin: string): string {
  const isPaged = PAGED.has(`${resource}.${method}`)
  const page = !isPaged ? '' : take === undefined ? '.first()' : `.take(${take})`
  return `import { createClient } from '@orrery/client'

const orrery = createClient({ baseUrl: ${literal(origin)}, apiKey: '${KEY_PLACEHOLDER}' })
const answer = await orrery.${resource}.${method}(${args.map(literal).join(', ')})${page}`
}

/** A value as source of TypeScript, in the style of the documentation. */
function literal(value: unknown): string {
  if (typeof value === 'string') return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  const members = Object.entries(value).map(([name, member]) => `${name}: ${literal(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
