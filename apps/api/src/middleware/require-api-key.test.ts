import { OrreryError } from '@orrery/errors'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { proxyList } from '../client-address.ts'
import { startTestApi, TESTER, type TestApi } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'

const NOON_MS = Date.UTC(2026, 0, 1, 12)
const PATH = '/v1/echo/hello'

let api: TestApi
beforeEach(async () => {
  // Only what tells the time: the timers of servers and sockets go on.
  vi.useFakeTimers({ toFake: ['Date'], now: NOON_MS })
  api = await startTestApi({ routes: [echo] })
})
afterEach(async () => {
  await api[Symbol.asyncDispose]()
  vi.useRealTimers()
})
const later = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds)

const withKey = (key: string, others: Record<string, string> = {}) => api.ask(PATH, { headers: { 'x-service-api-key': key, ...others } })
const organization = async () => {
  const found = await api.identity.organizationBySlug('test')
  if (found === null) throw new Error('The test organization is there.')
  return found
}

describe('401', () => {
  const MESSAGE = 'Missing or invalid API key. Send a valid one in the header `x-service-api-key`.'

  it('401 without a key names the header', async () => {
    const { status, headers, body } = await withKey('')
    expect([status, body?.error]).toEqual([401, { code: 'unauthorized', message: MESSAGE, docs: '/docs/errors/unauthorized' }])
    expect(headers['www-authenticate']).toBe('ApiKey realm="orrery", header="x-service-api-key"')
    expect(headers.vary).toMatch(/x-service-api-key/)
    expect(headers['ratelimit-limit']).toBeUndefined()
  })

  it('401 names another credential that was sent', async () => {
    const { body } = await withKey('', { authorization: 'Bearer abc' })
    expect(body?.error?.message).toBe(`${MESSAGE} The credential in \`authorization\` is not accepted by data endpoints.`)
  })

  it('a wrong, an expired and a revoked key get the same 401', async () => {
    const { id } = await organization()
    const add = (expiresAtMs: number | null) =>
      api.identity.addApiKey({ organizationId: id, name: 'k', scopes: ['data:read'], expiresAtMs }, TESTER)
    const expiring = await add(NOON_MS + 1)
    const revoked = await add(null)
    expect((await withKey(revoked.key)).status).toBe(200)
    await api.identity.revokeApiKey(id, revoked.record.id, TESTER)
    await api.access.authenticator.changed({ prefix: revoked.record.prefix })
    later(1)
    for (const key of ['wrong', `${api.key}x`, `${api.key}, ${api.key}`, expiring.key, revoked.key]) {
      const { status, body } = await withKey(key)
      expect([status, body?.error?.message]).toEqual([401, MESSAGE])
    }
  })

  it('a valid key is accepted beside a bearer token', async () => {
    expect((await withKey(api.key, { authorization: 'Bearer abc' })).status).toBe(200)
  })
})

describe('403', () => {
  it('a valid key without the scope gets 403, and the request counts', async () => {
    const { authenticator } = api.access
    const authenticate = async (key: string) => {
      const caller = await authenticator.authenticate(key)
      return caller === null ? null : { ...caller, scopes: [] }
    }
    await using narrow = await startTestApi({ routes: [echo], access: { authenticator: { ...authenticator, authenticate } } })
    const { status, headers, body } = await narrow.ask(PATH, { headers: { 'x-service-api-key': api.key } })
    expect([status, headers['ratelimit-remaining'], body?.error]).toEqual([
      403,
      '11999',
      { code: 'forbidden', message: 'This API key lacks the scope `data:read`. Use a key that has it.', docs: '/docs/errors/forbidden' },
    ])
  })
})

describe('429', () => {
  it('429 comes if all keys of the organization together have used its requests of the minute, and ends with the minute', async () => {
    const { id } = await organization()
    await api.identity.overrideRateLimit(id, 2, TESTER)
    const given = { organizationId: id, name: 'second', scopes: ['data:read'], expiresAtMs: null } as const
    const { key: second } = await api.identity.addApiKey(given, TESTER)
    const first = await withKey(api.key)
    later(15_000)
    expect(first.headers).toMatchObject({
      'ratelimit-limit': '2',
      'ratelimit-remaining': '1',
      'ratelimit-reset': '60',
      'ratelimit-policy': '2;w=60',
    })
    expect((await withKey(second)).headers['ratelimit-remaining']).toBe('0')
    const refused = await withKey(api.key)
    expect([refused.status, refused.body?.error?.code]).toEqual([429, 'rate_limited'])
    expect(refused.headers).toMatchObject({ 'retry-after': '45', 'ratelimit-remaining': '0' })
    later(45_000)
    expect((await withKey(api.key)).status).toBe(200)
  })

  it('429 comes before parameters are checked, and requests with invalid parameters count', async () => {
    await api.identity.overrideRateLimit((await organization()).id, 1, TESTER)
    expect((await api.ask(`${PATH}?nope=1`)).status).toBe(400)
    expect((await api.ask(`${PATH}?nope=1`)).status).toBe(429)
  })

  it('429 comes after 50 wrong keys from one address in 15 minutes; a valid key is always served', async () => {
    for (let n = 0; n < 50; n++) expect((await withKey('wrong')).status).toBe(401)
    const held = await withKey('wrong')
    expect([held.status, held.headers['retry-after']]).toEqual([429, '900'])
    expect((await withKey(api.key)).status).toBe(200)
    expect((await withKey('')).status).toBe(401)
    later(15 * 60_000)
    expect((await withKey('wrong')).status).toBe(401)
  })

  it('wrong keys are counted by the address that a trusted proxy reports, and by no other address', async () => {
    const trustedProxies = proxyList(['127.0.0.1', '203.0.113.0/24']) ?? undefined
    await using behind = await startTestApi({ routes: [echo], ...(trustedProxies && { trustedProxies }) })
    const from = (forwarded: string) => ({ headers: { 'x-service-api-key': 'wrong', 'x-forwarded-for': forwarded } })
    // The first address is what the caller made up; the last was written by the second proxy about the first.
    for (let n = 0; n < 50; n++) await behind.ask(PATH, from(`198.51.100.${n}, 192.0.2.1, 203.0.113.9`))
    expect((await behind.ask(PATH, from('192.0.2.1, 203.0.113.9'))).status).toBe(429)
    expect((await behind.ask(PATH, from('192.0.2.2, 203.0.113.9'))).status).toBe(401)
    for (let n = 0; n < 51; n++) await api.ask(PATH, from(`192.0.2.${n}`))
    expect((await api.ask(PATH, from('192.0.2.99'))).status).toBe(429)
  })
})

describe('a limiter whose store fails', () => {
  it('requests pass while the rate limiter fails; the failure is counted, and the headers show the count of this instance', async () => {
    const rateLimiter = { take: async () => Promise.reject(new OrreryError('unavailable', 'limiter_unreachable', 'away')) }
    await using open = await startTestApi({ routes: [echo], access: { rateLimiter } })
    const { id } = (await open.identity.organizationBySlug('test')) ?? { id: '' }
    await open.identity.overrideRateLimit(id, 2, TESTER)
    const limited = async () => {
      const { status, headers } = await open.ask(PATH)
      return [status, headers['ratelimit-remaining'], headers['ratelimit-policy']]
    }
    for (const left of ['1', '0', '0']) expect(await limited()).toEqual([200, left, '2;w=60'])
    expect((await open.ask('/v1/nothing')).headers['ratelimit-limit']).toBe('2')
    expect(await open.metrics.registry.metrics()).toMatch(/orrery_api_limiter_failures_total 4/)
  })
})
