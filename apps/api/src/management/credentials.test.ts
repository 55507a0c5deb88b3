// Every credential at every endpoint: the response, and that it reveals nothing more.

import { createHmac, sign } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { keptTokenKeys, type TokenKeys } from '@orrery/identity'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, TEST_ADMIN_TOKEN, TESTER, type TestAnswer, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'
import { NO_FAILURE_LIMIT } from './testing/no-limits.ts'
import { type CreatedKey, createKey, keyOf, logIn, manage, memberOf, PASSWORD, type TokenPair } from './testing/requests.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const folder = mkdtempSync(join(tmpdir(), 'orrery-credentials-'))
let nowMs = NOON_MS
let api: TestApi
let keys: TokenKeys
let pair: TokenPair
let key: CreatedKey
beforeAll(async () => {
  const tokenKeysFile = join(folder, 'token-keys.pem')
  keys = await keptTokenKeys(tokenKeysFile)
  api = await startTestApi({ routes: [echo], tokenKeysFile, clock: { nowMs: () => nowMs }, access: { failures: NO_FAILURE_LIMIT } })
  pair = await memberOf(api, 'acme')
  key = await keyOf(api, 'acme')
})
afterAll(async () => {
  await api[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true })
})

const data = (headers: Record<string, string>) => api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': '', ...headers } })
const refresh = (token: unknown) => manage(api, 'POST', '/v1/auth/refresh', { json: { refresh_token: token } })
const responseOf = ({ status, body }: TestAnswer) => [status, body?.error?.code, body?.error?.message]

const KEY_MESSAGE = 'Missing or invalid API key. Send a valid one in the header `x-service-api-key`.'
const BEARER_MESSAGE =
  'Missing or invalid access token. Send a valid one in the header `authorization: Bearer`; `POST /v1/auth/login` returns one.'
const REFRESH_MESSAGE = 'Invalid refresh token in the member `refresh_token`. Log in again with `POST /v1/auth/login`.'

const base64 = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const claimsOf = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/** The access token of the member, written by hand and rightly signed: only what is changed is wrong with it. */
function forged({ header = {}, claims = {} }: { readonly header?: object; readonly claims?: object } = {}): string {
  const text = `${base64({ alg: 'EdDSA', kid: keys.kid, typ: 'JWT', ...header })}.${base64({ ...claimsOf(pair.access_token), ...claims })}`
  return `${text}.${sign(null, Buffer.from(text), keys.signing).toString('base64url')}`
}

describe('a data endpoint', () => {
  it('a data endpoint takes a valid key, also beside a bearer token', async () => {
    expect((await data({ 'x-service-api-key': key.key })).status).toBe(200)
    expect((await data({ 'x-service-api-key': key.key, authorization: `Bearer ${pair.access_token}` })).status).toBe(200)
    expect((await data({ 'x-service-api-key': key.key, authorization: 'Bearer wrong' })).status).toBe(200)
  })

  it('a data endpoint refuses a missing, wrong, truncated, doubled, expired or revoked key with the same message', async () => {
    const expiring = (await createKey(api, { expires_at: '2026-01-01T12:00:10Z' })).json as CreatedKey
    const revoked = await keyOf(api, 'acme')
    await manage(api, 'DELETE', `/v1/org/api-keys/${revoked.api_key_id}`, { bearer: pair.access_token })
    expect((await data({ 'x-service-api-key': expiring.key })).status).toBe(200)
    nowMs = NOON_MS + 10_000
    for (const wrong of [
      '',
      'wrong',
      key.key.slice(0, -1),
      `${key.key}, ${key.key}`,
      key.key_prefix,
      expiring.key,
      revoked.key,
      TEST_ADMIN_TOKEN,
    ]) {
      expect(responseOf(await data({ 'x-service-api-key': wrong }))).toEqual([401, 'unauthorized', KEY_MESSAGE])
    }
    nowMs = NOON_MS
  })

  it('a data endpoint refuses a bearer token, and the message names it', async () => {
    const answer = await data({ authorization: `Bearer ${pair.access_token}` })
    expect(responseOf(answer)).toEqual([
      401,
      'unauthorized',
      `${KEY_MESSAGE} The credential in \`authorization\` is not accepted by data endpoints.`,
    ])
  })

  it('a data endpoint refuses an admin token', async () => {
    expect(responseOf(await data({ 'x-service-admin-token': TEST_ADMIN_TOKEN }))).toEqual([401, 'unauthorized', KEY_MESSAGE])
  })
})

