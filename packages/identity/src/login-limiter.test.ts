import { beforeEach, expect, it } from 'vitest'
import { type LoginAttempt, type LoginLimiter, loginLimiter } from './login-limiter.ts'
import { memoryCounter } from './window-counter.ts'

const HOME = '198.51.100.1'
const ANN = 'ann@example.org'
const NO_FAILURE = { wait: null, reached: [] }
const LOCKED = { wait: { retryAfterSeconds: 900 }, reached: [] }

let nowMs = 0
let limiter: LoginLimiter
beforeEach(() => {
  nowMs = Date.UTC(2026, 0, 1, 12)
  limiter = loginLimiter((_, windowSeconds) => memoryCounter({ windowSeconds }, () => nowMs))
})
const later = (seconds: number) => {
  nowMs += seconds * 1000
}

/** Of an account that exists, or of an e-mail address without one. */
const attemptOf = (email: string, address: string, facts: Partial<LoginAttempt['facts']> = {}): LoginAttempt => ({
  email,
  address,
  facts: { userId: email === ANN ? 'the id of ann' : null, unlocks: 0, isKnownAddress: false, ...facts },
})

/** Ten wrong passwords from each of ten addresses. */
async function failHundredTimes(email: string): Promise<void> {
  for (let n = 0; n < 100; n++) {
    const { reached } = await limiter.fail(attemptOf(email, `203.0.113.${n % 10}`))
    expect(reached).toEqual([...(n >= 90 ? ['account_at_address'] : []), ...(n === 99 ? ['account'] : [])])
  }
}

it.each([ANN, 'unknown@example.org'])('ten failures lock %s for their address alone, for 15 minutes from the tenth', async (email) => {
  const attempt = attemptOf(email, '203.0.113.1')
  for (let n = 0; n < 9; n++) expect(await limiter.fail(attempt)).toEqual(NO_FAILURE)
  later(14 * 60)
  expect(await limiter.admit(attempt)).toBeNull()
  expect(await limiter.fail(attempt)).toEqual({ wait: null, reached: ['account_at_address'] })
  expect(await limiter.admit(attempt)).toEqual({ retryAfterSeconds: 900 })
  expect(await limiter.admit(attemptOf(` ${email.toUpperCase()}`, '203.0.113.1'))).toEqual({ retryAfterSeconds: 900 })
  // One that was admitted before the tenth was counted. The limit is reported once.
  expect(await limiter.fail(attempt)).toEqual(LOCKED)
  expect(await limiter.admit(attemptOf(email, '203.0.113.2'))).toBeNull()
  later(899)
  expect(await limiter.admit(attempt)).toEqual({ retryAfterSeconds: 1 })
  later(1)
  expect(await limiter.admit(attempt)).toBeNull()
})

it('an address that logged in to an account before is locked for it by ten failures as well, and a right password resets the count', async () => {
  const attempt = attemptOf(ANN, HOME, { isKnownAddress: true })
  for (let n = 0; n < 9; n++) await limiter.fail(attempt)
  await limiter.succeed(attempt)
  for (let n = 0; n < 9; n++) expect(await limiter.fail(attempt)).toEqual(NO_FAILURE)
  expect(await limiter.fail(attempt)).toEqual({ wait: null, reached: ['account_at_address'] })
  expect(await limiter.admit(attempt)).toEqual({ retryAfterSeconds: 900 })
})

it.each([ANN, 'unknown@example.org'])(
  'a hundred failures for %s leave unknown addresses one attempt a minute together, for 24 hours from the hundredth',
  async (email) => {
    await failHundredTimes(email)
    const [one, two] = [attemptOf(email, '192.0.2.1'), attemptOf(email, '192.0.2.2')]
    expect(await limiter.admit(one)).toBeNull()
    expect(await limiter.admit(two)).toEqual({ retryAfterSeconds: 60 })
    later(59)
    expect(await limiter.admit(one)).toEqual({ retryAfterSeconds: 1 })
    later(1)
    expect([await limiter.admit(two), await limiter.admit(one)]).toEqual([null, { retryAfterSeconds: 60 }])
    expect(await limiter.fail(two)).toEqual(NO_FAILURE)
    later(24 * 3600 - 61)
    expect([await limiter.admit(one), await limiter.admit(one)]).toEqual([null, { retryAfterSeconds: 60 }])
    later(1)
    for (let n = 0; n < 3; n++) expect(await limiter.admit(one)).toBeNull()
  },
)

it('a hundred failures do not hold up addresses that logged in to the account before, nor other accounts', async () => {
  await failHundredTimes(ANN)
  const known = attemptOf(ANN, HOME, { isKnownAddress: true })
  for (let n = 0; n < 3; n++) expect(await limiter.admit(known)).toBeNull()
  expect(await limiter.fail(known)).toEqual(NO_FAILURE)
  for (let n = 0; n < 3; n++) expect(await limiter.admit(attemptOf('bob@example.org', HOME))).toBeNull()
})

it('attempts from a locked address do not take the one attempt a minute', async () => {
  await failHundredTimes(ANN)
  for (let n = 0; n < 3; n++) expect(await limiter.admit(attemptOf(ANN, '203.0.113.1'))).toEqual({ retryAfterSeconds: 900 })
  expect(await limiter.admit(attemptOf(ANN, '192.0.2.1'))).toBeNull()
})

it('an unlock ends both limits of its account at once, and no limit of another', async () => {
  await failHundredTimes(ANN)
  for (const address of ['203.0.113.1', '192.0.2.1', '192.0.2.2'])
    expect(await limiter.admit(attemptOf(ANN, address, { unlocks: 1 }))).toBeNull()
  expect(await limiter.admit(attemptOf(ANN, '203.0.113.1'))).toEqual({ retryAfterSeconds: 900 })
})

it('counters are named by digests, because other programs may read the Redis: no name has an e-mail address', async () => {
  const names: string[] = []
  const recorded = loginLimiter((of, windowSeconds) => {
    const counter = memoryCounter({ windowSeconds }, () => nowMs)
    const add = (name: string) => {
      names.push(`${of}:${name}`)
      return counter.add(name)
    }
    return { ...counter, add }
  })
  await recorded.fail(attemptOf(ANN, HOME))
  expect(names).toEqual([expect.stringMatching(/^logins:[0-9a-f]{64} 198\.51\.100\.1$/), expect.stringMatching(/^accounts:[0-9a-f]{64}$/)])
})
