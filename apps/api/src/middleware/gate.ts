// Shared by all credentials: a wrong one is refused with the name of the right header and counted by client address.

import { OrreryError } from '@orrery/errors'
import { FAILURE_WINDOW_SECONDS, FAILURES_OF_ADDRESS, type Failure, type Wait } from '@orrery/identity'
import type { Logger, Metrics } from '@orrery/service-kit'
import type { Access } from '../access.ts'
import { countedAddress } from '../client-address.ts'

export interface Gate {
  readonly access: Access
  readonly logger: Logger
  readonly metrics: Metrics
}

/**
 * Values of the header `www-authenticate`, which RFC 9110, 15.5.2, requires for 401. Browsers support none of these schemes except `Bearer`,
 * so they show no password dialog.
 */
const CHALLENGES = {
  'api-key': 'ApiKey realm="orrery", header="x-service-api-key"',
  bearer: 'Bearer realm="orrery"',
  'admin-token': 'AdminToken realm="orrery", header="x-service-admin-token"',
  password: 'Password realm="orrery"',
  'refresh-token': 'RefreshToken realm="orrery"',
} as const

export interface WrongCredential {
  readonly wanted: keyof typeof CHALLENGES
  /** Whether one was given. A missing credential is not a guess: only a wrong one counts. */
  readonly given: boolean
  /** Sent to the client. */
  readonly message: string
}

/** Always throws: 401, or 429 for an address that has sent too many wrong ones. Valid credentials from that address are still served. */
export async function refuseCredential(address: string, gate: Pick<Gate, 'access' | 'logger'>, wrong: WrongCredential): Promise<never> {
  throw refusalOf(wrong, wrong.given ? (await countWrong(address, gate)).wait : null)
}

/** The error for a wrong credential that is counted already: 401 if `wait` is null, else 429. */
export function refusalOf({ wanted, given, message }: WrongCredential, wait: Wait | null): OrreryError {
  if (wait === null) {
    // RFC 6750, 3.1: a request without a token gets no error code.
    const challenge = wanted === 'bearer' && given ? `${CHALLENGES.bearer}, error="invalid_token"` : CHALLENGES[wanted]
    return new OrreryError('unauthorized', 'unauthorized', message, { context: { challenge } })
  }
  const limited =
    'Too many wrong credentials came from this address. Try again after the number of seconds in `Retry-After`. A valid credential is served at once.'
  return tooMany(limited, wait.retryAfterSeconds)
}

/** Counts a wrong credential of the address. `wait` is null while the response may be 401. */
export async function countWrong(address: string, { access, logger }: Pick<Gate, 'access' | 'logger'>): Promise<Failure> {
  const failure = await access.failures.fail(countedAddress(address))
  if (failure.isLimitReached) {
    const facts = { address, failures: FAILURES_OF_ADDRESS, windowSeconds: FAILURE_WINDOW_SECONDS }
    logger.warn(facts, 'An address has sent too many wrong credentials: further ones get 429, and its logins are limited to one per second')
  }
  return failure
}

export function tooMany(message: string, retryAfterSeconds: number): OrreryError {
  return new OrreryError('rate_limited', 'rate_limited', message, { context: { retryAfterSeconds } })
}
