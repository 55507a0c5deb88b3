import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { echo, toyAnswer, toyRoute } from '../testing/toy-routes.ts'
import { keyOf, logIn, manage, memberOf } from './testing/requests.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
let nowMs = NOON_MS
let api: TestApi
beforeAll(async () => {
  const heavy = toyRoute(async () => toyAnswer(null), { path: '/v1/heavy', load: async () => ({ buckets: 5_000 }) })
  api = await startTestApi({ routes: [echo, heavy], clock: { nowMs: () => nowMs } })
})
afterAll(() => api[Symbol.asyncDispose]())

const use = (key: string) => api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': key } })

describe('GET /v1/org/api-keys', () => {
  it('the list has the public members of the keys of the own organization, oldest first', async () => {
    const first = await keyOf(api, 'lister')
    const second = await keyOf(api, 'lister')
    await keyOf(api, 'another')
    const { access_token: bearer } = await memberOf(api, 'lister')
    const { status, headers, json } = await manage(api, 'GET', '/v1/org/api-keys', { bearer })
    expect([status, headers['cache-control'], headers.vary]).toEqual([200, 'no-store', expect.stringMatching(/authorization/)])
    const item = {
      name: 'ci',
      scopes: ['data:read'],
      revoked: false,
      created_at: '2026-01-01T12:00:00Z',
      last_used_at: null,
      expires_at: null,
    }
    expect(json).toEqual([first, second].map((key) => ({ id: key.api_key_id, prefix: key.key_prefix, ...item })))
  })

  it('the list shows the last use of a key at once', async () => {
    const { key } = await keyOf(api, 'user-of-keys')
    const { access_token: bearer } = await memberOf(api, 'user-of-keys')
    const lastUsed = async () =>
      ((await manage(api, 'GET', '/v1/org/api-keys', { bearer })).json as { last_used_at: string | null }[])[0]?.last_used_at
    expect(await lastUsed()).toBeNull()
    await use(key)
    expect(await lastUsed()).toBe('2026-01-01T12:00:00Z')
    nowMs = NOON_MS + 59_000
    await use(key)
    expect(await lastUsed()).toBe('2026-01-01T12:00:00Z')
    nowMs = NOON_MS + 60_000
    await use(key)
    expect(await lastUsed()).toBe('2026-01-01T12:01:00Z')
    nowMs = NOON_MS
  })

  it('HEAD works for the list of keys', async () => {
    const { access_token: bearer } = await memberOf(api, 'head')
    expect(await manage(api, 'HEAD', '/v1/org/api-keys', { bearer })).toMatchObject({ status: 200, json: null })
  })
})

describe('DELETE /v1/org/api-keys/{id}', () => {
  it('a revoked key is refused and no other key; revoking it again has no effect', async () => {
    const [leaked, other] = [await keyOf(api, 'revoker'), await keyOf(api, 'revoker')]
    const { access_token: bearer } = await memberOf(api, 'revoker')
    expect([(await use(leaked.key)).status, (await use(other.key)).status]).toEqual([200, 200])
    for (let n = 0; n < 2; n++) {
      const answer = await manage(api, 'DELETE', `/v1/org/api-keys/${leaked.api_key_id}`, { bearer })
      expect([answer.status, answer.json, answer.headers['ratelimit-limit']]).toEqual([204, null, '120'])
    }
    expect([(await use(leaked.key)).status, (await use(other.key)).status]).toEqual([401, 200])
    const { json } = await manage(api, 'GET', '/v1/org/api-keys', { bearer })
    expect((json as { revoked: boolean }[]).map(({ revoked }) => revoked)).toEqual([true, false])
  })

  it('the key of another organization gets 404 and stays valid, and so does an invalid id', async () => {
    const theirs = await keyOf(api, 'their-keys')
    const { access_token: bearer } = await memberOf(api, 'stranger')
    for (const id of [theirs.api_key_id, crypto.randomUUID(), 'x', '%00', '%27%20OR%20%271%27=%271', '..%2f..', theirs.key_prefix]) {
      const { status, body } = await manage(api, 'DELETE', `/v1/org/api-keys/${id}`, { bearer })
      expect([status, body?.error?.code]).toEqual([404, 'not_found'])
    }
    expect((await use(theirs.key)).status).toBe(200)
  })

  it('the audit log has the revocation with its actor', async () => {
    const key = await keyOf(api, 'audited-revocation')
    const { access_token: bearer, email } = await memberOf(api, 'audited-revocation')
    await manage(api, 'DELETE', `/v1/org/api-keys/${key.api_key_id}`, { bearer })
    const user = await api.identity.userByEmail(email)
    const [last] = await api.identity.auditLog(key.organization_id, 1)
    expect(last).toMatchObject({
      action: 'api_key.revoke',
      target: key.api_key_id,
      by: { kind: 'user', id: user?.id, address: '127.0.0.1' },
      atMs: NOON_MS,
    })
  })
})

