// The series of an API, from the OpenAPI document that it serves: operations that answer CSV with a record for each of their `points`.

import type { PointColumn } from '@orrery/read-model'
import { z } from 'zod'

export interface Series {
  /** `/v1/users/{address}/history`. */
  readonly path: string
  readonly columns: readonly PointColumn[]
}

const Schema = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  anyOf: z.array(z.unknown()).optional(),
  items: z.unknown().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
})
type Schema = z.output<typeof Schema>

const Operation = z.object({
  responses: z.object({
    200: z.object({ content: z.object({ 'application/json': z.object({ schema: z.unknown() }), 'text/csv': z.unknown() }) }),
  }),
})

const Document = z.object({
  paths: z.record(z.string(), z.object({ get: z.unknown().optional() })),
  components: z.object({ schemas: z.record(z.string(), z.unknown()) }),
})

/** Null where `document` is none of an Orrery API. */
export function seriesOf(document: unknown): readonly Series[] | null {
  const { data } = Document.safeParse(document)
  if (data === undefined) return null
  const { paths, components } = data
  const schemaOf = (given: unknown): Schema => {
    const schema = Schema.safeParse(given).data ?? {}
    return schema.$ref === undefined ? schema : schemaOf(components.schemas[schema.$ref.replace('#/components/schemas/', '')])
  }
  const member = (schema: Schema, name: string): Schema => schemaOf(schema.properties?.[name])
  const found = Object.entries(paths).flatMap(([path, { get }]) => {
    const content = Operation.safeParse(get).data?.responses[200].content
    if (content?.['text/csv'] === undefined) return []
    const points = member(member(schemaOf(content['application/json'].schema), 'data'), 'points')
    const columns = Object.entries(schemaOf(points.items).properties ?? {})
    // Names become names of columns in a statement.
    if (columns.length === 0 || columns.some(([name]) => !/^\w+$/.test(name))) return []
    return [{ path, columns: columns.map(([name, schema]) => ({ name, type: columnTypeOf(schemaOf(schema)) })) }]
  })
  return found.length === 0 ? null : found
}

/** Decimals are text, as in the answers. So are lists and objects: JSON, as in CSV. */
function columnTypeOf({ type = [], format, anyOf = [] }: Schema): string {
  const [only, ...others] = anyOf.map((one) => Schema.parse(one)).filter((one) => one.type !== 'null')
  if (only !== undefined) {
    const plain = others.length === 0 ? columnTypeOf(only) : 'String'
    return others.length + 1 === anyOf.length || plain.startsWith('Nullable(') ? plain : `Nullable(${plain})`
  }
  const types = [type].flat()
  const plain = plainTypeOf(types.find((one) => one !== 'null') ?? '', format)
  return types.includes('null') ? `Nullable(${plain})` : plain
}

function plainTypeOf(type: string, format: string | undefined): string {
  if (type === 'integer') return 'Int64'
  if (type === 'number') return 'Float64'
  if (type === 'boolean') return 'Bool'
  return format === 'date-time' ? `DateTime('UTC')` : 'String'
}

/** The series at the path of a request; undefined when there is none. */
export function seriesAt(series: readonly Series[], request: string): Series | undefined {
  const [path = ''] = request.split('?')
  const asked = path.split('/')
  return series.find((one) => {
    const parts = one.path.split('/')
    return parts.length === asked.length && parts.every((part, n) => (part.startsWith('{') ? asked[n] !== '' : part === asked[n]))
  })
}
