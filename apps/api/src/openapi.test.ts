import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { managementRoutes } from './management/index.ts'
import { openApiDocument } from './openapi.ts'
import { wholeDocument } from './testing/all-routes.ts'
import { echo, toyAnswer, toyRoute } from './testing/toy-routes.ts'

const document = openApiDocument(
  [echo, toyRoute(async () => toyAnswer(null), { path: '/v1/open', credential: 'none', cache: 'no-store', stability: 'experimental' })],
  managementRoutes,
)
const operation = (path: string) => document.paths[path]?.get

describe('the OpenAPI document', () => {
  it('the document of all routes is valid against the official schema of OpenAPI 3.1', async () => {
    const validator = new Validator()
    expect(await validator.validate(structuredClone(wholeDocument()) as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    })
    expect(validator.version).toBe('3.1')
  })

  it('the document has an operation for each route, in the order of matching', () => {
    expect(Object.keys(document.paths)).toEqual([
      ...['/v1/echo/{word}', '/v1/open'],
      ...[
        '/v1/org/api-keys',
        '/v1/org/api-keys/{id}',
        '/v1/org',
        '/v1/org/billing',
        '/v1/org/webhooks',
        '/v1/org/webhooks/{webhook_id}/rotate-secret',
        '/v1/org/webhooks/{webhook_id}/test',
        '/v1/org/webhooks/{webhook_id}/deliveries',
        '/v1/org/webhooks/{webhook_id}/deliveries/{delivery_id}/redeliver',
        '/v1/org/webhooks/{webhook_id}',
        '/v1/auth/login',
        '/v1/auth/refresh',
        '/v1/auth/logout',
      ],
    ])
    expect(Object.keys(document.paths['/v1/org/api-keys'] ?? {})).toEqual(['post', 'get'])
    expect(operation('/v1/echo/{word}')).toMatchObject({
      operationId: 'echo',
      'x-stability': 'stable',
      tags: ['Health'],
      security: [{ apiKey: [] }],
    })
  })

  it('the document has parameters in the order of the table, with the JSON schema of their text', () => {
    expect(operation('/v1/echo/{word}')?.parameters).toEqual([
      { name: 'word', in: 'path', required: true, description: '', schema: { type: 'string', pattern: '^[a-z]+$' } },
      { name: 'first', in: 'query', required: false, description: 'A number.', schema: { type: 'integer', pattern: '^\\d{1,3}$' } },
      {
        name: 'second',
        in: 'query',
        required: false,
        description: 'Another number.',
        schema: { type: 'integer', pattern: '^\\d{1,3}$', default: 7 },
      },
      { name: 'size', in: 'query', required: false, description: '', schema: { type: 'string', enum: ['small', 'big'] } },
      { name: 'as_of', in: 'query', required: false, description: '', schema: { type: 'integer', pattern: '^\\d{1,3}$' } },
    ])
  })

  it('the description of an operation lists its rules over several parameters', () => {
    expect(operation('/v1/echo/{word}')?.description).toBe(
      'Refused combinations:\n- `missing_parameter`: `size` requires `first`. Give it too.',
    )
  })

  it('an operation declares every error status that it may respond with, and 304 if it has an ETag', () => {
    expect(Object.keys(operation('/v1/echo/{word}')?.responses ?? {})).toEqual([
      '200',
      '304',
      '400',
      '401',
      '403',
      '404',
      '405',
      '429',
      '500',
      '503',
      '504',
    ])
    expect(Object.keys(operation('/v1/open')?.responses ?? {})).toEqual(['200', '400', '404', '405', '500', '503', '504'])
  })

  it('a management operation declares its body, its responses and its credential', () => {
    const post = document.paths['/v1/org/api-keys']?.post
    expect(post).toMatchObject({ operationId: 'createApiKey', security: [{ adminToken: [] }], requestBody: { required: true } })
    expect(Object.keys(post?.responses ?? {})).toEqual(['201', '400', '401', '404', '405', '413', '415', '429', '500', '503', '504'])
    const remove = document.paths['/v1/org/api-keys/{id}']?.delete
    expect(remove).toMatchObject({ security: [{ bearer: [] }], parameters: [{ name: 'id', in: 'path', required: true }] })
    expect(Object.keys(remove?.responses ?? {})).toEqual(['204', '400', '401', '404', '405', '429', '500', '503', '504'])
    expect(remove?.requestBody).toBeUndefined()
    expect(document.paths['/v1/auth/login']?.post).toMatchObject({ security: [], tags: ['Authentication'] })
  })

  it('an experimental operation is marked as such', () => {
    expect(operation('/v1/open')).toMatchObject({ 'x-stability': 'experimental', security: [] })
  })

  it('answers may get further members, bodies of requests may not', () => {
    const all = wholeDocument()
    const bodies = Object.values(all.paths).flatMap((methods) => Object.values(methods).flatMap(({ requestBody }) => requestBody ?? []))
    expect(JSON.stringify({ schemas: all.components.schemas, paths: Object.values(all.paths).map(({ get }) => get) })).not.toContain(
      '"additionalProperties":false',
    )
    expect(bodies.length).toBeGreaterThan(2)
    for (const body of bodies) {
      expect(JSON.stringify(body)).toContain('"additionalProperties":false')
      expect(JSON.stringify(body)).not.toContain('$ref')
    }
  })

  it('every operation has a name of its own, a described tag, and a named schema of its answer', () => {
    const all = wholeDocument()
    const operations = Object.values(all.paths).flatMap((methods) => Object.values(methods))
    const names = operations.map(({ operationId }) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9]+$/)
    expect(all.tags.map(({ name }) => name)).toEqual([...new Set(all.tags.map(({ name }) => name))])
    for (const { tags } of operations) expect(all.tags.map(({ name }) => name)).toContain(tags[0])
    expect(all.paths['/v1/assets']?.get?.responses['200']).toMatchObject({
      content: { 'application/json': { schema: { $ref: '#/components/schemas/ListAssetsResponse' } } },
    })
    expect(all.info.license).toEqual({ name: 'Apache-2.0', identifier: 'Apache-2.0' })
  })

  it('every reference in the document has a target', () => {
    const document = wholeDocument()
    const text = JSON.stringify(document)
    const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map(([, pointer = '']) => pointer)
    expect(references.length).toBeGreaterThan(10)
    for (const pointer of new Set(references)) {
      const target = pointer.split('/').reduce<unknown>((at, step) => (at as Record<string, unknown> | undefined)?.[step], document)
      expect(target, pointer).toBeDefined()
    }
    expect(text).not.toContain('$defs')
  })

  it('two different schemas with one id are refused', () => {
    const having = (inner: z.ZodType, path: string) => toyRoute(async () => toyAnswer(null), { path, data: z.strictObject({ inner }) })
    const one = z.strictObject({ a: z.string() }).meta({ id: 'Twice' })
    z.globalRegistry.remove(one)
    const other = z.strictObject({ b: z.string() }).meta({ id: 'Twice' })
    z.globalRegistry.add(one, { id: 'Twice' })
    expect(() => openApiDocument([having(one, '/v1/a'), having(other, '/v1/b')], [])).toThrow(/Twice/)
    z.globalRegistry.remove(one).remove(other)
  })
})
