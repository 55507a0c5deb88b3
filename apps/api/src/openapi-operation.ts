// One route as an operation of the OpenAPI document.

import { z } from 'zod'
import { type CodeSample, codeSamples, type SampledOperation, STREAM_SAMPLES } from './code-samples/code-samples.ts'
import { CSV_MEDIA_TYPE, type CsvTable, columnsOf } from './csv/csv-table.ts'
import { DEPRECATION_HEADERS } from './deprecation.ts'
import { Enrichment, Meta, SparseMeta } from './envelope.ts'
import { EXAMPLES } from './examples/example.ts'
import { PARAMETER_VALUES } from './examples/parameter-values.ts'
import type { JsonSchema, SchemaCollection } from './json-schema.ts'
import type { ManagementRoute } from './management/management-route.ts'
import type { Route } from './route.ts'
import { EVENT_STREAM, LAST_EVENT_ID, type StreamRoute } from './stream/stream-route.ts'

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly 'x-stability': Route['stability']
  readonly deprecated?: true
  readonly 'x-codeSamples': readonly CodeSample[]
  readonly security: readonly JsonSchema[]
  readonly parameters: readonly Parameter[]
  readonly requestBody?: JsonSchema
  /** By status. */
  readonly responses: Readonly<Record<string, JsonSchema>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description: string
  /** Of a parameter that may still change, though the operation is stable. */
  readonly 'x-stability'?: 'experimental'
  readonly schema: JsonSchema
  /** Absent where every value is reserved for later use. */
  readonly example?: string | number
}

export const RATE_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy', 'ratelimit-cost']

/** Only of answers as CSV. */
export const CSV_HEADERS = [
  'link',
  'x-orrery-attribution-confidence',
  'x-orrery-data-staleness-seconds',
  'x-orrery-last-indexed-ledger',
  'x-orrery-oracle-staleness-seconds',
  'x-orrery-partial-result',
  'x-orrery-response-time-ms',
  'x-orrery-sources',
  'x-orrery-warnings',
]

type Credential = (Route | ManagementRoute)['credential']

const SECURITY: Readonly<Record<Credential, readonly JsonSchema[]>> = {
  'api-key': [{ apiKey: [] }],
  bearer: [{ bearer: [] }],
  'admin-token': [{ adminToken: [] }],
  none: [],
}
/** Error statuses that any endpoint may respond with. */
const ALWAYS = [400, 404, 405, 500, 503, 504]
/** Error statuses of endpoints that take a credential. A body may also contain one: a password, a refresh token. */
const OF_CREDENTIAL = [401, 429]
const OF_KEY = [403]
const OF_BODY = [413, 415]

export function operationOf(route: Route, schemas: SchemaCollection): Operation {
  const example = EXAMPLES.get(route.operationId)
  const needsKey = route.credential === 'api-key'
  const envelope = z.strictObject({ data: route.data, enrichment: Enrichment, meta: route.answersWithoutIndex ? SparseMeta : Meta })
  const caching = route.cache === 'tagged' ? ['etag'] : []
  const csvHeaders = route.csv === null ? [] : ['vary', ...CSV_HEADERS]
  const ending = route.deprecation === null ? [] : DEPRECATION_HEADERS
  const headers = headerRefs(['x-request-id', 'cache-control', ...(needsKey ? RATE_HEADERS : []), ...caching, ...csvHeaders, ...ending])
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: describe(route),
    tags: [route.tagName],
    'x-stability': route.stability,
    ...(route.deprecation !== null && { deprecated: true as const }),
    'x-codeSamples': samplesOf(route, schemas),
    security: SECURITY[route.credential],
    parameters: [
      ...parametersOf(route.params, 'path', schemas, example?.request.path),
      ...parametersOf(route.query, 'query', schemas, example?.request.query),
    ],
    responses: {
      200: {
        description: 'The answer.',
        headers,
        content: {
          'application/json': withExample(schemas.named(responseName(route.operationId), envelope), example?.response),
          ...(route.csv !== null && { [CSV_MEDIA_TYPE]: { schema: csvSchema(route.data, route.csv) } }),
        },
      },
      ...(route.cache === 'tagged' && {
        304: { description: 'Not modified: the answer with the tag in `If-None-Match` is still current.', headers },
      }),
      ...refusals([...ALWAYS, ...(needsKey ? [...OF_CREDENTIAL, ...OF_KEY] : [])]),
    },
  }
}

export function managementOperation(route: ManagementRoute, schemas: SchemaCollection): Operation {
  const example = EXAMPLES.get(route.operationId)
  const isCounted = route.credential === 'bearer' || route.isCounted === true
  const headers = headerRefs(['x-request-id', 'cache-control', ...(isCounted ? RATE_HEADERS : [])])
  const answer =
    route.result === null ? {} : { content: { 'application/json': withExample(schemas.answer(route.result), example?.response) } }
  const content = route.body === null ? null : { 'application/json': withExample(schemas.of(route.body), example?.request.body) }
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: route.description,
    tags: [route.tagName],
    'x-stability': route.stability ?? 'stable',
    'x-codeSamples': samplesOf(route, schemas),
    security: SECURITY[route.credential],
    parameters: [
      ...parametersOf(route.params, 'path', schemas, example?.request.path),
      ...(route.query === undefined ? [] : parametersOf(route.query, 'query', schemas, example?.request.query)),
    ],
    ...(content !== null && { requestBody: { required: true, content } }),
    responses: {
      [route.status]: { description: route.result === null ? 'Done.' : 'The answer.', headers, ...answer },
      ...refusals([...ALWAYS, ...OF_CREDENTIAL, ...(route.body === null ? [] : OF_BODY)]),
    },
  }
}

