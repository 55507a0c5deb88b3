import { expect, it } from 'vitest'
import { wholeDocument } from './testing/all-routes.ts'
import { TESTED_PROTOCOLS } from './testing/tested-protocols.ts'

interface Schema {
  readonly $ref?: string
  readonly type?: unknown
  readonly description?: string
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly additionalProperties?: Schema | boolean
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
}

const document = wholeDocument()
const schemas = Object.entries(document.components.schemas) as [string, Schema][]
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ at: `${method} ${path}`, operation })),
)

/** Every schema inside of one, with its path. */
function* within(schema: Schema, at: string): Generator<readonly [string, Schema]> {
  yield [at, schema]
  const { properties = {}, items, additionalProperties, anyOf = [], oneOf = [], allOf = [] } = schema
  for (const [name, member] of Object.entries(properties)) yield* within(member, `${at}.${name}`)
  if (items !== undefined) yield* within(items, `${at}[]`)
  if (typeof additionalProperties === 'object') yield* within(additionalProperties, `${at}{}`)
  for (const one of [...anyOf, ...oneOf, ...allOf]) yield* within(one, at)
}

const all = schemas.flatMap(([name, schema]) => [...within(schema, name)])

it('every property has a description, or a schema with a name', () => {
  const members = all.flatMap(([at, { properties = {} }]) =>
    Object.entries(properties).map(([name, member]) => [`${at}.${name}`, member] as const),
  )
  expect(members.length).toBeGreaterThan(300)
  // A variant of a schema narrows members that the schema itself describes.
  const described = new Set(members.flatMap(([at, { description = '', $ref }]) => (description !== '' || $ref !== undefined ? [at] : [])))
  expect(members.map(([at]) => at).filter((at) => !described.has(at))).toEqual([])
})

it('every operation and every parameter has a description', () => {
  // Rules over several parameters follow the description.
  const nameless = operations.filter(({ operation }) => /^(Refused combinations|$)/.test(operation.description)).map(({ at }) => at)
  const parameters = operations.flatMap(({ at, operation }) => operation.parameters.map((parameter) => ({ at, ...parameter })))
  expect(nameless).toEqual([])
  expect(parameters.filter(({ description }) => description === '').map(({ at, name }) => `${at} ${name}`)).toEqual([])
})

it('no member is an object of unknown members', () => {
  const loose = all.filter(([, { type, properties, additionalProperties: any }]) => {
    const isOpen = typeof any === 'object' ? Object.keys(any).length === 0 : properties === undefined
    return type === 'object' && isOpen
  })
  expect(loose.map(([at]) => at)).toEqual([])
})

it('no member is without a type', () => {
  const untyped = all.filter(([, { description: _, ...rest }]) => Object.keys(rest).length === 0)
  // Its variants say what it is.
  expect(untyped.map(([at]) => at)).toEqual(['Activity.metadata'])
})

it('an activity has a named schema of its metadata for every type of activity of every protocol', () => {
  const { allOf } = document.components.schemas.Activity as unknown as { allOf: [{ anyOf: [{ oneOf: Variant[] }, Variant] }] }
  const [known, other] = allOf[0].anyOf
  const variants = known.oneOf.map(({ properties: { protocol, activity_type, metadata } }) => ({
    of: `${protocol.const} ${activity_type.const}`,
    schemas: (metadata.anyOf ?? [metadata]).map(({ $ref = '' }) => $ref.replace('#/components/schemas/', '')),
  }))
  const names = variants.flatMap(({ schemas }) => schemas)
  expect(new Set(variants.map(({ of }) => of)).size).toBe(variants.length)
  expect(Object.keys(document.components.schemas)).toEqual(expect.arrayContaining(names))
  expect(variants.find(({ of }) => of === 'blend claim')?.schemas).toEqual(['BlendPoolClaimMetadata', 'BlendBackstopClaimMetadata'])
  expect(other.properties).toEqual({
    protocol: { not: { enum: TESTED_PROTOCOLS.map(({ id }) => id).sort() } },
    metadata: { $ref: '#/components/schemas/OtherActivityMetadata' },
  })
})

interface Variant {
  readonly properties: {
    readonly protocol: { readonly const: string }
    readonly activity_type: { readonly const: string }
    readonly metadata: Schema
  }
}

it.each([
  ['PositionItem', 'kind', ['lending', 'backstop', 'liquidity', 'vault', 'stake']],
  ['Reserve', 'kind', ['lending', 'liquidity', 'vault']],
  ['LendingBalance', 'side', ['supply', 'borrow']],
])('the metadata of %s names `%s` as the member that decides, with the schema of each value', (name, propertyName, values) => {
  const { properties } = document.components.schemas[name] as unknown as {
    properties: { metadata: { discriminator: object; oneOf: Schema[] } }
  }
  const { discriminator, oneOf } = properties.metadata
  const references = oneOf.map(({ $ref }) => $ref)
  expect(references).toHaveLength(values.length)
  expect(discriminator).toEqual({ propertyName, mapping: Object.fromEntries(values.map((value, n) => [value, references[n]])) })
})
