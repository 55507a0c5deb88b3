// Limits wrong passwords of an account. Ten failures lock it for the address that made them, for 15 minutes. After a hundred from any
// addresses, all addresses that never logged in to it share one attempt a minute, for 24 hours: guessing slows down, and the owner, at a
// known address, is not delayed.
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
const UNKNOWN_ADDRESS_WINDOW_SECONDS = 60

export type LoginLimit = 'account_at_address' | 'account'

export interface LoginAttempt {
  readonly email: string
  /** As failures are counted: an IPv4 address, or the first 64 bits of IPv6. */
  readonly address: string
  readonly facts: LoginFacts
}

export interface LoginFailure {
  /** Null while the answer may be "wrong password"; else the client must wait. Of many at once, only the first ones get that answer. */
  readonly wait: Wait | null
  /** Limits that this failure reached. */
  readonly reached: readonly LoginLimit[]
}

export interface LoginLimiter {
  /** Null: the password may be checked now. Takes the one attempt a minute where only that is left. */
  admit(attempt: LoginAttempt): Promise<Wait | null>
  /** Counts a wrong password. */
  fail(attempt: LoginAttempt): Promise<LoginFailure>
  /** The right password came. Resets the count of this address. */
  succeed(attempt: LoginAttempt): Promise<void>
}

/** `counterOf` opens a counter with a name of its own and a window in seconds. */
export function loginLimiter(counterOf: (of: string, windowSeconds: number) => WindowCounter): LoginLimiter {
  const atAddress = failureLimiter(counterOf('logins', FAILURE_WINDOW_SECONDS), FAILURES_OF_ACCOUNT_AT_ADDRESS)
  const anywhere = failureLimiter(counterOf('accounts', ACCOUNT_WINDOW_SECONDS), FAILURES_OF_ACCOUNT)
  const unknownAddresses = throttle(counterOf('unknown_addresses', UNKNOWN_ADDRESS_WINDOW_SECONDS))
  return {
    async admit(attempt) {
      const locked = await atAddress.wait(pairOf(attempt))
      if (locked !== null) return locked
      const account = accountOf(attempt)
      if (attempt.facts.isKnownAddress || (await anywhere.wait(account)) === null) return null
      return unknownAddresses.take(account)
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

/** A digest, because other programs may read the Redis. The number of unlocks is part of it, so an unlock begins new counts everywhere. */
function accountOf({ email, facts }: LoginAttempt): string {
  return createHash('sha256').update(`${facts.unlocks} ${email.trim().toLowerCase()}`).digest('hex')
}

function pairOf(attempt: LoginAttempt): string {
  return `${accountOf(attempt)} ${attempt.address}`
}
