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
    ref: (schema) => (collection.of(z.tuple([schema])).prefixItems as readonly JsonSchema[])[0] ?? {},
    of(schema) {
      const { $schema, $defs = {}, ...root } = relocated(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema
      for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
        define(id, opened(definition) as JsonSchema)
      }
      return root
    },
  }
  return collection
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
