// The OpenAPI 3.1 document, made from the list of routes that the server runs on. It is never written by hand.

import { z } from 'zod'
import { Enrichment, ErrorEnvelope, Meta, SparseMeta } from './envelope.ts'
import { API_ERRORS } from './errors.ts'
import { type JsonSchema, type SchemaCollection, schemaCollection } from './json-schema.ts'
import { API_DESCRIPTION, ERROR_DESCRIPTIONS, RESPONSE_HEADERS } from './openapi-texts.ts'
import type { Route } from './route.ts'

export interface Operation {
  readonly operationId: string
  readonly summary: string
  readonly description: string
  readonly tags: readonly string[]
  readonly 'x-stability': Route['stability']
  readonly security: readonly JsonSchema[]
  readonly parameters: readonly Parameter[]
  /** By status. */
  readonly responses: Readonly<Record<string, JsonSchema>>
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query'
  readonly required: boolean
  readonly description: string
  readonly schema: JsonSchema
}

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string }
  readonly servers: readonly { readonly url: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>
  }
}

/** Version of the wire, not of the program: it moves when `/v1` grows. */
const API_VERSION = '1.0.0'
/** What any data endpoint may answer with beside success; the rest of the closed list belongs to bodies and scopes. */
const REFUSALS = [400, 401, 404, 405, 429, 500, 503, 504] as const
const RATE_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'ratelimit-policy']

export function openApiDocument(routes: readonly Route[]): OpenApiDocument {
  const schemas = schemaCollection()
  const paths = Object.fromEntries(
    routes.map((route) => [route.path.replaceAll(/:(\w+)/g, '{$1}'), { [route.method]: operationOf(route, schemas) }]),
  )
  const responses = Object.fromEntries(REFUSALS.map((status) => [String(status), refusalOf(status, schemas)]))
  return {
    openapi: '3.1.0',
    info: { title: 'Orrery', version: API_VERSION, description: API_DESCRIPTION },
    servers: [{ url: '/' }],
    paths,
    components: {
      schemas: schemas.components,
      responses,
      headers: Object.fromEntries(
        Object.entries(RESPONSE_HEADERS).map(([name, { description, required, type }]) => [
          name,
          { description, required, schema: { type } },
        ]),
      ),
      securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' } },
    },
  }
}

function operationOf(route: Route, schemas: SchemaCollection): Operation {
  const needsKey = route.credential === 'api-key'
  const envelope = z.strictObject({ data: route.data, enrichment: Enrichment, meta: route.answersWithoutIndex ? SparseMeta : Meta })
  const caching = route.cache === 'tagged' ? ['etag'] : []
  const always = ['x-request-id', 'cache-control', ...(needsKey ? RATE_HEADERS : [])]
  const refusals = REFUSALS.filter((status) => needsKey || (status !== 401 && status !== 429))
  return {
    operationId: operationId(route),
    summary: route.summary,
    description: describe(route),
    tags: [route.tagName],
    'x-stability': route.stability,
    security: needsKey ? [{ apiKey: [] }] : [],
    parameters: [...parametersOf(route.params, 'path', schemas), ...parametersOf(route.query, 'query', schemas)],
    responses: {
      200: {
        description: 'The answer.',
        headers: headerRefs([...always, ...caching]),
        content: { 'application/json': { schema: schemas.of(envelope) } },
      },
      ...(route.cache === 'tagged' && {
        304: { description: 'What you have is still right.', headers: headerRefs([...always, ...caching]) },
      }),
      ...Object.fromEntries(refusals.map((status) => [String(status), { $ref: `#/components/responses/${status}` }])),
    },
  }
}

/** `GET /v1/users/{address}/positions` -> `get_users_address_positions`: stable as long as the path is. */
function operationId({ method, path }: Route): string {
  return [method, ...path.split('/').slice(2)]
    .map((part) => part.replace(':', ''))
    .join('_')
    .replaceAll('-', '_')
}

/** The description, then the rules that span parameters: they have no place of their own in OpenAPI. */
function describe({ description, rules }: Route): string {
  const told = rules.flatMap(({ code, message }) => (typeof message === 'string' ? [`- \`${code}\`: ${message}`] : []))
  return [description, told.length === 0 ? '' : `Refused combinations:\n${told.join('\n')}`].filter((text) => text !== '').join('\n\n')
}

function parametersOf(object: z.ZodObject, where: 'path' | 'query', schemas: SchemaCollection): readonly Parameter[] {
  return Object.entries(object.shape as Record<string, z.ZodType>).map(([name, schema]) => {
    const { description, ...json } = schemas.of(schema)
    const absent = schema.safeParse(undefined)
    // A default stands for what the text is read as, so JSON schema has no place for it where the two differ: it is said anyway.
    const fallback = absent.success && ['string', 'number', 'boolean'].includes(typeof absent.data) ? { default: absent.data } : {}
    const told = typeof description === 'string' ? description : ''
    return { name, in: where, required: !absent.success, description: told, schema: { ...json, ...fallback } }
  })
}

function refusalOf(status: (typeof REFUSALS)[number], schemas: SchemaCollection): JsonSchema {
  const codes = Object.entries(API_ERRORS).flatMap(([code, facts]) => (facts.status === status ? [code] : []))
  const ofStatus: Partial<Record<number, readonly string[]>> = {
    405: ['allow'],
    429: ['retry-after', ...RATE_HEADERS],
    503: ['retry-after'],
    504: ['retry-after'],
  }
  return {
    description: `${ERROR_DESCRIPTIONS[status]} Code: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: headerRefs(['x-request-id', ...(ofStatus[status] ?? [])]),
    content: { 'application/json': { schema: schemas.ref(ErrorEnvelope) } },
  }
}

function headerRefs(names: readonly string[]): JsonSchema {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
}
