// Two instances of the API that share a real PostgreSQL and a real Redis: what one of them decides, the other knows.

import { mkdtempSync, rmSync } from 'node:fs'
import { BlockList } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openIdentity } from '@orrery/identity'
import { type PostgresServer, type RedisServer, startPostgres, startRedis } from '@orrery/testkit/servers'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { refuse } from '../errors.ts'
import { startTestApi, TESTER, type TestAnswer, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts'
import { echo, toyAnswer, toyRoute } from '../testing/toy-routes.ts'
import { type CreatedKey, createKey, keyOf, logIn, manage, memberOf } from './testing/requests.ts'

const proxies = new BlockList()
proxies.addAddress('127.0.0.1')
const NOON_MS = Date.UTC(2026, 0, 1, 12)
/** 11 units each. */
const load = async () => ({ buckets: 5_000 })
const heavy = toyRoute(async () => toyAnswer(null), { path: '/v1/heavy', load })
const heavyMissing = toyRoute(async () => Promise.reject(refuse('not_found', 'There is none.')), { path: '/v1/heavy/missing', load })
const folder = mkdtempSync(join(tmpdir(), 'orrery-instances-'))
let postgres: PostgresServer
let redis: RedisServer
let one: TestApi
let two: TestApi
let nowMs = NOON_MS
let shared: Pick<TestApiOptions, 'identityUrl' | 'redisUrl' | 'tokenKeysFile' | 'clock'>

beforeAll(async () => {
  ;[postgres, redis] = await Promise.all([startPostgres(), startRedis()])
  const identityUrl = await postgres.database()
  shared = { identityUrl, redisUrl: redis.url, tokenKeysFile: join(folder, 'token-keys.pem'), clock: { nowMs: () => nowMs } }
  one = await startTestApi({ routes: [echo, heavy, heavyMissing], ...shared })
  two = await startTestApi({ routes: [echo, heavy, heavyMissing], ...shared })
})
afterAll(async () => {
  await Promise.all([one, two].map((api) => api[Symbol.asyncDispose]()))
  await Promise.all([postgres[Symbol.asyncDispose](), redis[Symbol.asyncDispose]()])
  rmSync(folder, { recursive: true })
})
beforeEach(() => {
  nowMs = NOON_MS
})

const use = (api: TestApi, key: string) => api.ask('/v1/echo/hello', { headers: { 'x-service-api-key': key } })
const statusOf = async (api: TestApi, key: string) => (await use(api, key)).status

/** Sends requests repeatedly, as the holder of a leaked key would. */
async function untilRefused(api: TestApi, key: string): Promise<void> {
  while ((await statusOf(api, key)) !== 401) await delay(1)
}

/** Asks until the request is counted where all count: the instance has its Redis again. */
async function untilCounted(api: TestApi, key: string): Promise<void> {
  const uncounted = async () => (await api.metrics.apiLimiterFailures.get()).values[0]?.value ?? 0
  for (;;) {
    const before = await uncounted()
    await use(api, key)
    if ((await uncounted()) === before) return
    await delay(10)
  }
}

describe('two instances', () => {
  it('take each other’s tokens, and a refresh token of one gives an access token of the other', async () => {
    const { access_token: bearer, refresh_token } = await memberOf(one, 'tokens')
    expect((await manage(two, 'GET', '/v1/org', { bearer })).json).toMatchObject({ organization_slug: 'tokens' })
    const { json } = await manage(two, 'POST', '/v1/auth/refresh', { json: { refresh_token } })
    const { access_token } = json as { access_token: string }
    expect((await manage(one, 'GET', '/v1/org', { bearer: access_token })).status).toBe(200)
  })

  it('end a session together', async () => {
    const { access_token: bearer, email } = await memberOf(one, 'sessions')
    const user = await one.identity.userByEmail(email)
    await one.identity.revokeSessions({ organizationId: user?.organizationId ?? '' }, TESTER)
    for (const api of [one, two]) expect((await manage(api, 'GET', '/v1/org', { bearer })).status).toBe(401)
  })

  it('make one organization when both are asked for the same slug at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) => createKey(n % 2 === 0 ? one : two, { organization_slug: 'crowd' })),
    )
    const made = answers.map(({ json }) => json as CreatedKey)
    expect(new Set(made.map((key) => key.organization_id)).size).toBe(1)
    expect(made.filter((key) => !key.organization_reused)).toHaveLength(1)
    const log = await one.identity.auditLog(made[0]?.organization_id ?? '', 100)
    expect(log.filter(({ action }) => action === 'organization.create')).toHaveLength(1)
    expect(log.filter(({ action }) => action === 'api_key.create')).toHaveLength(20)
  })

  it('count the requests of an organization together', async () => {
    const key = await keyOf(one, 'counted')
    await one.identity.overrideRateLimit(key.organization_id, 10, TESTER)
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => use(n % 2 === 0 ? one : two, key.key)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
    expect(Math.min(...answers.map(({ headers }) => Number(headers['ratelimit-remaining'])))).toBe(0)
  })

  it('count the units of an organization together: what one takes or gives back, the other sees', async () => {
    const { key, organization_id: id } = await keyOf(one, 'units')
    await one.identity.overrideRateLimit(id, 24, TESTER)
    const ask = async (api: TestApi, path: string) => {
      const { status, headers } = await api.ask(path, { headers: { 'x-service-api-key': key } })
      return [status, headers['ratelimit-cost'], headers['ratelimit-remaining']]
    }
    expect(await ask(one, '/v1/heavy')).toEqual([200, '11', '13'])
    expect(await ask(two, '/v1/heavy/missing')).toEqual([404, '1', '12'])
    expect(await ask(one, '/v1/heavy')).toEqual([200, '11', '1'])
    expect(await ask(two, '/v1/heavy')).toEqual([429, '1', '0'])
    expect(await ask(one, '/v1/heavy')).toEqual([429, '1', '0'])
  })

  it('add up the usage of a day: an instance shows its own requests and those that the others have written', async () => {
    const { key, organization_id: id, api_key_id, key_prefix: prefix } = await keyOf(one, 'usage')
    const { access_token: bearer } = await memberOf(one, 'usage')
    for (const api of [one, two, two]) await api.ask('/v1/heavy', { headers: { 'x-service-api-key': key } })
    await two.access.usage.today(id) // writes, as its timer does after five seconds
    const { json } = await manage(one, 'GET', '/v1/org', { bearer })
    // The login, three times 11, and this request.
    expect(json).toMatchObject({
      usage: { window: { used: 35 }, today: { requests: 5, cost: 35 }, by_key: [{ id: api_key_id, prefix, requests_today: 3 }] },
    })
  })

  it('count wrong passwords of an account together', async () => {
    const { email } = await memberOf(one, 'guessed')
    for (let n = 0; n < 10; n++) expect((await logIn(n % 2 === 0 ? one : two, email, 'a wrong password')).status).toBe(401)
    for (const api of [one, two]) expect((await logIn(api, email)).status).toBe(429)
  })

  it('count a hundred wrong passwords from many addresses together, and know on both where an owner logged in', async () => {
    await using three = await startTestApi({ routes: [echo], ...shared, trustedProxies: proxies })
    await using four = await startTestApi({ routes: [echo], ...shared, trustedProxies: proxies })
    const apis = [three, four]
    const { email } = await memberOf(three, 'hundred')
    const home = '198.51.100.1'
    expect((await logIn(three, email, undefined, home)).status).toBe(200)
    for (const account of [email, 'unknown-hundred@example.org']) {
      // The check of a password is left out: it takes as long as it is meant to.
      const unchecked = apis.map((api) => vi.spyOn(api.identity, 'userOfPassword').mockResolvedValue(null))
      const guesses = Array.from({ length: 100 }, (_, n) => [apis[n % 2] as TestApi, `203.0.113.${Math.floor(n / 10)}`] as const)
      const statuses = await Promise.all(guesses.map(async ([api, from]) => (await logIn(api, account, 'a wrong password', from)).status))
      expect(statuses).toEqual(Array(100).fill(401))
      for (const spy of unchecked) spy.mockRestore()
      const strangers = await Promise.all(apis.map((api, n) => logIn(api, account, 'a wrong password', `192.0.2.${n}`)))
      expect(strangers.map(({ status }) => status).toSorted()).toEqual([401, 429])
      const held = strangers.find(({ status }) => status === 429)
      expect(Number(held?.headers['retry-after'])).toBeLessThanOrEqual(60)
    }
    for (const api of apis) expect((await logIn(api, email, undefined, home)).status).toBe(200)
  })

  it('limit an address with fifty wrong credentials together', async () => {
    await using three = await startTestApi({ routes: [echo], ...shared, trustedProxies: proxies })
    await using four = await startTestApi({ routes: [echo], ...shared, trustedProxies: proxies })
    const refresh = (api: TestApi) =>
      manage(api, 'POST', '/v1/auth/refresh', { json: { refresh_token: 'wrong' }, headers: { 'x-forwarded-for': '203.0.113.50' } })
    const answers = await Promise.all(Array.from({ length: 60 }, (_, n) => refresh(n % 2 === 0 ? three : four)))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(50)
    const checked = [three, four].map((api) => vi.spyOn(api.identity, 'userOfPassword'))
    const begunMs = performance.now()
    const logins = await Promise.all(
      Array.from({ length: 20 }, (_, n) => logIn(n % 2 === 0 ? three : four, 'unknown-fifty@example.org', undefined, '203.0.113.50')),
    )
    expect(logins.map(({ status }) => status)).toEqual(Array(20).fill(429))
    // Both instances together check one login for each second that passes, however slow the machine is.
    const seconds = Math.floor((performance.now() - begunMs) / 1000)
    const count = checked.reduce((sum, spy) => sum + spy.mock.calls.length, 0)
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(1 + seconds)
  })

  it('see an unlock by the operator at once, though the counts are in Redis', async () => {
    const { email } = await memberOf(one, 'unlocked')
    for (let n = 0; n < 10; n++) await logIn(n % 2 === 0 ? one : two, email, 'a wrong password')
    for (const api of [one, two]) expect((await logIn(api, email)).status).toBe(429)
    // As `orrery org user unlock` does, on a connection of its own to the database alone.
    await using identity = await openIdentity(shared.identityUrl ?? '')
    await identity.unlockLogins((await identity.userByEmail(email))?.id ?? '', TESTER)
    for (const api of [one, two]) expect((await logIn(api, email)).status).toBe(200)
  })

  it('note the use of a key once a minute, whichever was asked', async () => {
    const key = await keyOf(one, 'used')
    for (const api of [one, two, one]) {
      await use(api, key.key)
      await api.access.authenticator.writeUses()
      nowMs += 20_000
    }
    expect(await one.identity.apiKeys(key.organization_id)).toMatchObject([{ lastUsedAtMs: NOON_MS }])
  })
})

