import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { limitConcurrency } from '../limit-concurrency.ts'
import { httpAsk } from '../testing/http-ask.ts'
import { startTestApi, TEST_ADMIN_TOKEN, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'
import { type CreatedKey, createKey, KEY_BODY, logIn, manage } from './testing/requests.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo], clock: { nowMs: () => NOON_MS } })
})
afterAll(() => api[Symbol.asyncDispose]())

const PATH = '/v1/org/api-keys'
const admin = { 'x-service-admin-token': TEST_ADMIN_TOKEN }
const refusal = async (change: object) => {
  const { status, body } = await createKey(api, change)
  return [status, body?.error?.code, body?.error?.message]
}

describe('201', () => {
  it('201 returns a key that works, only once, with its organization', async () => {
    const { status, headers, json } = await createKey(api, { scopes: ['data:read'], expires_at: '2026-06-01T00:00:00+02:00' })
    expect([status, headers['cache-control'], headers['ratelimit-limit']]).toEqual([201, 'no-store', undefined])
    const made = json as CreatedKey
    expect(made).toEqual({
      organization_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      organization_slug: 'acme',
      organization_reused: false,
      api_key_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      key_prefix: made.key.slice(0, 12),
      scopes: ['data:read'],
      key: expect.stringMatching(/^ory_[0-9A-Za-z]{8}_[0-9A-Za-z]{43}$/),
      expires_at: '2026-05-31T22:00:00Z',
    })
    const answer = await api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': made.key } })
    expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([200, '120'])
  })

  it('an existing organization is reused and keeps its name; scopes and expiry have their defaults', async () => {
    const first = (await createKey(api, { organization_slug: 'reused' })).json as CreatedKey
    const second = (await createKey(api, { organization_slug: 'reused', organization_name: 'Other', expires_at: null })).json as CreatedKey
    expect(second).toMatchObject({
      organization_id: first.organization_id,
      organization_reused: true,
      scopes: ['data:read'],
      expires_at: null,
    })
    expect(await api.identity.organizationBySlug('reused')).toMatchObject({ name: 'Acme', plan: 'free' })
    expect(await api.identity.apiKeys(first.organization_id)).toHaveLength(2)
  })

  it('simultaneous requests for a new organization all get 201, and the organization is created once', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => createKey(api, { organization_slug: 'crowd' })))
    const made = answers.map(({ json }) => json as CreatedKey)
    expect(answers.map(({ status }) => status)).toEqual(Array(10).fill(201))
    expect(new Set(made.map((one) => one.organization_id)).size).toBe(1)
    expect(made.filter((one) => !one.organization_reused)).toHaveLength(1)
    expect(new Set(made.map((one) => one.key)).size).toBe(10)
  })

  it('trims names, takes 200 characters of any script, and slugs at both ends of their length', async () => {
    for (const slug of ['a', '0', 'a-b', 'a'.repeat(63)]) expect((await createKey(api, { organization_slug: slug })).status).toBe(201)
    const name = '\u{1f511}'.repeat(200)
    const { json } = await createKey(api, { organization_slug: 'names', organization_name: ` ${name} `, key_name: `\t${name}  \r\n` })
    expect(await api.identity.organizationBySlug('names')).toMatchObject({ name })
    expect(await api.identity.apiKeys((json as CreatedKey).organization_id)).toMatchObject([{ name }])
  })

  it('ends a key at the millisecond that is asked for, rounded down, however fine that is', async () => {
    // A column of whole milliseconds does not take 123.456789: PostgreSQL refuses the row.
    for (const [fraction, milliseconds] of [
      ['.5', 500],
      ['.123456789', 123],
      ['.9999', 999],
      ['', 0],
    ] as const) {
      const { json } = await createKey(api, { organization_slug: `until${milliseconds}`, expires_at: `2026-06-01T00:00:00${fraction}Z` })
      const made = json as CreatedKey
      expect(made.expires_at).toBe('2026-06-01T00:00:00Z')
      const expiresAtMs = Date.UTC(2026, 5, 1) + milliseconds
      expect(await api.identity.apiKeys(made.organization_id)).toMatchObject([{ expiresAtMs }])
    }
  })

  it('hostile text is stored unchanged', async () => {
    for (const [n, text] of [
      "'); DROP TABLE api_keys;--",
      '{"$ne":null}',
      '{{7*7}} $1 %s',
      '<script>alert(1)</script>',
      '../../etc/passwd',
    ].entries()) {
      const { status, json } = await createKey(api, { organization_slug: `injected-${n}`, organization_name: text, key_name: text })
      expect(status).toBe(201)
      expect(await api.identity.organizationBySlug(`injected-${n}`)).toMatchObject({ name: text })
      expect(await api.identity.apiKeys((json as CreatedKey).organization_id)).toMatchObject([{ name: text }])
    }
  })

  it('the audit log has the creation of the key with the client address', async () => {
    const made = (await createKey(api, { organization_slug: 'audited' })).json as CreatedKey
    const log = await api.identity.auditLog(made.organization_id, 10)
    expect(log.map(({ action, by, target }) => [action, by, target])).toEqual([
      ['api_key.create', { kind: 'admin_token', id: '', address: '127.0.0.1' }, made.api_key_id],
      ['organization.create', { kind: 'admin_token', id: '', address: '127.0.0.1' }, made.organization_id],
    ])
    expect(JSON.stringify(log)).not.toContain(made.key.slice(13))
  })
})

