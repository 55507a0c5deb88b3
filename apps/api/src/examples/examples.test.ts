import { describe, expect, it } from 'vitest'
import { managementRoutes } from '../management/index.ts'
import { openApiDocument } from '../openapi.ts'
import type { Operation } from '../openapi-operation.ts'
import { readParameters } from '../parameters.ts'
import { routes } from '../testing/all-routes.ts'
import { schemaCheck } from '../testing/check-answer.ts'
import { EXAMPLES, exampleTarget } from './example.ts'

const document = openApiDocument(routes, managementRoutes)
const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

interface MediaTypes {
  readonly content?: { readonly 'application/json': { readonly schema: object; readonly example?: unknown } }
}

/** What a request sends, and the answer to it. */
function bodiesOf({ requestBody, responses }: Operation): { readonly sent: MediaTypes | undefined; readonly answered: MediaTypes } {
  const [status = ''] = Object.keys(responses).filter((it) => it.startsWith('2'))
  return { sent: requestBody as MediaTypes | undefined, answered: responses[status] as MediaTypes }
}

describe('the examples of the document', () => {
  it('every operation has an example, and every example an operation', () => {
    expect([...EXAMPLES.keys()].sort()).toEqual(operations.map(({ operationId }) => operationId).sort())
  })

  it('every operation shows the answer of its example, and the body that it takes', () => {
    for (const operation of operations) {
      const { sent, answered } = bodiesOf(operation)
      for (const media of [sent, answered]) {
        const { schema, example } = media?.content?.['application/json'] ?? {}
        expect({ operation: operation.operationId, hasExample: example !== undefined }).toEqual({
          operation: operation.operationId,
          hasExample: schema !== undefined,
        })
      }
    }
  })

  it('every example is as the schema of its operation describes it', () => {
    const check = schemaCheck(document)
    for (const operation of operations) {
      const { sent, answered } = bodiesOf(operation)
      for (const media of [sent, answered]) {
        if (media?.content === undefined) continue
        const { schema, example } = media.content['application/json']
        check(schema as Parameters<typeof check>[0], example, operation.operationId)
      }
    }
  })

  it('every data endpoint accepts the parameters of its example', () => {
    for (const route of routes) {
      const example = EXAMPLES.get(route.operationId)
      const query = exampleTarget('', example?.request ?? { path: {}, query: {} }).slice(1)
      expect(() => readParameters(route, example?.request.path ?? {}, query), route.operationId).not.toThrow()
    }
  })

  it('every parameter has an example, except where no value is accepted yet', () => {
    const without = operations.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ example }) => example === undefined).map(({ name }) => `${operationId} ${name}`),
    )
    expect(without.filter((it) => !it.endsWith(' resolution'))).toEqual(['getPortfolio as_of_ledger'])
  })
})
