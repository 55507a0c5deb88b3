// Hostile text in every member, header, path and query, on any real database.
// It is refused or stored unchanged; it never causes a 5xx and does not affect other organizations.

import { afterAll, beforeAll, expect, it } from 'vitest'
import { httpAsk } from '../../testing/http-ask.ts'
import { startTestApi, TEST_ADMIN_TOKEN, TESTER, type TestAnswer, type TestApi, type TestApiOptions } from '../../testing/start-test-api.ts'
import { echo } from '../../testing/toy-routes.ts'
import { NO_FAILURE_LIMIT, NO_LOGIN_LIMIT } from './no-limits.ts'
import { type CreatedKey, createKey, KEY_BODY, keyOf, manage, memberOf, PASSWORD, type TokenPair } from './requests.ts'

/** As JSON, for a body. */
const TEXTS = [
  "'; DROP TABLE organizations; DROP TABLE api_keys;--",
  '" OR ""="',
  "\\'; SELECT pg_sleep(10);--",
  '$1 ? :name @p1 %s {{7*7}} #{7*7}',
  '<script>alert(1)</script>',
  '../../../etc/passwd',
  'a\r\nx-injected: 1',
  '\u0000',
  'nul\u0000byte',
  '\u001b[31mred',
  '\ud800',
  'half\udc00',
  '\ufffd',
  '\u202egnp.exe',
  '\u200b',
  'e\u0301\u0327'.repeat(30),
  '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}',
  '\ufdfa'.repeat(200),
  'x'.repeat(60_000),
  '__proto__',
  'constructor',
].map((text) => JSON.stringify(text))
const OTHERS = [
  'null',
  'true',
  '0',
  '-0',
  '1e999',
  '123456789012345678901234567890',
  '[]',
  '{}',
  '{"$ne":null}',
  '{"__proto__":{"plan":"enterprise"}}',
  '{"constructor":{"prototype":{"plan":"enterprise"}}}',
  '{"length":5,"toString":"x"}',
  `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
  `${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}`,
  `[${'"data:read",'.repeat(4_000)}"data:read"]`,
]
/** Text that RFC 9110 permits in a header; HTTP clients refuse to send other text. */
const VISIBLE = [
  "' OR '1'='1",
  '../../etc/passwd',
  '%00%0d%0ax-injected:%201',
  '{"$ne":null}',
  '\u00e9\u00ff',
  'x'.repeat(8_000),
  ',,;;==""',
  '*',
]

interface Place {
  readonly method: string
  readonly path: string
  readonly body: Readonly<Record<string, unknown>>
  readonly credential: 'admin' | 'bearer' | 'none'
}
const PLACES: readonly Place[] = [
  { method: 'POST', path: '/v1/org/api-keys', body: { ...KEY_BODY, scopes: ['data:read'], expires_at: null }, credential: 'admin' },
  {
    method: 'PATCH',
    path: '/v1/org/billing',
    body: { billing_email: null, company_name: null, tax_id: null, country: null },
    credential: 'bearer',
  },
  {
    method: 'POST',
    path: '/v1/org/webhooks',
    body: { url: 'https://example.org/', description: null, events: null, addresses: [], health_factor_below: null, from_ledger: null },
    credential: 'bearer',
  },
  { method: 'POST', path: '/v1/auth/login', body: { email: 'acme@example.org', password: PASSWORD }, credential: 'none' },
  { method: 'POST', path: '/v1/auth/refresh', body: { refresh_token: '' }, credential: 'none' },
]
/** Each login costs a password hash, so its two members are tested together. */
const FIELDS = PLACES.flatMap((place) => {
  const members = Object.keys(place.body)
  const groups = place.path === '/v1/auth/login' ? [members] : members.map((member) => [member])
  return groups.map((group) => [`${group.join(' and ')} of ${place.method} ${place.path}`, place, group] as const)
})

/** Registers the suite; `options` say where the database is. */
export function injectionsContract(engine: string, options: () => Promise<Pick<TestApiOptions, 'identityUrl'>>): void {
  let api: TestApi
  let pair: TokenPair
  let bystander: CreatedKey
  beforeAll(async () => {
    const access = { failures: NO_FAILURE_LIMIT, logins: NO_LOGIN_LIMIT }
    api = await startTestApi({ routes: [echo], access, ...(await options()) })
    pair = await memberOf(api, 'acme')
    bystander = await keyOf(api, 'bystander')
    const { id } = (await api.identity.organizationBySlug('acme')) ?? { id: '' }
    await api.identity.overrideRateLimit(id, 1_000_000, TESTER)
  })
  afterAll(() => api[Symbol.asyncDispose]())

  const credentials: Readonly<Record<Place['credential'], () => Record<string, string>>> = {
    admin: () => ({ 'x-service-admin-token': TEST_ADMIN_TOKEN }),
    bearer: () => ({ authorization: `Bearer ${pair.access_token}` }),
    none: () => ({}),
  }
  const expectCalm = ({ status, headers }: Pick<TestAnswer, 'status' | 'headers'>, what: string) => {
    expect(status, what).toBeLessThan(500)
    expect(headers['x-injected'], what).toBeUndefined()
  }

  it.each(FIELDS)(
    `on ${engine}, hostile text in %s is refused or stored unchanged`,
    async (_, { method, path, body, credential }, members) => {
      for (const value of [...TEXTS, ...OTHERS]) {
        const given = Object.fromEntries(members.map((member) => [member, '<here>']))
        const text = JSON.stringify({ ...body, ...given }).replaceAll('"<here>"', () => value)
        const answer = await manage(api, method, path, {
          headers: { 'content-type': 'application/json', ...credentials[credential]() },
          body: text,
        })
        const what = `${value.slice(0, 60)} -> ${answer.status}`
        expectCalm(answer, what)
        expect([200, 201, 400, 401, 413], what).toContain(answer.status)
        if (answer.status !== 200 || path !== '/v1/org/billing') continue
        const sent: unknown = JSON.parse(value)
        const kept = typeof sent === 'string' ? sent.trim() : sent
        expect(answer.json, what).toMatchObject(Object.fromEntries(members.map((member) => [member, kept])))
      }
    },
  )

  it(`on ${engine}, names of organizations and keys are stored unchanged`, async () => {
    for (const [n, value] of TEXTS.entries()) {
      const name: string = JSON.parse(value)
      const { status, json } = await createKey(api, {
        organization_slug: `named-${engine.toLowerCase()}-${n}`,
        organization_name: name,
        key_name: name,
      })
      expect([201, 400, 413], value.slice(0, 60)).toContain(status)
      if (status !== 201) continue
      const made = json as CreatedKey
      expect(await api.identity.organizationById(made.organization_id)).toMatchObject({ name })
      expect(await api.identity.apiKeys(made.organization_id)).toMatchObject([{ name }])
    }
  })

  it.each([
    'x-service-api-key',
    'authorization',
    'x-service-admin-token',
    'x-request-id',
    'x-forwarded-for',
    'if-none-match',
    'origin',
    'content-type',
  ])(`on ${engine}, hostile text in the header %s gives no access`, async (name) => {
    for (const value of VISIBLE) {
      for (const [method, path, good] of [
        ['GET', '/v1/echo/hello', { 'x-service-api-key': api.key }],
        ['GET', '/v1/org', credentials.bearer()],
        ['POST', '/v1/org/api-keys', { ...credentials.admin(), 'content-type': 'application/json' }],
      ] as const) {
        const headers: Record<string, string> = { ...good, [name]: value }
        const answer = await httpAsk(api.url, path, { method, headers, ...(method === 'POST' && { body: '{}' }) })
        expectCalm(answer, `${method} ${path} with ${name}: ${value.slice(0, 60)}`)
        if (name in good && name !== 'content-type') expect(answer.status).toBe(401)
      }
    }
  })

  it(`on ${engine}, hostile text in the path or the query gives no access`, async () => {
    const segments = [
      '%',
      '%zz',
      '%00',
      '%C3%28',
      '..',
      '%2e%2e%2f',
      '%27%3B--',
      '__proto__',
      '%F0%9F%94%91',
      'x'.repeat(4_000),
      ':id',
      '*',
      '%252e',
    ]
    for (const segment of segments) {
      for (const path of [
        `/v1/org/api-keys/${segment}`,
        `/v1/org/${segment}`,
        `/v1/${segment}`,
        `/v1/org?${segment}=1`,
        `/v1/org?x=${segment}`,
      ]) {
        for (const method of ['GET', 'DELETE', 'PATCH']) {
          const answer = await httpAsk(api.url, path, { method, headers: credentials.bearer() })
          expectCalm(answer, `${method} ${path.slice(0, 60)}`)
          expect([400, 404, 405], `${method} ${path.slice(0, 60)}`).toContain(answer.status)
        }
      }
    }
  })

  it(`on ${engine}, after all hostile requests no access was gained, no organization is lost, and no prototype has new members`, async () => {
    expect((await api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': bystander.key } })).status).toBe(200)
    expect((await manage(api, 'GET', '/v1/org', { bearer: pair.access_token })).json).toMatchObject({
      organization_slug: 'acme',
      plan: 'free',
    })
    const slugs = (await api.identity.organizations()).map(({ slug }) => slug).filter((slug) => !slug.startsWith('named-'))
    // `constructor` is a valid slug.
    expect(slugs.sort()).toEqual(['acme', 'bystander', 'constructor', 'test'])
    expect(({} as { plan?: string }).plan).toBeUndefined()
  })
}