describe('400', () => {
  it.each(Object.keys(KEY_BODY))('is the answer when `%s` is missing', async (name) => {
    expect(await refusal({ [name]: undefined })).toEqual([400, 'invalid_body', `\`${name}\` is required.`])
  })

  it.each([
    ['organization_name', ''],
    ['organization_name', '   '],
    ['organization_name', 'x'.repeat(201)],
    ['organization_name', 'a\u0000b'],
    ['organization_name', '\ud800'],
    ['organization_name', 7],
    ['organization_name', null],
    ['organization_name', ['Acme']],
    ['organization_slug', ''],
    ['organization_slug', 'Acme'],
    ['organization_slug', '-acme'],
    ['organization_slug', 'acme-'],
    ['organization_slug', 'a b'],
    ['organization_slug', 'a_b'],
    ['organization_slug', 'ä'],
    ['organization_slug', 'acme\n'],
    ['organization_slug', 'a'.repeat(64)],
    ['organization_slug', "a' OR '1'='1"],
    ['organization_slug', { $ne: null }],
    ['key_name', ''],
    ['key_name', 'x'.repeat(201)],
    ['key_name', true],
    ['scopes', []],
    ['scopes', ['data:write']],
    ['scopes', 'data:read'],
    ['scopes', null],
    ['scopes', ['data:read', 7]],
    ['expires_at', 'tomorrow'],
    ['expires_at', '2030-01-01'],
    ['expires_at', '2030-02-30T00:00:00Z'],
    ['expires_at', 1893456000],
    ['expires_at', ''],
    ['expires_at', '2026-01-01T12:00:00Z'],
    ['expires_at', '2001-01-01T00:00:00Z'],
  ])('is the answer to `%s`: %j', async (name, value) => {
    const [status, code, message] = await refusal({ [name]: value })
    expect([status, code]).toEqual([400, 'invalid_body'])
    expect(message).toMatch(new RegExp(`^\`${name}\` .+\\.$`))
  })

  it.each([['organisation_name'], ['plan'], ['__proto__x'], ['constructor'], ['toString'], ['']])(
    'is the answer to a member `%s`, which there is not',
    async (name) => {
      const [status, code, message] = await refusal({ [name]: 'x' })
      expect([status, code]).toEqual([400, 'invalid_body'])
      expect(message).toBe(
        `\`${name}\` is not a member of this request. It takes \`organization_name\`, \`organization_slug\`, \`key_name\`, \`scopes\`, \`expires_at\`.`,
      )
    },
  )

  it.each(['', '{', 'null', '7', '"text"', '[]', '[{}]', '{}x', "{'a':1}", '{"__proto__":{"plan":"pro"}}', '{"a":1'])(
    'is the answer to the body %j',
    async (body) => {
      const headers = { ...admin, 'content-type': 'application/json' }
      const answer = await manage(api, 'POST', PATH, { headers, body })
      expect([answer.status, answer.body?.error?.code]).toEqual([400, 'invalid_body'])
    },
  )

  it('400 for a name that is not UTF-8, because its text is lost', async () => {
    const headers = { ...admin, 'content-type': 'application/json' }
    const body = Buffer.from(JSON.stringify({ ...KEY_BODY, key_name: 'größer' }), 'latin1')
    const answer = await manage(api, 'POST', PATH, { headers, body })
    expect([answer.status, answer.body?.error?.message]).toEqual([400, expect.stringMatching(/^`key_name` /)])
  })

  it('400 for a query parameter, which is checked before the body', async () => {
    const answer = await manage(api, 'POST', `${PATH}?plan=pro`, { json: {}, headers: admin })
    expect(answer.body?.error?.code).toBe('unknown_parameter')
  })

  it('400 names unknown members before wrong values, and wrong values in the order of the members', async () => {
    expect((await refusal({ organization_name: '', plan: 'pro' }))[2]).toMatch(/^`plan`/)
    expect((await refusal({ key_name: '', organization_slug: '-' }))[2]).toMatch(/^`organization_slug`/)
  })

  it('a refused request creates nothing', async () => {
    await refusal({ organization_slug: 'nothing-made', key_name: '' })
    await refusal({ organization_slug: 'nothing-made', expires_at: '2001-01-01T00:00:00Z' })
    expect(await api.identity.organizationBySlug('nothing-made')).toBeNull()
  })
})