describe('a leaked key', () => {
  it('is refused under load at once by the instance that revoked it, by one that hears as soon as it does, and by one whose Redis is down within five seconds; no other key is disturbed', async () => {
    await using ears = await startRedis()
    await using deaf = await startTestApi({ routes: [echo], ...shared, redisUrl: ears.url })
    await ears.kill()
    const all = [one, two, deaf]
    const { access_token: bearer } = await memberOf(one, 'leaked')
    const [leaked, good] = [await keyOf(one, 'leaked'), await keyOf(one, 'leaked')]
    await one.identity.overrideRateLimit(leaked.organization_id, 1_000_000, TESTER)
    for (const api of all) await api.access.authenticator.changed({ organizationId: leaked.organization_id })

    let isOver = false
    const disturbed: number[] = []
    const load = all.flatMap((api) =>
      [good, leaked].map(async ({ key }) => {
        while (!isOver) {
          const status = await statusOf(api, key)
          if (key === good.key && status !== 200) disturbed.push(status)
        }
      }),
    )
    try {
      for (const api of all) expect(await statusOf(api, leaked.key)).toBe(200)
      expect((await manage(one, 'DELETE', `/v1/org/api-keys/${leaked.api_key_id}`, { bearer })).status).toBe(204)
      expect(await statusOf(one, leaked.key)).toBe(401)
      // The clock stands still: nothing but the bus can tell the second instance, and nothing tells the third.
      await untilRefused(two, leaked.key)
      nowMs = NOON_MS + 4_999
      expect(await statusOf(deaf, leaked.key)).toBe(200)
      nowMs = NOON_MS + 5_000
      expect(await statusOf(deaf, leaked.key)).toBe(401)
    } finally {
      isOver = true
      await Promise.all(load)
    }
    expect(disturbed).toEqual([])
    for (const api of all) expect([await statusOf(api, leaked.key), await statusOf(api, good.key)]).toEqual([401, 200])
  })
})

