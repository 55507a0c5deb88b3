import { readFileSync } from 'node:fs'
import { assert } from '@orrery/errors'
import { describe, expect, it } from 'vitest'
import { documentOfBuild } from './document.ts'
import { breakingChanges, contractOf, RELEASED_CONTRACT } from './testing/released-contract.ts'

/** The first comparison on a machine compiles oasdiff. */
const COMPILED_MS = 600_000

type Members = Record<string | number, unknown>
type Path = readonly (string | number)[]

const released: unknown = JSON.parse(readFileSync(RELEASED_CONTRACT, 'utf8'))

/** What is at a path of a document; fails if there is nothing. */
function at(document: unknown, path: Path): unknown {
  return path.reduce((inner: unknown, name) => {
    const value = (inner as Members)[name]
    assert(value !== undefined, `the document has ${path.join(' ')}`)
    return value
  }, document)
}

/** The released document with a change of the object or list at `path`. */
function releasedBut(path: Path, change: (members: Members) => void): unknown {
  const document = structuredClone(released)
  change(at(document, path) as Members)
  return document
}

const FEED: Path = ['paths', '/v1/users/{address}/activities']
const PARAMETERS: Path = [...FEED, 'get', 'parameters']
const ACTIVITY: Path = ['components', 'schemas', 'Activity']

/** The place of a parameter of the feed. */
function parameter(name: string): Path {
  const parameters = at(released, PARAMETERS) as readonly Members[]
  const n = parameters.findIndex((it) => it.name === name)
  assert(n >= 0, `the feed has the parameter ${name}`)
  return [...PARAMETERS, n]
}

describe('the contract of the build', () => {
  it('breaks no client of the released contract', { timeout: COMPILED_MS }, async () => {
    expect(await breakingChanges(released, contractOf(documentOfBuild()))).toEqual([])
  })

  const broken: Readonly<Record<string, { readonly after: unknown; readonly id: string }>> = {
    'an operation that is gone': {
      after: releasedBut(FEED, (feed) => delete feed.get),
      id: 'api-removed-without-deprecation',
    },
    'a member of an answer that is gone': {
      after: releasedBut(ACTIVITY, (activity) => {
        delete (activity.properties as Members).amount
        activity.required = (activity.required as string[]).filter((name) => name !== 'amount')
      }),
      id: 'response-required-property-removed',
    },
    'a member of an answer that has another type': {
      after: releasedBut([...ACTIVITY, 'properties', 'amount'], (amount) => {
        amount.type = 'number'
      }),
      id: 'response-property-type-changed',
    },
    'a member of an answer that may be null now': {
      after: releasedBut([...ACTIVITY, 'properties', 'amount'], (amount) => {
        amount.type = ['string', 'null']
      }),
      id: 'response-property-became-nullable',
    },
    'a parameter that is gone': {
      after: releasedBut(PARAMETERS, (list) => (list as unknown as unknown[]).splice(parameter('order').at(-1) as number, 1)),
      id: 'request-parameter-removed',
    },
    'a parameter that must be given now': {
      after: releasedBut(parameter('protocol'), (it) => {
        it.required = true
      }),
      id: 'request-parameter-became-required',
    },
    'a new parameter that must be given': {
      after: releasedBut(PARAMETERS, (list) =>
        (list as unknown as unknown[]).push({ name: 'network', in: 'query', required: true, schema: { type: 'string' } }),
      ),
      id: 'new-required-request-parameter',
    },
    'a value that a parameter takes no more': {
      after: releasedBut([...parameter('protocol'), 'schema'], (schema) => {
        schema.enum = ['aquarius', 'soroswap', 'fxdao']
      }),
      id: 'request-parameter-enum-value-removed',
    },
    'a bound of a parameter that is lower': {
      after: releasedBut([...parameter('limit'), 'schema'], (schema) => {
        schema.maximum = 50
      }),
      id: 'request-parameter-max-decreased',
    },
    'a default of a parameter that is another': {
      after: releasedBut([...parameter('order'), 'schema'], (schema) => {
        schema.default = 'asc'
      }),
      id: 'request-parameter-default-value-changed',
    },
  }
  it.each(Object.entries(broken))('%s is named as a breaking change', { timeout: COMPILED_MS }, async (_, { after, id }) => {
    expect(new Set((await breakingChanges(released, after)).map((change) => change.id))).toEqual(new Set([id]))
  })

  const allowed: Readonly<Record<string, unknown>> = {
    'a new operation': releasedBut(['paths'], (paths) => {
      paths['/v1/users/{address}/feed'] = paths['/v1/users/{address}/activities']
    }),
    'a new member of an answer': releasedBut([...ACTIVITY, 'properties'], (properties) => {
      properties.memo = { type: 'string' }
    }),
    'a new value of an answer': releasedBut([...ACTIVITY, 'properties', 'direction'], (direction) => {
      direction.enum = [...(direction.enum as string[]), 'both']
    }),
    'a new parameter that may be left out': releasedBut(PARAMETERS, (list) =>
      (list as unknown as unknown[]).push({ name: 'memo', in: 'query', required: false, schema: { type: 'string' } }),
    ),
    'a new value of a parameter': releasedBut([...parameter('protocol'), 'schema'], (schema) => {
      schema.enum = [...(schema.enum as string[]), 'phoenix']
    }),
    'a change of an experimental operation': releasedBut(['paths'], (paths) => {
      delete paths['/v1/pools/{pool_id}/history']
    }),
  }
  it.each(Object.entries(allowed))('%s is no breaking change', { timeout: COMPILED_MS }, async (_, after) => {
    expect(await breakingChanges(released, after)).toEqual([])
  })
})
