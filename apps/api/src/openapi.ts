// The OpenAPI 3.1 document, made from the lists of routes that the server runs on. It is never written by hand.

import { assert } from '@orrery/errors'
import { API_VERSION } from './api-version.ts'
import { DEPRECATION_HEADERS } from './deprecation.ts'
import { ErrorEnvelope } from './envelope.ts'
import { API_ERRORS } from './errors.ts'
import { type JsonSchema, type SchemaCollection, schemaCollection } from './json-schema.ts'
import type { ManagementRoute } from './management/management-route.ts'
import { headerRefs, managementOperation, type Operation, operationOf, RATE_HEADERS, streamOperation } from './openapi-operation.ts'
import { API_DESCRIPTION, ERROR_DESCRIPTIONS, RESPONSE_HEADERS, type ResponseHeader, TAG_DESCRIPTIONS } from './openapi-texts.ts'
import { ACTIVITY_METADATA } from './present/activity-metadata/activity-metadata.ts'
import type { Route } from './route.ts'
import type { StreamRoute } from './stream/stream-route.ts'

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: { readonly title: string; readonly version: string; readonly description: string; readonly license: JsonSchema }
  readonly servers: readonly { readonly url: string }[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>
    readonly responses: Readonly<Record<string, JsonSchema>>
    readonly headers: Readonly<Record<string, JsonSchema>>
    readonly securitySchemes: Readonly<Record<string, JsonSchema>>
  }
}

const SECURITY_SCHEMES = {
  apiKey: { type: 'apiKey', in: 'header', name: 'x-service-api-key' },
  bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  adminToken: { type: 'apiKey', in: 'header', name: 'x-service-admin-token' },
}

/** @param stream Null: a document without it, for tests of other routes. */
export function openApiDocument(
  routes: readonly Route[],
  managementRoutes: readonly ManagementRoute[],
  stream: StreamRoute | null = null,
): OpenApiDocument {
  const schemas = schemaCollection()
  const paths: Record<string, Record<string, Operation>> = {}
  const add = (path: string, method: string, operation: Operation) => {
    const template = path.replaceAll(/:(\w+)/g, '{$1}')
    paths[template] = { ...paths[template], [method]: operation }
  }
  for (const route of routes) add(route.path, route.method, operationOf(route, schemas))
  for (const route of managementRoutes) add(route.path, route.method, managementOperation(route, schemas))
  if (stream !== null) add(stream.path, 'get', streamOperation(stream, schemas))
  // Only the variants of an activity refer to these.
  if ('Activity' in schemas.components) for (const schema of ACTIVITY_METADATA) schemas.ref(schema)
  const responses = Object.fromEntries(
    Object.entries(ERROR_DESCRIPTIONS).map(([status, text]) => [status, refusalOf(Number(status), text, schemas)]),
  )
  return {
    openapi: '3.1.0',
    info: {
      title: 'Orrery',
      version: API_VERSION,
      description: API_DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: tagsOf([...routes, ...managementRoutes, ...(stream === null ? [] : [stream])]),
    paths,
    components: {
      schemas: schemas.components,
      responses,
      headers: headersOf(routes),
      securitySchemes: SECURITY_SCHEMES,
    },
  }
}

/** Those of deprecated operations only where there is one: the linter warns of components without a use. */
function headersOf(routes: readonly Route[]): Readonly<Record<string, JsonSchema>> {
  const unused: readonly string[] = routes.some(({ deprecation }) => deprecation !== null) ? [] : DEPRECATION_HEADERS
  const used = Object.entries(RESPONSE_HEADERS).filter(([name]) => !unused.includes(name))
  return Object.fromEntries(used.map(([name, header]) => [name, headerOf(header)]))
}

/** The tags of the routes, in the order of the texts. A tag without a text is an error of the build. */
function tagsOf(routes: readonly { readonly tagName: string }[]): OpenApiDocument['tags'] {
  const used = new Set(routes.map(({ tagName }) => tagName))
  const missing = [...used].filter((name) => !(name in TAG_DESCRIPTIONS))
  assert(missing.length === 0, `Tags without a description: ${missing.join(', ')}.`)
  return Object.entries(TAG_DESCRIPTIONS).flatMap(([name, description]) => (used.has(name) ? [{ name, description }] : []))
}

function refusalOf(status: number, text: string, schemas: SchemaCollection): JsonSchema {
  const codes = Object.entries(API_ERRORS).flatMap(([code, facts]) => (facts.status === status ? [code] : []))
  const ofStatus: Partial<Record<number, readonly string[]>> = {
    401: ['www-authenticate'],
    405: ['allow'],
    429: ['retry-after'],
    503: ['retry-after'],
    504: ['retry-after'],
  }
  return {
    description: `${text} Code: ${codes.map((code) => `\`${code}\``).join(', ')}.`,
    headers: { ...headerRefs(['x-request-id', ...(ofStatus[status] ?? [])]), ...(status === 429 && rateHeadersIfAny()) },
    content: { 'application/json': { schema: schemas.ref(ErrorEnvelope) } },
  }
}

/** Optional: a 429 for too many requests has these headers, a 429 for wrong credentials has not. */
function rateHeadersIfAny(): Readonly<Record<string, JsonSchema>> {
  const rate = Object.entries(RESPONSE_HEADERS).filter(([name]) => RATE_HEADERS.includes(name))
  return Object.fromEntries(rate.map(([name, header]) => [name, headerOf({ ...header, required: false })]))
}

function headerOf({ description, required, type }: ResponseHeader): JsonSchema {
  return { description, required, schema: { type } }
}
