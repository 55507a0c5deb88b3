// Limits on guessing passwords: by account and address, by account, by address; what is logged, and what ends them.

import { BlockList } from 'node:net'
import type { FailureLimiter, Identity } from '@orrery/identity'
import { createLogger } from '@orrery/service-kit'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { limitConcurrency } from '../limit-concurrency.ts'
import { startTestApi, TESTER, type TestApi, type TestApiOptions } from '../testing/start-test-api.ts'
import { echo } from '../testing/toy-routes.ts'
import { NO_FAILURE_LIMIT } from './testing/no-limits.ts'
import { logIn, manage, memberOf } from './testing/requests.ts'

const HOME = '198.51.100.1'
const strangers = (count: number) => Array.from({ length: count }, (_, n) => `203.0.113.${n}`)
const proxies = new BlockList()
proxies.addAddress('127.0.0.1')

// Guesses take as long as the machine takes to check a password: meanwhile the windows stand still.
let nowMs = 0
const clock = { nowMs: () => nowMs }
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1, 12)
})
const later = (seconds: number) => {
  nowMs += seconds * 1000
}

/** An API that believes `x-forwarded-for`, and the log lines at `warn`. */
async function guessedApi(options: Partial<TestApiOptions> = {}): Promise<{ readonly api: TestApi; readonly warnings: readonly object[] }> {
  const warnings: object[] = []
  const to = { write: (line: string) => void warnings.push(JSON.parse(line)) }
  const logger = createLogger({ name: 'api', level: 'warn', json: true, to })
  return { api: await startTestApi({ routes: [echo], trustedProxies: proxies, logger, clock, ...options }), warnings }
}

async function guess(api: TestApi, email: string, times: number, from: string): Promise<number[]> {
  const statuses: number[] = []
  for (let n = 0; n < times; n++) statuses.push((await logIn(api, email, `guess number ${n}`, from)).status)
  return statuses
}

/**
 * A hundred wrong passwords, from ten addresses. Of each, the check of the password is left out: it takes as long as it is meant to, and other tests
 * of this file make it.
 */
async function guessFromStrangers(api: TestApi, email: string): Promise<void> {
  const unchecked = vi.spyOn(api.identity, 'userOfPassword').mockResolvedValue(null)
  for (const from of strangers(10)) expect(await guess(api, email, 10, from)).toEqual(Array(10).fill(401))
  expect(unchecked).toHaveBeenCalledTimes(100)
  unchecked.mockRestore()
}

async function logOf(identity: Identity, slug: string) {
  const { id } = (await identity.organizationBySlug(slug)) ?? { id: '' }
  return identity.auditLog(id, 1000)
}