describe('GET /v1/org', () => {
  it('the answer is the organization of the token, with its plan and its rate limit', async () => {
    const { access_token: bearer } = await memberOf(api, 'whole')
    const organization = await api.identity.organizationBySlug('whole')
    const ask = async () => (await manage(api, 'GET', '/v1/org', { bearer })).json
    const nothing = { billing_email: null, company_name: null, tax_id: null, country: null, updated_at: null }
    /** The login was the first request. */
    const usage = (requests: number, limit: number) => ({
      window: { used: requests, limit, resets_in_seconds: expect.any(Number) },
      today: { requests, cost: requests },
      by_key: [],
    })
    const whole = {
      organization_id: organization?.id,
      organization_slug: 'whole',
      organization_name: 'whole',
      plan: 'free',
      rate_limit: { requests: 120, window_seconds: 60 },
      usage: usage(2, 120),
      billing: nothing,
      created_at: '2026-01-01T12:00:00Z',
    }
    expect(await ask()).toEqual(whole)
    await api.identity.changePlan(organization?.id ?? '', 'pro', TESTER)
    expect(await ask()).toEqual({ ...whole, plan: 'pro', rate_limit: { requests: 1200, window_seconds: 60 }, usage: usage(3, 1200) })
    await api.identity.overrideRateLimit(organization?.id ?? '', 5, TESTER)
    expect(await ask()).toMatchObject({ plan: 'pro', rate_limit: { requests: 5 } })
  })

  it('the usage has the requests of the UTC day by key, refused ones included, and their cost', async () => {
    const [first, second] = [await keyOf(api, 'used'), await keyOf(api, 'used')]
    await keyOf(api, 'used') // never used: it is not in the list
    const { access_token: bearer } = await memberOf(api, 'used')
    await use(first.key)
    await api.ask('/v1/echo/hello?nope=1', { headers: { 'x-service-api-key': first.key } })
    await api.ask('/v1/nothing', { headers: { 'x-service-api-key': first.key } })
    await api.ask('/v1/heavy', { headers: { 'x-service-api-key': second.key } })
    const ask = async () => ((await manage(api, 'GET', '/v1/org', { bearer })).json as { usage: unknown }).usage
    expect(await ask()).toEqual({
      // login, three of the first key, 11 of the second, and this one
      window: { used: 16, limit: 120, resets_in_seconds: expect.any(Number) },
      today: { requests: 6, cost: 16 },
      by_key: [
        { id: first.api_key_id, prefix: first.key_prefix, requests_today: 3 },
        { id: second.api_key_id, prefix: second.key_prefix, requests_today: 1 },
      ],
    })
    nowMs = NOON_MS + 12 * 3_600_000
    const { access_token: nextDay } = await memberOf(api, 'used', 'second@used.org')
    const usage = (await manage(api, 'GET', '/v1/org', { bearer: nextDay })).json as { usage: unknown }
    expect(usage).toMatchObject({ usage: { today: { requests: 2, cost: 2 }, by_key: [] } })
    nowMs = NOON_MS
  })

  it('requests with a token and requests with keys share the rate limit of the organization', async () => {
    const { key } = await keyOf(api, 'shared-minute')
    const { access_token: bearer } = await memberOf(api, 'shared-minute')
    const { id } = (await api.identity.organizationBySlug('shared-minute')) ?? { id: '' }
    await api.identity.overrideRateLimit(id, 4, TESTER) // the login was the first
    const remaining = async () => (await manage(api, 'GET', '/v1/org', { bearer })).headers['ratelimit-remaining']
    expect(await remaining()).toBe('2')
    expect((await use(key)).headers['ratelimit-remaining']).toBe('1')
    expect(await remaining()).toBe('0')
    const held = await manage(api, 'GET', '/v1/org', { bearer })
    expect([held.status, held.body?.error?.code, held.headers['retry-after']]).toEqual([
      429,
      'rate_limited',
      expect.stringMatching(/^\d+$/),
    ])
    expect((await use(key)).status).toBe(429)
  })
})

