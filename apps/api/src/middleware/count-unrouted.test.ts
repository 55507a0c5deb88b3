import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { manage, memberOf } from '../management/testing/requests.ts'
import { startTestApi, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'

let api: TestApi
beforeAll(async () => {
  api = await startTestApi({ routes: [echo] })
})
afterAll(() => api[Symbol.asyncDispose]())

const UNROUTED = [
  ['GET', '/v1/nothing', 404],
  ['POST', '/v1/echo/hello', 405],
] as const

describe.each(UNROUTED)('%s %s', (method, path, refused) => {
  it('a request without a route counts for a valid key and for a valid token', async () => {
    const left = async () => Number((await api.ask('/v1/echo/hello')).headers['ratelimit-remaining'])
    const before = await left()
    const { status, headers } = await api.ask(path, { method })
    expect([status, headers['ratelimit-limit'], headers['ratelimit-policy']]).toEqual([refused, '12000', '12000;w=60'])
    expect(Number(headers['ratelimit-remaining'])).toBe(before - 1)
    expect(await left()).toBe(before - 2)

    const { access_token: bearer } = await memberOf(api, `member${refused}`)
    const answer = await manage(api, method, path, { bearer })
    expect([answer.status, answer.headers['ratelimit-remaining']]).toEqual([refused, '118']) // the login was the first
  })

  it('a request without a route gets the same error if the requests of the minute are used up', async () => {
    const { organization } = await api.identity.addOrganization({ slug: `busy${refused}`, name: 'Busy', plan: 'free' }, TESTER)
    await api.identity.overrideRateLimit(organization.id, 1, TESTER)
    const given = { organizationId: organization.id, name: 'k', scopes: ['data:read'], expiresAtMs: null } as const
    const { key } = await api.identity.addApiKey(given, TESTER)
    for (let n = 0; n < 2; n++) {
      const { status, headers } = await api.ask(path, { method, headers: { 'x-service-api-key': key } })
      expect([status, headers['ratelimit-remaining']]).toEqual([refused, '0'])
    }
  })

  it('a request without a route has no rate-limit headers without a valid credential, and a wrong credential counts as a guess', async () => {
    await using guessed = await startTestApi({ routes: [echo] })
    expect((await manage(guessed, method, path)).headers['ratelimit-limit']).toBeUndefined()
    for (let n = 0; n < 25; n++) {
      for (const headers of [{ 'x-service-api-key': 'wrong' }, { authorization: 'Bearer wrong' }]) {
        const answer = await manage(guessed, method, path, { headers })
        expect([answer.status, answer.headers['ratelimit-limit']]).toEqual([refused, undefined])
      }
    }
    expect((await guessed.ask('/v1/echo/hello', { headers: { 'x-service-api-key': 'wrong' } })).status).toBe(429)
    expect((await guessed.ask('/v1/echo/hello')).status).toBe(200)
  })

  it('a request without a route gets the same error if the database cannot check its key', async () => {
    const authenticator = { ...api.access.authenticator, authenticate: () => Promise.reject(new Error('The database is away.')) }
    await using away = await startTestApi({ routes: [echo], access: { authenticator } })
    expect((await away.ask(path, { method })).status).toBe(refused)
  })
})