describe('ten wrong passwords for an account', () => {
  it('ten wrong passwords lock an account for the address that sent them, also for the right password, and for no other address', async () => {
    const { api, warnings } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'guessed')
    for (const account of [email, 'unknown@example.org']) {
      expect(await guess(api, account, 11, '203.0.113.1')).toEqual([...Array(10).fill(401), 429])
      const held = await logIn(api, ` ${account.toUpperCase()}`, undefined, '203.0.113.1')
      expect([held.status, held.body?.error?.code, held.headers['retry-after']]).toEqual([429, 'rate_limited', '900'])
      expect((await logIn(api, account, 'a wrong password', HOME)).status).toBe(401)
    }
    expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    const user = await api.identity.userByEmail(email)
    const expected = { level: 40, limit: 'account_at_address', address: '203.0.113.1' }
    expect(warnings).toMatchObject([
      { ...expected, userId: user?.id },
      { ...expected, userId: null },
    ])
    later(900)
    expect((await logIn(api, email, undefined, '203.0.113.1')).status).toBe(200)
  })

  it('the lock lasts 15 minutes from the tenth wrong password, however long the first nine took', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'slowly')
    expect(await guess(api, email, 9, '203.0.113.1')).toEqual(Array(9).fill(401))
    later(899)
    expect(await guess(api, email, 1, '203.0.113.1')).toEqual([401])
    later(899)
    const held = await logIn(api, email, undefined, '203.0.113.1')
    expect([held.status, held.headers['retry-after']]).toEqual([429, '1'])
    later(1)
    expect((await logIn(api, email, undefined, '203.0.113.1')).status).toBe(200)
  })

  it('a client sees no difference between an account, a disabled account and an e-mail address without an account', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const [ann, bob] = [(await memberOf(api, 'seen')).email, (await memberOf(api, 'disabled')).email]
    await api.identity.disableUser((await api.identity.userByEmail(bob))?.id ?? '', true, TESTER)
    const checked = vi.spyOn(api.identity, 'userOfPassword')
    const seen = async (email: string, from: string) => {
      const answers: unknown[] = []
      checked.mockClear()
      for (let n = 0; n < 12; n++) {
        const { status, headers, body } = await logIn(api, email, 'a wrong password', from)
        // The length differs by the digits of the response time alone: everything else of the body is compared.
        const { date: _date, 'x-request-id': _id, 'content-length': _length, ...others } = headers
        const { response_time_ms: _ms, ...meta } = body?.meta ?? { response_time_ms: 0 }
        answers.push([status, others, body?.error, meta, checked.mock.calls.length])
      }
      return answers
    }
    const ofAccount = await seen(ann, '203.0.113.1')
    expect(ofAccount.at(-1)).toMatchObject([429, { 'retry-after': '900' }, { code: 'rate_limited' }, { last_indexed_ledger: null }, 10])
    expect(await seen(bob, '203.0.113.2')).toEqual(ofAccount)
    expect(await seen('unknown@example.org', '203.0.113.3')).toEqual(ofAccount)
  })

  it('wrong passwords between right ones do not lock an account', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'typing')
    for (let round = 0; round < 2; round++) {
      expect(await guess(api, email, 9, HOME)).toEqual(Array(9).fill(401))
      expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    }
  })

  it('simultaneous guesses do not exceed the limit', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'crowded')
    const answers = await Promise.all(Array.from({ length: 30 }, (_, n) => logIn(api, email, `guess number ${n}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array(10).fill(401), ...Array(20).fill(429)])
  })

  it('the audit log of the organization has the wrong passwords with address and limit, and no password', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'audited')
    await guess(api, email, 10, '203.0.113.1')
    await guess(api, 'unknown@example.org', 2, '203.0.113.1')
    await api.access.failedLogins.write()
    const log = (await logOf(api.identity, 'audited')).filter(({ action }) => action === 'login.fail')
    expect(log).toHaveLength(10)
    const user = await api.identity.userByEmail(email)
    const by = { kind: 'system', id: 'api', address: '203.0.113.1' }
    expect(log[0]).toMatchObject({ by, target: user?.id, details: { reached: ['account_at_address'] } })
    expect(log[1]).toMatchObject({ by, details: { reached: [] } })
    expect(JSON.stringify(log)).not.toContain('guess number')
  })

  it('the audit log has the wrong password with which an address reached its limit, and every limit is logged once', async () => {
    const { api, warnings } = await guessedApi()
    await using _ = api
    const emails: string[] = []
    for (let n = 0; n < 5; n++) emails.push((await memberOf(api, `one-of-five-${n}`)).email)
    const unchecked = vi.spyOn(api.identity, 'userOfPassword').mockResolvedValue(null)
    for (const email of emails) expect(await guess(api, email, 11, '203.0.113.1')).toEqual([...Array(10).fill(401), 429])
    expect(unchecked).toHaveBeenCalledTimes(50)
    // One login a second from now on; its wrong password is counted, and no limit is reached again.
    for (let n = 0; n < 3; n++) {
      later(1)
      expect(await guess(api, 'unknown@example.org', 2, '203.0.113.1')).toEqual([429, 429])
    }
    expect(unchecked).toHaveBeenCalledTimes(53)
    await api.access.failedLogins.write()
    const [last] = (await logOf(api.identity, 'one-of-five-4')).filter(({ action }) => action === 'login.fail')
    expect(last).toMatchObject({ details: { reached: ['account_at_address', 'address'] } })
    const lines = warnings.map((line) => ('limit' in line ? line.limit : 'failures' in line ? line.failures : line))
    expect(lines.toSorted()).toEqual([50, ...Array(5).fill('account_at_address')])
  })

  it('a wrong password that arrives while the account is being locked counts for its address, too', async () => {
    const { api } = await guessedApi()
    await using _ = api
    await memberOf(api, 'in-the-meantime')
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    const fails = vi.spyOn(api.access.failures, 'fail')
    const email = 'in-the-meantime@example.org'
    expect(await guess(api, email, 9, HOME)).toEqual(Array(9).fill(401))
    let running = 0
    vi.spyOn(api.identity, 'userOfPassword').mockImplementation(async () => {
      running += 1
      if (running === 2) begun.resolve()
      await goOn.promise
      return null
    })
    const both = [logIn(api, email, 'a wrong password', HOME), logIn(api, email, 'another wrong one', HOME)]
    await begun.promise
    goOn.resolve()
    expect((await Promise.all(both)).map(({ status }) => status).toSorted()).toEqual([401, 429])
    expect(fails).toHaveBeenCalledTimes(11)
  })
})

describe('a hundred wrong passwords for an account within a day', () => {
  it('a hundred wrong passwords for an account within a day leave strange addresses one try a minute together, and do not hold up an address that has logged in before', async () => {
    const { api, warnings } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'known')
    expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    for (const account of [email, 'unknown@example.org']) {
      await guessFromStrangers(api, account)
      expect((await logIn(api, account, 'a wrong password', '192.0.2.1')).status).toBe(401)
      const held = await logIn(api, account, undefined, '192.0.2.2')
      expect([held.status, held.headers['retry-after']]).toEqual([429, '60'])
      later(60)
      expect((await logIn(api, account, 'a wrong password', '192.0.2.2')).status).toBe(401)
      expect((await logIn(api, account, undefined, '192.0.2.3')).status).toBe(429)
    }
    for (let n = 0; n < 2; n++) expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    expect(await guess(api, email, 2, HOME)).toEqual([401, 401])
    expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    later(60)
    // A right password makes a strange address a known one.
    for (let n = 0; n < 2; n++) expect((await logIn(api, email, undefined, '192.0.2.2')).status).toBe(200)
    expect(warnings.filter((line) => 'limit' in line && line.limit === 'account')).toHaveLength(2)
    later(24 * 3600)
    for (const from of ['192.0.2.4', '192.0.2.5']) expect((await logIn(api, email, 'a wrong password', from)).status).toBe(401)
  })
})

describe('an unlock by the operator', () => {
  it('an unlock by the operator ends both limits of an account at once', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'unlocked')
    await guessFromStrangers(api, email)
    await logIn(api, email, 'a wrong password', '192.0.2.1')
    expect((await logIn(api, email, undefined, '192.0.2.1')).status).toBe(429)
    expect((await logIn(api, email, undefined, '203.0.113.1')).status).toBe(429)
    const user = await api.identity.userByEmail(email)
    await api.identity.unlockLogins(user?.id ?? '', TESTER)
    for (const from of ['192.0.2.1', '203.0.113.1']) expect((await logIn(api, email, undefined, from)).status).toBe(200)
    expect((await logOf(api.identity, 'unlocked')).map(({ action }) => action)).toContain('user.unlock')
  })
})

describe('fifty wrong credentials from an address', () => {
  it('after fifty wrong credentials an address has one login per second; no further password is checked', async () => {
    const { api, warnings } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'right')
    for (let n = 0; n < 50; n++)
      expect((await manage(api, 'POST', '/v1/auth/refresh', { json: { refresh_token: 'wrong' } })).status).toBe(401)
    expect(warnings).toMatchObject([{ level: 40, address: '127.0.0.1', failures: 50 }])
    const checked = vi.spyOn(api.identity, 'userOfPassword')
    expect((await logIn(api, 'unknown@example.org')).status).toBe(429)
    expect(checked).toHaveBeenCalledTimes(1)
    const held = await logIn(api, email)
    expect([held.status, held.headers['retry-after']]).toEqual([429, '1'])
    expect(checked).toHaveBeenCalledTimes(1)
    later(1)
    expect((await logIn(api, email)).status).toBe(200)
    expect((await manage(api, 'GET', '/v1/org', { bearer: 'wrong' })).status).toBe(429)
    expect((await manage(api, 'GET', '/v1/org')).status).toBe(401)
    expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
  })
})

describe('a flood of logins', () => {
  const overLimit: FailureLimiter = { ...NO_FAILURE_LIMIT, wait: async () => ({ retryAfterSeconds: 900 }) }
  const always = { take: async () => null }

  it('logins from addresses with too many wrong credentials wait in a separate queue', async () => {
    const access = { failures: overLimit, suspectLogins: always, suspectPasswords: limitConcurrency(0, 1) }
    const lines: Record<string, unknown>[] = []
    const logger = createLogger({ name: 'api', level: 'info', json: true, to: { write: (line) => void lines.push(JSON.parse(line)) } })
    await using flooded = await startTestApi({ routes: [echo], deadlineMs: 50, access, logger })
    expect((await logIn(flooded, 'anna@example.org')).status).toBe(504)
    // Any caller can bring this about: one line below `warn`, without a stack.
    expect(lines).toMatchObject([{ level: 30, route: '/v1/auth/login', status: 504 }])
    expect(JSON.stringify(lines)).not.toMatch(/stack|limit-concurrency/)
  })

  it('logins that arrived before the first ones were counted move to that queue, too', async () => {
    const answers = [null, { retryAfterSeconds: 900 }]
    const counting: FailureLimiter = { ...NO_FAILURE_LIMIT, wait: async () => answers.shift() ?? null }
    const access = { failures: counting, suspectLogins: always, suspectPasswords: limitConcurrency(0, 0) }
    await using flooded = await startTestApi({ routes: [echo], access })
    expect((await logIn(flooded, 'anna@example.org')).status).toBe(429)
  })

  it('the right password from such an address is still accepted', async () => {
    const access = { failures: overLimit, suspectLogins: always, passwords: limitConcurrency(0, 10) }
    await using flooded = await startTestApi({ routes: [echo], access })
    expect(await memberOf(flooded, 'acme')).toMatchObject({ expires_in: 900 })
  })

  it.each(['passwords', 'suspectPasswords'] as const)('a login is refused at once if the queue of `%s` is full', async (line) => {
    const failures = line === 'passwords' ? NO_FAILURE_LIMIT : overLimit
    const access = { failures, suspectLogins: always, [line]: limitConcurrency(0, 0) }
    await using flooded = await startTestApi({ routes: [echo], access })
    const refused = await logIn(flooded, 'anna@example.org')
    expect([refused.status, refused.headers['retry-after']]).toEqual([429, '2'])
  })

  it('a flood from one address leaves places in the queue for logins from others', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'reserved')
    const begun = Promise.withResolvers<void>()
    const goOn = Promise.withResolvers<void>()
    let running = 0
    const checked = vi.spyOn(api.identity, 'userOfPassword').mockImplementation(async () => {
      running += 1
      if (running === 2) begun.resolve()
      await goOn.promise
      return null
    })
    const statuses: number[] = []
    const flood = Array.from({ length: 300 }, async (_, n) => {
      const { status } = await logIn(api, `unknown-${n}@example.org`, 'a wrong password', HOME)
      statuses.push(status)
    })
    await begun.promise
    try {
      // Two are checked and 20 wait; the others are refused while nothing moves.
      await expect.poll(() => statuses.length, { timeout: 20_000 }).toBe(278)
      expect(new Set(statuses)).toEqual(new Set([429]))
      checked.mockRestore()
      const other = logIn(api, email, undefined, '192.0.2.9')
      goOn.resolve()
      expect((await other).status).toBe(200)
    } finally {
      goOn.resolve()
    }
    await Promise.all(flood)
  })

  it('of six hundred simultaneous logins from one address fewer than a hundred passwords are checked, and every response is 401 or 429', async () => {
    const { api } = await guessedApi()
    await using _ = api
    const { email } = await memberOf(api, 'shared')
    const checked = vi.spyOn(api.identity, 'userOfPassword')
    const flood = await Promise.all(Array.from({ length: 600 }, (_, n) => logIn(api, `unknown-${n}@example.org`, 'a wrong password', HOME)))
    // How many come in depends on how fast the line moves: an address has 20 places in it.
    const wrong = flood.filter(({ status }) => status === 401).length
    expect(wrong).toBeLessThanOrEqual(50)
    expect(flood.filter(({ status }) => status === 429)).toHaveLength(600 - wrong)
    expect(checked.mock.calls.length).toBeLessThan(100)
    for (let n = wrong; n < 50; n++) expect((await logIn(api, `late-${n}@example.org`, 'a wrong password', HOME)).status).toBe(401)
    later(1)
    expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    const honest = await logIn(api, email, undefined, HOME)
    expect([honest.status, honest.headers['retry-after']]).toEqual([429, '1'])
    later(1)
    expect((await logIn(api, email, undefined, HOME)).status).toBe(200)
    expect((await logIn(api, email, undefined, '192.0.2.9')).status).toBe(200)
  })
})
