// How often an account may be guessed at. Ten failures lock it for the address that made them. A hundred from anywhere leave one try a minute to
// all addresses together that never logged in to it: guessing slows down, and the owner, at an address of the owner's, is not held up.
// E-mail addresses without an account are counted in the same way, so limits do not reveal which accounts exist.

import { createHash } from 'node:crypto'
import { FAILURE_WINDOW_SECONDS, failureLimiter, throttle, type Wait } from './failure-limiter.ts'
import type { LoginFacts } from './identity.ts'
import type { WindowCounter } from './window-counter.ts'

/** Of one account from one address, in 15 minutes. */
export const FAILURES_OF_ACCOUNT_AT_ADDRESS = 10
/** Of one account from anywhere, in 24 hours. */
export const FAILURES_OF_ACCOUNT = 100
export const ACCOUNT_WINDOW_SECONDS = 24 * 3600
const STRANGER_WINDOW_SECONDS = 60

export type LoginLimit = 'account_at_address' | 'account'

export interface LoginAttempt {
  readonly email: string
  /** As failures are counted: an IPv4 address, or the first 64 bits of IPv6. */
  readonly address: string
  readonly facts: LoginFacts
}

export interface LoginFailure {
  /** Null while the answer may say that it was wrong: of many at once, the first ones are answered so. */
  readonly wait: Wait | null
  /** Limits that this very failure reached. */
  readonly reached: readonly LoginLimit[]
}

export interface LoginLimiter {
  /** Null: the password may be checked now. Where one try a minute is left, this takes it. */
  admit(attempt: LoginAttempt): Promise<Wait | null>
  /** Counts a wrong password. */
  fail(attempt: LoginAttempt): Promise<LoginFailure>
  /** The right password came. What was wrong before, from this address, was a typo. */
  succeed(attempt: LoginAttempt): Promise<void>
}

/** `counterOf` opens a counter with a name of its own and a window in seconds. */
export function loginLimiter(counterOf: (of: string, windowSeconds: number) => WindowCounter): LoginLimiter {
  const atAddress = failureLimiter(counterOf('logins', FAILURE_WINDOW_SECONDS), FAILURES_OF_ACCOUNT_AT_ADDRESS)
  const anywhere = failureLimiter(counterOf('accounts', ACCOUNT_WINDOW_SECONDS), FAILURES_OF_ACCOUNT)
  const strangers = throttle(counterOf('unknown_addresses', STRANGER_WINDOW_SECONDS))
  return {
    async admit(attempt) {
      const locked = await atAddress.wait(pairOf(attempt))
      if (locked !== null) return locked
      const account = accountOf(attempt)
      if (attempt.facts.isKnownAddress || (await anywhere.wait(account)) === null) return null
      return strangers.take(account)
    },
    async fail(attempt) {
      const pair = await atAddress.fail(pairOf(attempt))
      const account = await anywhere.fail(accountOf(attempt))
      const reached: LoginLimit[] = []
      if (pair.isLimitReached) reached.push('account_at_address')
      if (account.isLimitReached) reached.push('account')
      return { wait: pair.wait, reached }
    },
    succeed: (attempt) => atAddress.forgive(pairOf(attempt)),
  }
}

/** A digest: counts may lie in a Redis that others read. The number of unlocks is part of it, so an unlock begins new counts everywhere. */
function accountOf({ email, facts }: LoginAttempt): string {
  return createHash('sha256').update(`${facts.unlocks} ${email.trim().toLowerCase()}`).digest('hex')
}

function pairOf(attempt: LoginAttempt): string {
  return `${accountOf(attempt)} ${attempt.address}`
}
