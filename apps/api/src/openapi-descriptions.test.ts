import { expect, it } from 'vitest'
import { managementRoutes } from './management/index.ts'
import { openApiDocument } from './openapi.ts'
import { routes } from './testing/all-routes.ts'

interface Schema {
  readonly $ref?: string
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
}

const document = openApiDocument(routes, managementRoutes)
const schemas = Object.entries(document.components.schemas) as [string, Schema][]
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
)

/** Every schema inside of one, with its path. */
function* within(schema: Schema, at: string): Generator<readonly [string, Schema]> {
  yield [at, schema]
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [] } = schema
  for (const [name, member] of Object.entries(properties)) yield* within(member, `${at}.${name}`)
  if (items !== undefined) yield* within(items, `${at}[]`)
  if (typeof additionalProperties === 'object') yield* within(additionalProperties, `${at}{}`)
  for (const one of [...anyOf, ...oneOf]) yield* within(one, at)
}

const all = schemas.flatMap(([name, schema]) => [...within(schema, name)])

it('every property has a description, or a schema with a name', () => {
  const members = all.flatMap(([at, { properties = {} }]) =>
    Object.entries(properties).map(([name, member]) => [`${at}.${name}`, member] as const),
  )
  expect(members.length).toBeGreaterThan(300)
  expect(members.filter(([, { description = '', $ref }]) => description === '' && $ref === undefined).map(([at]) => at)).toEqual([])
})

it('every operation and every parameter has a description', () => {
  const nameless = operations.filter(({ operation }) => operation.description === '').map(({ at }) => at)
  const parameters = operations.flatMap(({ at, operation }) => operation.parameters.map((parameter) => ({ at, ...parameter })))
  expect(nameless).toEqual([])
  expect(parameters.filter(({ description }) => description === '').map(({ at, name }) => `${at} ${name}`)).toEqual([])
})

it('no member is an object of unknown members', () => {
  const loose = all.filter(([, { additionalProperties: any }]) => typeof any === 'object' && Object.keys(any).length === 0)
  expect(loose.map(([at]) => at)).toEqual(['Activity.metadata'])
})