describe('while Redis is down', () => {
  it('requests pass without a limit and are measured, a revocation is seen within five seconds, and all is well when it is back', async () => {
    const { access_token: bearer } = await memberOf(one, 'down')
    const [leaked, good] = [await keyOf(one, 'down'), await keyOf(one, 'down')]
    for (const api of [one, two]) for (const { key } of [leaked, good]) expect(await statusOf(api, key)).toBe(200)
    await redis.kill()

    const { status, headers } = await use(one, good.key)
    expect([status, headers['ratelimit-limit']]).toEqual([200, '120'])
    expect(await one.metrics.registry.metrics()).toMatch(/orrery_api_limiter_failures_total [1-9]/)
    expect((await manage(one, 'DELETE', `/v1/org/api-keys/${leaked.api_key_id}`, { bearer })).status).toBe(204)
    expect(await one.metrics.registry.metrics()).toMatch(/orrery_api_bus_failures_total [1-9]/)
    expect(await statusOf(one, leaked.key)).toBe(401)
    nowMs = NOON_MS + 4_999
    expect(await statusOf(two, leaked.key)).toBe(200)
    nowMs = NOON_MS + 5_000
    expect(await statusOf(two, leaked.key)).toBe(401)
    for (const api of [one, two]) expect(await statusOf(api, good.key)).toBe(200)

    // Guessing is counted by each instance for itself.
    for (let n = 0; n < 10; n++) await logIn(one, 'unknown@example.org', 'a wrong password')
    expect((await logIn(one, 'unknown@example.org')).status).toBe(429)

    await redis.restart()
    for (const api of [one, two]) await untilCounted(api, good.key)
    const fresh = await keyOf(one, 'down')
    expect(await statusOf(two, fresh.key)).toBe(200)
    await manage(one, 'DELETE', `/v1/org/api-keys/${fresh.api_key_id}`, { bearer })
    await untilRefused(two, fresh.key)
  })
})

