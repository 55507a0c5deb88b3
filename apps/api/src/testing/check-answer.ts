// Holds an answer of the running server against its own OpenAPI document: status declared, required headers there, body as the schema says.

import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import type { JsonSchema } from '../json-schema.ts'
import type { OpenApiDocument } from '../openapi.ts'
import type { Operation } from '../openapi-operation.ts'
import type { HttpAnswer } from './http-ask.ts'

export type { OpenApiDocument }

interface DeclaredResponse {
  readonly headers?: Readonly<Record<string, JsonSchema>>
  readonly content?: { readonly 'application/json': { readonly schema: JsonSchema }; readonly 'text/csv'?: JsonSchema }
}

/** Throws an error that says what of the answer the document does not say. */
export type AnswerCheck = (method: string, path: string, answer: HttpAnswer) => void

/** Throws an error that names what of a body its schema does not describe. */
type SchemaCheck = (schema: JsonSchema, body: unknown, what: string) => void

/** By the components of a document: compiling them takes longer than most tests, and most documents of a run have the same ones. */
const checks = new Map<string, SchemaCheck>()

/** References of a schema lead into the document's components. */
export function schemaCheck({ components }: Pick<OpenApiDocument, 'components'>): SchemaCheck {
  const key = JSON.stringify(components)
  const check = checks.get(key) ?? compiled(components)
  checks.set(key, check)
  return check
}

function compiled(components: OpenApiDocument['components']): SchemaCheck {
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateFormats: false })
  ajv.addSchema({ $id: 'document', components: closed(components) })
  const validators = new Map<string, ValidateFunction>()

  return (schema, body, what) => {
    const text = JSON.stringify(schema)
    const validate = validators.get(text) ?? ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"document#/')))
    validators.set(text, validate)
    if (!validate(body)) throw new Error(`${what}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body).slice(0, 500)}`)
  }
}

export function answerCheck(document: OpenApiDocument): AnswerCheck {
  const conforms = schemaCheck(document)
  return (method, path, answer) => {
    const what = `${method} ${path} -> ${answer.status}`
    const operation = operationAt(document, method, path.split('?')[0] ?? '')
    const declared =
      operation === null ? document.components.responses[answer.status] : resolved(document, operation.responses[answer.status])
    if (declared === undefined) throw new Error(`${what}: the document does not declare this status.`)
    const { headers = {}, content } = declared as DeclaredResponse
    for (const [name, header] of Object.entries(headers)) {
      const { required } = '$ref' in header ? (document.components.headers[name] ?? {}) : header
      if (required === true && answer.headers[name] === undefined) throw new Error(`${what}: the header ${name} is missing.`)
    }
    if (method === 'HEAD' || content === undefined) {
      if (answer.bytes.length > 0) throw new Error(`${what}: there is a body.`)
    } else if (isCsv(answer)) {
      if (content['text/csv'] === undefined) throw new Error(`${what}: the document does not declare CSV.`)
    } else {
      conforms(content['application/json'].schema, JSON.parse(answer.bytes.toString('utf8')), what)
    }
  }
}

export function isCsv({ headers }: Pick<HttpAnswer, 'headers'>): boolean {
  return headers['content-type']?.startsWith('text/csv') === true
}

/**
 * The same with `additionalProperties: false` wherever members are listed. The document allows further members, because `/v1` may get some;
 * what this server answers must be described in it.
 */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const inner = Object.fromEntries(Object.entries(value).map(([keyword, one]) => [keyword, closed(one)]))
  const isObject = 'properties' in inner && inner.type === 'object' && !('additionalProperties' in inner)
  return isObject ? { ...inner, additionalProperties: false } : inner
}

/** The first path of the document that fits: they are in the order in which the server matches. */
function operationAt(document: OpenApiDocument, method: string, path: string): Operation | null {
  // HEAD has what GET has. A method that the path does not take is refused in the same way by each of its operations.
  const name = method === 'HEAD' ? 'get' : method.toLowerCase()
  const segments = path.split('/')
  for (const [template, methods] of Object.entries(document.paths)) {
    const parts = template.split('/')
    const fits =
      parts.length === segments.length && parts.every((part, n) => (part.startsWith('{') ? segments[n] !== '' : part === segments[n]))
    if (fits) return methods[name] ?? Object.values(methods)[0] ?? null
  }
  return null
}

function resolved(document: OpenApiDocument, response: JsonSchema | undefined): JsonSchema | undefined {
  const name = typeof response?.$ref === 'string' ? response.$ref.split('/').at(-1) : undefined
  return name === undefined ? response : document.components.responses[name]
}