describe.each([
  ['GET', '/v1/org', undefined],
  ['GET', '/v1/org/api-keys', undefined],
  ['DELETE', '/v1/org/api-keys/00000000-0000-7000-8000-000000000000', undefined],
  ['PATCH', '/v1/org/billing', {}],
  ['GET', '/v1/org/webhooks', undefined],
  ['POST', '/v1/org/webhooks/00000000-0000-7000-8000-000000000000/test', undefined],
] as const)('%s %s', (method, path, json) => {
  const ask = (headers: Record<string, string>) => manage(api, method, path, { ...(json !== undefined && { json }), headers })
  const bearer = (token: string) => ask({ authorization: `Bearer ${token}` })

  it('a valid access token is accepted, whatever the case of its scheme is', async () => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const { status, headers } = await ask({ authorization: `${scheme} ${pair.access_token}` })
      expect([200, 204, 404]).toContain(status)
      expect(headers).toMatchObject({ 'ratelimit-limit': '120', 'ratelimit-policy': '120;w=60' })
    }
    expect((await bearer(forged())).status).not.toBe(401)
  })

  it('a request without a token is refused, and the message names the header', async () => {
    expect(responseOf(await ask({}))).toEqual([401, 'unauthorized', BEARER_MESSAGE])
  })

  it('an API key and an admin token are refused, and the message names the key', async () => {
    const message = `${BEARER_MESSAGE} The key in \`x-service-api-key\` is not accepted by management endpoints.`
    expect(responseOf(await ask({ 'x-service-api-key': key.key }))).toEqual([401, 'unauthorized', message])
    expect(responseOf(await ask({ 'x-service-admin-token': TEST_ADMIN_TOKEN }))).toEqual([401, 'unauthorized', BEARER_MESSAGE])
    for (const wrong of [key.key, TEST_ADMIN_TOKEN]) expect(responseOf(await bearer(wrong))).toEqual([401, 'unauthorized', BEARER_MESSAGE])
  })

  it.each([
    ['is a refresh token', () => pair.refresh_token],
    ['has another audience', () => forged({ claims: { aud: 'data' } })],
    ['has expired', () => forged({ claims: { exp: NOON_MS / 1000 - 6 } })],
    ['never expires', () => forged({ claims: { exp: undefined } })],
    ['is from the future', () => forged({ claims: { iat: NOON_MS / 1000 + 6 } })],
    ['names another key', () => forged({ header: { kid: 'another' } })],
    ['names no key', () => forged({ header: { kid: undefined } })],
    ['names another algorithm', () => forged({ header: { alg: 'HS256' } })],
    ['names no algorithm', () => forged({ header: { alg: 'none' } })],
    ['names another session', () => forged({ claims: { sid: '00000000-0000-7000-8000-000000000000' } })],
    [
      'has other claims than were signed',
      () => pair.access_token.replace(/\.[^.]+\./, `.${base64({ ...claimsOf(pair.access_token), exp: 9e9 })}.`),
    ],
    ['is not signed', () => pair.access_token.replace(/[^.]+$/, '')],
    ['has lost its end', () => pair.access_token.slice(0, -2)],
    ['is two tokens', () => `${pair.access_token} ${pair.access_token}`],
    ['is empty', () => ''],
  ])('a token is refused that %s', async (_, token) => {
    expect(responseOf(await bearer(token()))).toEqual([401, 'unauthorized', BEARER_MESSAGE])
  })

  it('a token signed with the public key as an HMAC secret is refused', async () => {
    const secret = keys.checking.get(keys.kid)?.export({ format: 'pem', type: 'spki' }) ?? ''
    const text = `${base64({ alg: 'HS256', kid: keys.kid })}.${base64(claimsOf(pair.access_token))}`
    expect((await bearer(`${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`)).status).toBe(401)
  })

  it('a token of an instance whose clock differs by up to five seconds is accepted', async () => {
    expect((await bearer(forged({ claims: { iat: NOON_MS / 1000 + 5 } }))).status).not.toBe(401)
    expect((await bearer(forged({ claims: { exp: NOON_MS / 1000 - 4 } }))).status).not.toBe(401)
  })
})