describe('PATCH /v1/org/billing', () => {
  const patch = (bearer: string, json: unknown) => manage(api, 'PATCH', '/v1/org/billing', { bearer, json })

  it('given members are changed, null clears a member, the others stay, and the answer is the whole record', async () => {
    const { access_token: bearer } = await memberOf(api, 'payer')
    const nothing = { billing_email: null, company_name: null, tax_id: null, country: null, updated_at: null }
    expect((await patch(bearer, {})).json).toEqual(nothing)
    const first = { ...nothing, billing_email: 'Bills@example.org', company_name: 'Acme & Söhne', updated_at: '2026-01-01T12:00:00Z' }
    const { status, headers, json } = await patch(bearer, { billing_email: ' Bills@example.org ', company_name: ' Acme & Söhne' })
    expect([status, headers['cache-control'], json]).toEqual([200, 'no-store', first])
    nowMs = NOON_MS + 1000
    const second = { ...first, company_name: null, country: 'DE', tax_id: 'DE 123', updated_at: '2026-01-01T12:00:01Z' }
    expect((await patch(bearer, { company_name: null, country: 'DE', tax_id: 'DE 123' })).json).toEqual(second)
    nowMs = NOON_MS
    expect((await patch(bearer, {})).json).toEqual(second)
    expect((await manage(api, 'GET', '/v1/org', { bearer })).json).toMatchObject({ billing: second })
  })

  it('the billing records of other organizations do not change', async () => {
    const [mine, theirs] = [await memberOf(api, 'mine'), await memberOf(api, 'theirs')]
    await patch(mine.access_token, { country: 'FR' })
    expect((await manage(api, 'GET', '/v1/org', { bearer: theirs.access_token })).json).toMatchObject({ billing: { country: null } })
  })

  it.each([
    ['billing_email', 'no-address'],
    ['billing_email', ''],
    ['billing_email', 'a@b@c'],
    ['billing_email', 'a\u0000@example.org'],
    ['company_name', ''],
    ['company_name', 'x'.repeat(201)],
    ['company_name', {}],
    ['tax_id', 'x'.repeat(65)],
    ['tax_id', 12],
    ['country', 'de'],
    ['country', 'DEU'],
    ['country', "D'"],
  ])('answers 400 to `%s`: %j', async (name, value) => {
    const { access_token: bearer } = await memberOf(api, `billing-${crypto.randomUUID()}`)
    const { status, body } = await patch(bearer, { [name]: value })
    expect([status, body?.error?.code, body?.error?.message]).toEqual([
      400,
      'invalid_body',
      expect.stringMatching(new RegExp(`^\`${name}\` must be `)),
    ])
  })

  it.each(['plan', 'updated_at', 'organization_id'])('answers 400 to `%s`, which is not the customer’s', async (name) => {
    const { access_token: bearer } = await memberOf(api, `plan-${crypto.randomUUID()}`)
    expect((await patch(bearer, { [name]: 'enterprise' })).body?.error?.message).toMatch(`\`${name}\` is not a member`)
  })

  it('hostile text is stored unchanged', async () => {
    const { access_token: bearer } = await memberOf(api, 'injected')
    const text = "Robert'); DROP TABLE billing;-- {{y}} <b>"
    expect((await patch(bearer, { company_name: text, tax_id: text })).json).toMatchObject({ company_name: text, tax_id: text })
    for (const email of ["' OR '1'='1' --@example.org", "a'--@example.org"]) {
      expect([200, 400]).toContain((await patch(bearer, { billing_email: email })).status)
      expect((await logIn(api, email, "' OR '1'='1' --")).status).toBe(401)
    }
  })
})