describe('while PostgreSQL is down', () => {
  it('what is remembered is served for five seconds, then everything is 503; afterwards it goes on', async () => {
    const key = await keyOf(one, 'without-database')
    const { access_token: bearer } = await memberOf(one, 'without-database')
    expect(await statusOf(one, key.key)).toBe(200)
    await postgres.kill()
    expect(await statusOf(one, key.key)).toBe(200)
    nowMs += 5_000
    for (const answer of [await use(one, key.key), await manage(one, 'GET', '/v1/org', { bearer })]) {
      expect([answer.status, answer.body?.error?.code, answer.headers['retry-after']]).toEqual([503, 'unavailable', '2'])
      expect(answer.body?.error?.message).not.toMatch(/127\.0\.0\.1|test_1/)
    }
    await postgres.restart()
    expect(await statusOf(one, key.key)).toBe(200)
    expect((await manage(one, 'GET', '/v1/org', { bearer })).status).toBe(200)
  })

  it('requests that run meanwhile get their answer or 503, never a word against their credential, and what was acknowledged is there', async () => {
    const { access_token: bearer } = await memberOf(one, 'steadfast')
    const key = await keyOf(one, 'steadfast')
    await one.identity.overrideRateLimit(key.organization_id, 1_000_000, TESTER)
    const asked = {
      data: async () => {
        await one.access.authenticator.changed('everything') // or the database would not be asked
        return use(one, key.key)
      },
      managed: () => manage(two, 'GET', '/v1/org', { bearer }),
      made: () => createKey(two, { organization_slug: 'steadfast' }),
    }
    const answers: Record<keyof typeof asked, TestAnswer[]> = { data: [], managed: [], made: [] }
    let isOver = false
    const names = Object.keys(asked) as (keyof typeof asked)[]
    const load = names.map(async (name) => {
      while (!isOver) answers[name].push(await asked[name]())
    })
    const untilEachEndsWith = async (good: boolean) => {
      while (!names.every((name) => (answers[name].at(-1)?.status ?? 0) < 300 === good && answers[name].length > 0)) await delay(5)
    }
    try {
      await untilEachEndsWith(true)
      await postgres.kill()
      await untilEachEndsWith(false)
      await postgres.restart()
      await untilEachEndsWith(true)
    } finally {
      isOver = true
      await Promise.all(load)
    }
    for (const [name, good] of Object.entries({ data: 200, managed: 200, made: 201 })) {
      const all = answers[name as keyof typeof asked]
      expect([...new Set(all.map(({ status }) => status))].sort()).toEqual([good, 503])
      for (const { body, headers } of all.filter(({ status }) => status === 503))
        expect([body?.error?.code, headers['retry-after']]).toEqual(['unavailable', '2'])
    }
    const acknowledged = answers.made.flatMap(({ status, json }) => (status === 201 ? [(json as CreatedKey).api_key_id] : []))
    const stored = (await one.identity.apiKeys(key.organization_id)).map(({ id }) => id)
    expect(stored).toEqual(expect.arrayContaining(acknowledged))
  })
})
