// What all credentials have in common: a wrong one is refused with the name of the right header and counted by its address; a right one
// uses up its organization's minute. The order matters: only a good credential does the latter, only a wrong one the former.

import { OrreryError } from '@orrery/errors'
import { type Allowance, FAILURE_WINDOW_SECONDS, FAILURES_OF_ADDRESS, type Wait, WINDOW_SECONDS } from '@orrery/identity'
import type { Logger, Metrics } from '@orrery/service-kit'
import type { Access } from '../access.ts'
import { countedAddress } from '../client-address.ts'
import type { ApiContext } from './request-state.ts'

export interface Gate {
  readonly access: Access
  readonly logger: Logger
  readonly metrics: Metrics
}

/**
 * What a 401 asks for: RFC 9110, 15.5.2, wants it in a header. A browser knows none of these schemes but `Bearer` and asks nobody for a
 * password then.
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
  /** Whether one was given. A forgotten credential is no guess: only a wrong one counts. */
  readonly given: boolean
  /** Goes to the caller. */
  readonly message: string
}

/** Always throws: 401, or 429 for an address that has sent too many wrong ones. A right credential from there is served meanwhile. */
export async function refuseCredential(
  address: string,
  gate: Pick<Gate, 'access' | 'logger'>,
  { wanted, given, message }: WrongCredential,
): Promise<never> {
  const wait = given ? await countWrong(address, gate) : null
  if (wait === null) {
    // RFC 6750, 3.1: who sent no token is not told that it was wrong.
    const challenge = wanted === 'bearer' && given ? `${CHALLENGES.bearer}, error="invalid_token"` : CHALLENGES[wanted]
    throw new OrreryError('unauthorized', 'unauthorized', message, { context: { challenge } })
  }
  const told = 'Too many wrong credentials came from this address. Wait for the seconds in `Retry-After`; a right one is served meanwhile.'
  throw tooMany(told, wait.retryAfterSeconds)
}

/** Counts a wrong credential. Null while the answer may say that it was wrong. */
export async function countWrong(address: string, { access, logger }: Pick<Gate, 'access' | 'logger'>): Promise<Wait | null> {
  const { wait, isLimitReached } = await access.failures.fail(countedAddress(address))
  if (isLimitReached) {
    const facts = { address, failures: FAILURES_OF_ADDRESS, windowSeconds: FAILURE_WINDOW_SECONDS }
    logger.warn(facts, 'An address has sent too many wrong credentials: further ones get 429, and its logins are limited to one per second')
  }
  return wait
}

export function tooMany(message: string, retryAfterSeconds: number): OrreryError {
  return new OrreryError('rate_limited', 'rate_limited', message, { context: { retryAfterSeconds } })
}

/** Whose minute a request takes from. */
export interface Limited {
  readonly organizationId: string
  readonly requestsPerMinute: number
}

/** Throws 429 when the organization's minute is used up. */
export async function takeFromMinute(ctx: ApiContext, limited: Limited, gate: Gate): Promise<void> {
  const allowance = await countRequest(ctx, limited, gate)
  if (allowance.allowed) return
  throw tooMany(
    `Your organization has used its ${allowance.limit} requests of this minute. Wait for the seconds in \`Retry-After\`.`,
    allowance.resetSeconds,
  )
}

/** Every answer to a key or bearer says what is left of its organization's minute. */
export async function countRequest(ctx: ApiContext, limited: Limited, { access, logger, metrics }: Gate): Promise<Allowance> {
  const { organizationId, requestsPerMinute } = limited
  const allowance = await access.rateLimiter.take(organizationId, requestsPerMinute).catch(async (error: unknown) => {
    // The limiter protects the service from one caller; failing closed would turn its own trouble into an outage for all.
    metrics.apiLimiterFailures.inc()
    logger.debug({ err: error, requestId: ctx.state.requestId }, 'Let a request pass without a limit: the rate limiter failed')
    // What is told then is what this instance alone has seen; nobody is held to it.
    return { ...(await access.ownRateLimiter.take(organizationId, requestsPerMinute)), allowed: true }
  })
  ctx.set({
    'ratelimit-limit': String(allowance.limit),
    'ratelimit-remaining': String(allowance.remaining),
    'ratelimit-reset': String(allowance.resetSeconds),
    'ratelimit-policy': `${allowance.limit};w=${WINDOW_SECONDS}`,
  })
  return allowance
}
