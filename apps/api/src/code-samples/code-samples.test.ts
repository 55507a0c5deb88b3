import { runInNewContext } from 'node:vm'
import { createClient } from '@orrery/client'
import { describe, expect, it } from 'vitest'
import { EXAMPLES, exampleTarget } from '../examples/example.ts'
import { managementRoutes } from '../management/index.ts'
import { openApiDocument } from '../openapi.ts'
import { routes } from '../testing/all-routes.ts'
import { CLIENT_CALLS } from './client-calls.ts'

const ORIGIN = 'http://localhost:8080'
const ENV = { ORRERY_KEY: 'a-key', ORRERY_ACCESS_TOKEN: 'a-token', ORRERY_ADMIN_TOKEN: 'an-admin' }
/** By scheme of the document: the header that the request needs. */
const CREDENTIALS: Readonly<Record<string, readonly [header: string, value: string]>> = {
  apiKey: ['x-service-api-key', 'a-key'],
  bearer: ['authorization', 'Bearer a-token'],
  adminToken: ['x-service-admin-token', 'an-admin'],
}

const operations = Object.entries(openApiDocument(routes, managementRoutes).paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
)

/** The requests that a sample for the client makes, each answered with the example's body. */
async function requestsOf(source: string, response: unknown): Promise<Request[]> {
  const requests: Request[] = []
  const create = (options: Parameters<typeof createClient>[0]): ReturnType<typeof createClient> =>
    createClient({
      ...options,
      fetch: async (request) => {
        requests.push(request.clone())
        return response === null ? new Response(null, { status: 204 }) : Response.json(response)
      },
    })
  const body = source.replace(/^import .*\n/, '')
  await runInNewContext(`(async () => {${body}\n})()`, { createClient: create, process: { env: ENV }, console: { log: () => undefined } })
  return requests
}

/** Pairs of a query in an order that does not matter. */
const sortedQuery = (target: string): string[][] => [...new URL(target, ORIGIN).searchParams].sort()

describe('code samples of the OpenAPI document', () => {
  it('every operation has curl and Python, and every operation that the client has a call of it', () => {
    const labels = operations.map(({ operation }) => [operation.operationId, operation['x-codeSamples'].map(({ label }) => label)])
    expect(labels).toEqual(
      operations.map(({ operation: { operationId } }) => [
        operationId,
        ['curl', ...(operationId in CLIENT_CALLS ? ['TypeScript'] : []), 'Python'],
      ]),
    )
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(Object.keys(CLIENT_CALLS).filter((id) => !ids.includes(id))).toEqual([])
  })

  it.each(operations.filter(({ operation }) => operation.operationId in CLIENT_CALLS))(
    'the call of the client for $operation.operationId makes the request of the example',
    async ({ path, method, operation }) => {
      const example = EXAMPLES.get(operation.operationId)
      const source = operation['x-codeSamples'].find(({ lang }) => lang === 'TypeScript')?.source ?? ''
      const [request, ...more] = await requestsOf(source, example?.response)
      if (example === undefined || request === undefined)
        throw new Error(`${operation.operationId} has no example, or its sample makes no request.`)
      const target = exampleTarget(path, example.request)
      expect(more).toEqual([])
      expect([request.method, new URL(request.url).pathname]).toEqual([method.toUpperCase(), new URL(target, ORIGIN).pathname])
      expect(sortedQuery(request.url)).toEqual(sortedQuery(target))
      const text = await request.text()
      expect(text === '' ? undefined : JSON.parse(text)).toEqual(example.request.body)
      const [header, value] = CREDENTIALS[Object.keys(operation.security[0] ?? {})[0] ?? ''] ?? []
      if (header !== undefined) expect(request.headers.get(header)).toBe(value)
    },
  )
})