describe('401', () => {
  it.each([
    ['none', {}],
    ['a wrong one', { 'x-service-admin-token': `${TEST_ADMIN_TOKEN}x` }],
    ['the beginning of it', { 'x-service-admin-token': TEST_ADMIN_TOKEN.slice(0, -1) }],
  ])('is the answer to %s, and names the header', async (_, headers) => {
    const { status, body } = await manage(api, 'POST', PATH, { json: KEY_BODY, headers })
    expect([status, body?.error]).toEqual([
      401,
      {
        code: 'unauthorized',
        message: 'Missing or invalid admin token. Send the token of the operator in the header `x-service-admin-token`.',
        docs: '/docs/errors/unauthorized',
      },
    ])
  })

  it.each([
    ['authorization', `Bearer ${TEST_ADMIN_TOKEN}`],
    ['x-service-api-key', 'a key'],
  ])('a credential in %s is not accepted, and the message names it', async (name, value) => {
    const { status, body } = await manage(api, 'POST', PATH, { json: KEY_BODY, headers: { [name]: value } })
    expect([status, body?.error?.message]).toEqual([401, expect.stringContaining(`The credential in \`${name}\` is not accepted here.`)])
  })

  it('without a configured admin token every request gets 401, also one with an empty token', async () => {
    await using closed = await startTestApi({ routes: [echo], access: { adminToken: null } })
    for (const token of ['', 'null', TEST_ADMIN_TOKEN]) {
      expect((await createKey(closed, {}, { 'x-service-admin-token': token })).status).toBe(401)
    }
  })

  it('after 50 wrong tokens from an address it gets 429; the right token is still served', async () => {
    await using guessed = await startTestApi({ routes: [echo] })
    const wrong = { 'x-service-admin-token': 'a wrong admin token' }
    for (let n = 0; n < 50; n++) expect((await createKey(guessed, {}, wrong)).status).toBe(401)
    const held = await createKey(guessed, {}, wrong)
    expect([held.status, held.headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)])
    expect((await createKey(guessed)).status).toBe(201)
  })
})

it('a body that names a member twice is refused, and nothing is created', async () => {
  const headers = { ...admin, 'content-type': 'application/json' }
  const body = '{"organization_name":"A","organization_slug":"twice","key_name":"k","organization_sl\\u0075g":"acme"}'
  const { status, body: refused } = await manage(api, 'POST', PATH, { headers, body })
  expect([status, refused?.error]).toEqual([
    400,
    { code: 'invalid_body', message: '`organization_slug` is named twice. Name each member once.', docs: '/docs/errors/invalid_body' },
  ])
  expect(await api.identity.organizationBySlug('twice')).toBeNull()
})