/** The text of the stream has no schema in OpenAPI 3.1: the schemas of `data` are listed by the name of the event in `x-events`. */
export function streamOperation(route: StreamRoute, schemas: SchemaCollection): Operation {
  const events = Object.fromEntries(Object.entries(route.events).map(([name, schema]) => [name, schemas.ref(schema)]))
  const schema = {
    type: 'string',
    description: 'Server-sent events. `data` of each is JSON; `x-events` has its schema by the name of the event.',
    contentMediaType: EVENT_STREAM,
    contentSchema: { anyOf: Object.values(events) },
    'x-events': events,
  }
  const lastEventId: Parameter = {
    name: LAST_EVENT_ID,
    in: 'header',
    required: false,
    description: 'Id of the last event that the client has: the stream goes on after it.',
    schema: { type: 'string', minLength: 1 },
    example: '1000123',
  }
  const headers = headerRefs(['x-request-id', 'cache-control', ...RATE_HEADERS])
  return {
    operationId: route.operationId,
    summary: route.summary,
    description: describe(route),
    tags: [route.tagName],
    'x-stability': route.stability,
    'x-codeSamples': STREAM_SAMPLES,
    security: SECURITY['api-key'],
    parameters: [...parametersOf(route.query, 'query', schemas), lastEventId],
    responses: {
      200: { description: 'The stream. It does not end by itself.', headers, content: { [EVENT_STREAM]: { schema } } },
      ...refusals([...ALWAYS, ...OF_CREDENTIAL, ...OF_KEY]),
    },
  }
}

/** None for a route without an example. */
function samplesOf(route: Route | ManagementRoute, schemas: SchemaCollection): CodeSample[] {
  const example = EXAMPLES.get(route.operationId)
  if (example === undefined) return []
  const shape: Readonly<Record<string, z.ZodType>> = route.query?.shape ?? {}
  const query = Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schemas.of(schema)]))
  const { operationId, method, credential } = route
  const operation: SampledOperation = { operationId, method, path: route.path.replaceAll(/:(\w+)/g, '{$1}'), credential, query }
  return codeSamples(operation, example)
}

function refusals(statuses: readonly number[]): Readonly<Record<string, JsonSchema>> {
  const sorted = [...statuses].sort((a, b) => a - b)
  return Object.fromEntries(sorted.map((status) => [String(status), { $ref: `#/components/responses/${status}` }]))
}

function csvSchema(data: z.ZodType, table: CsvTable): JsonSchema {
  const columns = columnsOf(data, table)
  return {
    type: 'string',
    description: `A row for each item of \`${table.rows}\`. Columns: ${columns.map((name) => `\`${name}\``).join(', ')}.`,
  }
}

/** `listAssets` -> `ListAssetsResponse`: the name of the envelope. */
function responseName(operationId: string): string {
  return `${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Response`
}

/** The description, then the rules over several parameters, for which OpenAPI has no keyword. */
function describe({ description, rules }: Pick<Route, 'description' | 'rules'> | Pick<StreamRoute, 'description' | 'rules'>): string {
  const lines = rules.flatMap(({ code, message, stated }) => {
    const text = typeof message === 'string' ? message : stated
    return text === undefined ? [] : [`- \`${code}\`: ${text}`]
  })
  return [description, lines.length === 0 ? '' : `Refused combinations:\n${lines.join('\n')}`].filter((text) => text !== '').join('\n\n')
}

/** A media type. Only tests have routes without an example. */
function withExample(schema: JsonSchema, example: unknown): JsonSchema {
  return example === undefined || example === null ? { schema } : { schema, example }
}

function parametersOf(
  object: z.ZodObject,
  where: 'path' | 'query',
  schemas: SchemaCollection,
  examples: Readonly<Record<string, string>> = {},
): readonly Parameter[] {
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, 'x-stability': stability, ...json } = schemas.of(schema)
    const absent = schema.safeParse(undefined)
    // The default is a value after conversion, which zod leaves out of the JSON schema if the text has another type: it is added here.
    const fallback = absent.success && ['string', 'number', 'boolean'].includes(typeof absent.data) ? { default: absent.data } : {}
    const text = typeof description === 'string' ? description : ''
    const marked = stability === 'experimental' ? { 'x-stability': 'experimental' as const } : {}
    const example = exampleValue(schema, json, examples[name] ?? PARAMETER_VALUES[name])
    return {
      name,
      in: where,
      required: !absent.success,
      description: text,
      ...marked,
      schema: { ...json, ...filled(json), ...fallback },
      ...example,
    }
  })
}

/** An empty value of a parameter is refused. Listed values, patterns and formats say so already. */
function filled(json: JsonSchema): JsonSchema {
  return json.type === 'string' && !['enum', 'pattern', 'format'].some((keyword) => keyword in json) ? { minLength: 1 } : {}
}

/** The text as the value of the parameter's type. Nothing for a parameter that takes no value yet. */
function exampleValue(schema: z.ZodType, { type }: JsonSchema, text: string | undefined): Pick<Parameter, 'example'> {
  if (text === undefined || !schema.safeParse(text).success) return {}
  return { example: type === 'integer' ? Number(text) : text }
}

export function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