describe('WWW-Authenticate', () => {
  it.each([
    ['GET', '/v1/org', {}, 'Bearer realm="orrery"'],
    ['GET', '/v1/org', { authorization: 'Bearer wrong' }, 'Bearer realm="orrery", error="invalid_token"'],
    ['POST', '/v1/org/api-keys', { 'x-service-admin-token': 'wrong' }, 'AdminToken realm="orrery", header="x-service-admin-token"'],
    ['POST', '/v1/auth/login', {}, 'Password realm="orrery"'],
    ['POST', '/v1/auth/refresh', {}, 'RefreshToken realm="orrery"'],
  ])('the header WWW-Authenticate of a 401 of %s %s with %j names the required credential', async (method, path, headers, challenge) => {
    const bodies: Record<string, object> = {
      '/v1/auth/login': { email: 'unknown@example.org', password: 'wrong' },
      '/v1/auth/refresh': { refresh_token: 'wrong' },
    }
    const answer = await manage(api, method, path, { headers, ...(method === 'POST' && { json: bodies[path] ?? {} }) })
    expect([answer.status, answer.headers['www-authenticate']]).toEqual([401, challenge])
  })
})

describe.each([
  ['/v1/org/api-keys', { organization_name: 'Acme', organization_slug: 'acme', key_name: 'k' }],
  ['/v1/auth/login', { email: 'acme@example.org', password: 'a wrong password' }],
  ['/v1/auth/refresh', { refresh_token: 'wrong' }],
])('POST %s', (path, json) => {
  it.each([
    ['an API key', () => ({ 'x-service-api-key': key.key })],
    ['an access token', () => ({ authorization: `Bearer ${pair.access_token}` })],
    ['a refresh token', () => ({ authorization: `Bearer ${pair.refresh_token}` })],
    ['all of these', () => ({ 'x-service-api-key': key.key, authorization: `Bearer ${pair.access_token}` })],
  ])('is not opened by %s', async (_, headers) => {
    const { status, body } = await manage(api, 'POST', path, { json, headers: headers() })
    expect([status, body?.error?.code]).toEqual([401, 'unauthorized'])
  })
})

describe('POST /v1/auth/login', () => {
  it('the right password gets a pair of tokens', async () => {
    const { status, headers, json } = await logIn(api, ' ACME@example.org')
    expect([status, headers['cache-control'], headers['ratelimit-limit']]).toEqual([200, 'no-store', '120'])
    expect(json).toEqual({ access_token: expect.any(String), refresh_token: expect.any(String), expires_in: 900 })
    const { access_token, refresh_token } = json as TokenPair
    expect(claimsOf(access_token)).toMatchObject({ aud: 'management', iat: NOON_MS / 1000, exp: NOON_MS / 1000 + 900 })
    expect(claimsOf(refresh_token)).toMatchObject({ aud: 'refresh', exp: NOON_MS / 1000 + 30 * 24 * 3600 })
  })

  it('every wrong login gets the same message', async () => {
    const disabled = await memberOf(api, 'disabled')
    const user = await api.identity.userByEmail(disabled.email)
    await api.identity.disableUser(user?.id ?? '', true, TESTER)
    for (const [email, password] of [
      ['acme@example.org', 'a wrong password'],
      ['acme@example.org', ''],
      ['acme@example.org', PASSWORD.toUpperCase()],
      ['unknown@example.org', PASSWORD],
      ['disabled@example.org', PASSWORD],
      ['no address', PASSWORD],
      ['', ''],
      ['a\u0000@example.org', 'b\u0000'],
      ["acme@example.org' --", PASSWORD],
      ['acme@example.org', "' OR '1'='1"],
    ] as const) {
      expect(responseOf(await logIn(api, email, password))).toEqual([401, 'unauthorized', 'Wrong e-mail address or password.'])
    }
  })

  it.each([
    [{ password: 'x' }, '`email` is required.'],
    [{ email: 'a@example.org' }, '`password` is required.'],
    [{ email: 7, password: 'x' }, '`email` must be text.'],
    [{ email: { $gt: '' }, password: 'x' }, '`email` must be text.'],
    [{ email: 'a@example.org', password: ['x'] }, '`password` must be text.'],
    [
      { email: 'a@example.org', password: 'x', remember: true },
      '`remember` is not a member of this request. It takes `email`, `password`.',
    ],
  ])('answers 400 to %j', async (json, message) => {
    expect(responseOf(await manage(api, 'POST', '/v1/auth/login', { json }))).toEqual([400, 'invalid_body', message])
  })
})