describe('413, 415, 405', () => {
  const padded = (bytes: number) => `{"organization_name":"${'x'.repeat(bytes - 24)}"}`

  it('413 for a body of more than 64 KiB, whatever its encoding is', async () => {
    const headers = { ...admin, 'content-type': 'application/json' }
    expect((await manage(api, 'POST', PATH, { headers, body: padded(65_536) })).status).toBe(400)
    expect((await manage(api, 'POST', PATH, { headers, body: padded(65_537) })).body?.error?.code).toBe('payload_too_large')
    const inParts = { ...headers, 'transfer-encoding': 'chunked' }
    expect((await manage(api, 'POST', PATH, { headers: inParts, body: padded(65_536) })).status).toBe(400)
    expect((await manage(api, 'POST', PATH, { headers: inParts, body: padded(65_537) })).body?.error?.code).toBe('payload_too_large')
    const { gzipSync } = await import('node:zlib')
    const bomb = gzipSync(padded(10_000_000))
    expect(bomb.length).toBeLessThan(65_536)
    const zipped = { ...headers, 'content-encoding': 'gzip' }
    expect((await manage(api, 'POST', PATH, { headers: zipped, body: bomb })).status).toBe(413)
    expect(
      (await manage(api, 'POST', PATH, { headers: zipped, body: gzipSync(JSON.stringify({ ...KEY_BODY, organization_slug: 'zipped' })) }))
        .status,
    ).toBe(201)
    expect((await manage(api, 'POST', PATH, { headers: zipped, body: 'no gzip' })).body?.error?.code).toBe('invalid_body')
  })

  it.each([
    undefined,
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json; charset=latin1',
    'application/jsonx',
    'application/vnd.api+json',
  ])('is the answer to the content type %s', async (type) => {
    const headers: Record<string, string> = { ...admin, ...(type !== undefined && { 'content-type': type }) }
    const { status, body } = await manage(api, 'POST', PATH, { headers, body: padded(70_000) })
    expect([status, body?.error?.code]).toEqual([415, 'unsupported_media_type'])
  })

  it.each(['application/json', 'Application/JSON', 'application/json; charset=utf-8', 'application/json;charset="UTF-8"'])(
    'is not the answer to %s',
    async (type) => {
      const answer = await manage(api, 'POST', PATH, { headers: { ...admin, 'content-type': type }, body: '{}' })
      expect(answer.status).toBe(400)
    },
  )

  it('415 for an unknown content encoding', async () => {
    const headers = { ...admin, 'content-type': 'application/json', 'content-encoding': 'zstd' }
    expect((await manage(api, 'POST', PATH, { headers, body: '{}' })).status).toBe(415)
  })

  it('405 names the methods that the endpoint supports', async () => {
    for (const [path, allow] of [
      [PATH, 'GET, HEAD, POST'],
      [`${PATH}/x`, 'DELETE'],
      ['/v1/org', 'GET, HEAD'],
      ['/v1/org/billing', 'PATCH'],
      ['/v1/auth/login', 'POST'],
      ['/v1/auth/refresh', 'POST'],
    ] as const) {
      const answer = await httpAsk(api.url, path, { method: 'PUT' })
      expect([answer.status, answer.headers.allow]).toEqual([405, allow])
      expect(JSON.parse(answer.bytes.toString())).toMatchObject({
        error: { code: 'method_not_allowed', message: expect.stringContaining(allow) },
      })
    }
  })
})

describe('504', () => {
  it('504 for a body that does not end', async () => {
    await using impatient = await startTestApi({ routes: [echo], deadlineMs: 50 })
    const { hostname, port } = new URL(impatient.url)
    const asking = request({ hostname, port, path: '/v1/auth/login', method: 'POST', headers: { 'content-type': 'application/json' } })
    asking.write('{"email":')
    const [response] = (await once(asking, 'response')) as [IncomingMessage]
    expect([response.statusCode, JSON.parse(await text(response))]).toMatchObject([504, { error: { code: 'timeout' } }])
    asking.destroy()
  })

  it('504 for a login that waits too long in the queue', async () => {
    await using crowded = await startTestApi({ routes: [echo], deadlineMs: 50, access: { passwords: limitConcurrency(0, 10) } })
    expect((await logIn(crowded, 'member@example.org')).status).toBe(504)
  })
})

it('checks in order: route, method, credential, content type, size, parameters and body', async () => {
  const huge = 'x'.repeat(70_000)
  const wrong = { 'x-service-admin-token': 'wrong' }
  const ask = async (path: string, method: string, headers: Record<string, string>, body: string) =>
    (await manage(api, method, path, { headers, body })).status
  expect(await ask(`${PATH}/`, 'POST', wrong, huge)).toBe(404)
  expect(await ask(`${PATH}?x`, 'PUT', wrong, huge)).toBe(405)
  expect(await ask(`${PATH}?x`, 'POST', wrong, huge)).toBe(401)
  expect(await ask(`${PATH}?x`, 'POST', admin, huge)).toBe(415)
  expect(await ask(`${PATH}?x`, 'POST', { ...admin, 'content-type': 'application/json' }, huge)).toBe(413)
  expect(await ask(`${PATH}?x`, 'POST', { ...admin, 'content-type': 'application/json' }, '{')).toBe(400)
})
