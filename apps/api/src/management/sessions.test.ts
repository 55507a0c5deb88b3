// What logins, refreshes and logouts cost, and what a logout ends.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestApi, TEST_ADMIN_TOKEN, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'
import { keyOf, logIn, manage, memberOf, type TokenPair } from './testing/requests.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo] })
})
afterAll(() => api[Symbol.asyncDispose]())

const refresh = (token: string) => manage(api, 'POST', '/v1/auth/refresh', { json: { refresh_token: token } })
const logOut = (token: unknown) => manage(api, 'POST', '/v1/auth/logout', { json: { refresh_token: token } })
const organization = (bearer: string) => manage(api, 'GET', '/v1/org', { bearer })

async function limit(slug: string, requestsPerMinute: number): Promise<void> {
  const { id } = (await api.identity.organizationBySlug(slug)) ?? { id: '' }
  await api.identity.overrideRateLimit(id, requestsPerMinute, TESTER)
}

describe('logins that succeed and refreshes', () => {
  it('count as requests of the organization, say what is left, and end with its minute', async () => {
    const { email, refresh_token } = await memberOf(api, 'counted')
    await limit('counted', 4)
    const answers = [await logIn(api, email), await refresh(refresh_token), await logIn(api, email), await refresh(refresh_token)]
    expect(answers.map(({ status, headers }) => [status, headers['ratelimit-limit'], headers['ratelimit-remaining']])).toEqual([
      [200, '4', '2'],
      [200, '4', '1'],
      [200, '4', '0'],
      [429, '4', '0'],
    ])
    const login = await logIn(api, email)
    expect([login.status, login.body?.error?.message]).toEqual([429, expect.stringContaining('Your organization has used its 4 units')])
  })

  it('open no session when they are refused', async () => {
    const { email } = await memberOf(api, 'refused')
    await limit('refused', 1)
    expect((await logIn(api, email)).status).toBe(429)
    const { id } = (await api.identity.organizationBySlug('refused')) ?? { id: '' }
    expect((await api.identity.auditLog(id, 100)).filter(({ action }) => action === 'session.create')).toHaveLength(1)
  })
})

it('a user has twenty sessions at most: the oldest ends for the next one', async () => {
  const first = await memberOf(api, 'many')
  const pairs: TokenPair[] = []
  for (let n = 0; n < 20; n++) pairs.push((await logIn(api, first.email)).json as TokenPair)
  expect((await refresh(first.refresh_token)).status).toBe(401)
  expect((await organization(first.access_token)).status).toBe(401)
  expect((await refresh(pairs[0]?.refresh_token ?? '')).status).toBe(200)
})

describe('POST /v1/auth/logout', () => {
  it('ends the session of the refresh token with its access tokens, and no other session of the user', async () => {
    const leaving = await memberOf(api, 'leaving')
    const staying = (await logIn(api, leaving.email)).json as TokenPair
    expect(await logOut(leaving.refresh_token)).toMatchObject({ status: 204, body: null })
    expect((await refresh(leaving.refresh_token)).status).toBe(401)
    expect((await organization(leaving.access_token)).status).toBe(401)
    expect((await refresh(staying.refresh_token)).status).toBe(200)
    // A second logout of the same session is fine.
    expect((await logOut(leaving.refresh_token)).status).toBe(204)
    const user = await api.identity.userByEmail(leaving.email)
    const log = await api.identity.auditLog(user?.organizationId ?? '', 100)
    expect(log.filter(({ action }) => action === 'session.end')).toMatchObject([{ by: { kind: 'user', id: user?.id } }])
  })

  it('works when the minute of the organization is used up', async () => {
    const { refresh_token } = await memberOf(api, 'busy')
    await limit('busy', 1)
    expect((await refresh(refresh_token)).status).toBe(429)
    expect((await logOut(refresh_token)).status).toBe(204)
  })

  it('takes no access token, no key and nothing made up, and counts them as wrong credentials', async () => {
    const { access_token, refresh_token } = await memberOf(api, 'wrong')
    const { key } = await keyOf(api, 'wrong')
    for (const token of [access_token, key, TEST_ADMIN_TOKEN, '', `${refresh_token}x`]) {
      const { status, body } = await logOut(token)
      expect([status, body?.error?.code]).toEqual([401, 'unauthorized'])
    }
    expect((await logOut(7)).body?.error).toMatchObject({ code: 'invalid_body', message: '`refresh_token` must be text.' })
    expect((await organization(access_token)).status).toBe(200)
  })

  it('is marked as experimental in the document', () => {
    expect(api.document.paths['/v1/auth/logout']?.post).toMatchObject({ 'x-stability': 'experimental' })
    expect(api.document.paths['/v1/auth/login']?.post).toMatchObject({ 'x-stability': 'stable' })
  })
})
