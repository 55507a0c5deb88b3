// zod schemas as JSON schemas of one OpenAPI document: a schema with an id goes into `components.schemas` once and is referenced.

import { assert } from '@orrery/errors'
import { z } from 'zod'

export type JsonSchema = { readonly [keyword: string]: unknown }

export interface SchemaCollection {
  /** The input of the schema: text of parameters, JSON of request bodies. Unknown members are refused. */
  of(schema: z.ZodType): JsonSchema
  /** The same for an answer: further members may be added within `/v1`, so additional properties are not forbidden. */
  answer(schema: z.ZodType): JsonSchema
  /** An answer under a name of its own in `components.schemas`. Returns the reference. */
  named(id: string, schema: z.ZodType): JsonSchema
  /** A reference to a schema that has an id. */
  ref(schema: z.ZodType): JsonSchema
  /** All schemas with an id so far, by id. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

export function schemaCollection(): SchemaCollection {
  const components: Record<string, JsonSchema> = {}
  const define = (id: string, definition: JsonSchema) => {
    const known = components[id]
    assert(known === undefined || JSON.stringify(known) === JSON.stringify(definition), `Two different schemas have the id ${id}.`)
    components[id] = definition
  }
  const collection: SchemaCollection = {
    components,
    answer: (schema) => opened(collection.of(schema)) as JsonSchema,
    named(id, schema) {
      define(id, collection.answer(schema))
      return { $ref: `#/components/schemas/${id}` }
    },
    ref: (schema) => (collection.of(tupleOf(schema)).prefixItems as readonly JsonSchema[])[0] ?? {},
    of(schema) {
      const { $schema, $defs = {}, ...root } = converted(schema)
      const definitions = $defs as Record<string, JsonSchema>
      for (const [id, definition] of Object.entries(definitions)) define(id, opened(mapped(definition, definitions)) as JsonSchema)
      return mapped(root, definitions) as JsonSchema
    },
  }
  return collection
}

/** Schemas never change, and a process may make several documents of the same ones. */
const conversions = new WeakMap<z.ZodType, JsonSchema>()
const tuples = new WeakMap<z.ZodType, z.ZodType>()

function converted(schema: z.ZodType): JsonSchema {
  const known = conversions.get(schema)
  if (known !== undefined) return known
  const made = relocated(z.toJSONSchema(schema, { io: 'input', override: nameDiscriminator })) as JsonSchema
  conversions.set(schema, made)
  return made
}

/** A schema around another one, in which it is referenced by its id. */
function tupleOf(schema: z.ZodType): z.ZodType {
  const made = tuples.get(schema) ?? z.tuple([schema])
  tuples.set(schema, made)
  return made
}

/** The member that decides between the schemas of a union, as OpenAPI names it. */
function nameDiscriminator({ zodSchema, jsonSchema }: { zodSchema: z.core.$ZodTypes; jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { def } = zodSchema._zod
  if (def.type === 'union' && 'discriminator' in def) jsonSchema.discriminator = { propertyName: def.discriminator }
}

/** The same with the value of the deciding member for each schema of such a union. */
function mapped(value: unknown, definitions: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((one) => mapped(one, definitions))
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([keyword, one]) => [keyword, mapped(one, definitions)]))
  const { discriminator, oneOf } = inner as { discriminator?: { propertyName?: string }; oneOf?: readonly { $ref: string }[] }
  const name = discriminator?.propertyName
  if (name === undefined || oneOf === undefined) return inner
  const mapping = oneOf.map(({ $ref }) => {
    const { properties } = definitions[$ref.split('/').at(-1) ?? ''] as { properties: Readonly<Record<string, { const: string }>> }
    return [properties[name]?.const, $ref] as const
  })
  return { ...inner, discriminator: { propertyName: name, mapping: Object.fromEntries(mapping) } }
}

/** The same without `additionalProperties: false`. */
function opened(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(opened)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([keyword, inner]) =>
      keyword === 'additionalProperties' && inner === false ? [] : [[keyword, opened(inner)]],
    ),
  )
}

/** The same value with its references changed to `components`. */
function relocated(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relocated)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([keyword, inner]) =>
      keyword === '$ref' && typeof inner === 'string'
        ? [keyword, inner.replace('#/$defs/', '#/components/schemas/')]
        : [keyword, relocated(inner)],
    ),
  )
}