describe('POST /v1/auth/refresh', () => {
  it('a refresh token gets new access tokens repeatedly', async () => {
    for (let n = 0; n < 2; n++) {
      const { status, json, headers } = await refresh(pair.refresh_token)
      expect([status, headers['cache-control'], json]).toEqual([200, 'no-store', { access_token: expect.any(String), expires_in: 900 }])
      const { access_token: bearer } = json as TokenPair
      expect((await manage(api, 'GET', '/v1/org', { bearer })).json).toMatchObject({ organization_slug: 'acme' })
    }
  })

  it('an access token, a key and an altered token are refused as refresh tokens', async () => {
    for (const token of [
      pair.access_token,
      key.key,
      '',
      'x',
      `${pair.refresh_token}x`,
      forged({ claims: { aud: 'management' } }),
      '\u0000',
    ]) {
      expect(responseOf(await refresh(token))).toEqual([401, 'unauthorized', REFRESH_MESSAGE])
    }
    expect(responseOf(await refresh(7))).toEqual([400, 'invalid_body', '`refresh_token` must be text.'])
  })

  it('a refresh token expires after thirty days, and an access token after a quarter of an hour', async () => {
    const late = await memberOf(api, 'late')
    const org = async () => (await manage(api, 'GET', '/v1/org', { bearer: late.access_token })).status
    nowMs = NOON_MS + 904_000
    expect(await org()).toBe(200)
    nowMs = NOON_MS + 905_000
    expect(await org()).toBe(401)
    nowMs = NOON_MS + 30 * 24 * 3_600_000 - 1
    expect((await refresh(late.refresh_token)).status).toBe(200)
    nowMs += 1
    expect((await refresh(late.refresh_token)).status).toBe(401)
    nowMs = NOON_MS
  })

  it.each([
    ['the password changes', (userId: string) => api.identity.changePassword(userId, 'another password', TESTER)],
    ['the user is disabled', (userId: string) => api.identity.disableUser(userId, true, TESTER)],
    [
      'the sessions are revoked',
      async (userId: string, organizationId: string) => void (await api.identity.revokeSessions({ organizationId, userId }, TESTER)),
    ],
  ])('the refresh token and the access token are refused at once when %s', async (what, act) => {
    const slug = what.replaceAll(' ', '-')
    const member = await memberOf(api, slug)
    const bystander = await memberOf(api, slug, `bystander-${slug}@example.org`)
    const user = await api.identity.userByEmail(member.email)
    await act(user?.id ?? '', user?.organizationId ?? '')
    expect(responseOf(await refresh(member.refresh_token))).toEqual([401, 'unauthorized', REFRESH_MESSAGE])
    expect((await manage(api, 'GET', '/v1/org', { bearer: member.access_token })).status).toBe(401)
    expect((await refresh(bystander.refresh_token)).status).toBe(200)
  })
})
