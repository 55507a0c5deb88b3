// zod schemas as JSON schemas of one OpenAPI document: a schema with an id goes into `components.schemas` once and is referenced.

import { assert } from '@orrery/errors'
import { z } from 'zod'

export type JsonSchema = { readonly [keyword: string]: unknown }

export interface SchemaCollection {
  /** The input of the schema: text for parameters, JSON for answers. */
  of(schema: z.ZodType): JsonSchema
  /** A reference to a schema that has an id. */
  ref(schema: z.ZodType): JsonSchema
  /** All schemas with an id so far, by id. */
  readonly components: Readonly<Record<string, JsonSchema>>
}

export function schemaCollection(): SchemaCollection {
  const components: Record<string, JsonSchema> = {}
  const collection: SchemaCollection = {
    components,
    ref: (schema) => (collection.of(z.tuple([schema])).prefixItems as readonly JsonSchema[])[0] ?? {},
    of(schema) {
      const { $schema, $defs = {}, ...root } = relocated(z.toJSONSchema(schema, { io: 'input' })) as JsonSchema
      for (const [id, definition] of Object.entries($defs as Record<string, JsonSchema>)) {
        const known = components[id]
        assert(known === undefined || JSON.stringify(known) === JSON.stringify(definition), `Two different schemas have the id ${id}.`)
        components[id] = definition
      }
      return root
    },
  }
  return collection
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
