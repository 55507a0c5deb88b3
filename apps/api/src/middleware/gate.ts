// What all credentials have in common: a wrong one is refused with the name of the right header and counted by its address; a right one
// uses up its organization's minute. The order matters: only a good credential does the latter, only a wrong one the former.

import { OrreryError } from '@orrery/errors'
import { type Allowance, WINDOW_SECONDS } from '@orrery/identity'
import type { Logger, Metrics } from '@orrery/service-kit'
import type { Access } from '../access.ts'
import { countedAddress } from '../client-address.ts'
import { refuse } from '../errors.ts'
import type { ApiContext } from './request-state.ts'

export interface Gate {
  readonly access: Access
  readonly logger: Logger
  readonly metrics: Metrics
}

export interface WrongCredential {
  /** Whether one was given. A forgotten credential is no guess: only a wrong one counts. */
  readonly given: boolean
  /** Goes to the caller. */
  readonly message: string
}

/** Always throws: 401, or 429 for an address that has sent too many wrong ones. A right credential from there is served meanwhile. */
export async function refuseCredential(
  address: string,
  { access }: Pick<Gate, 'access'>,
  { given, message }: WrongCredential,
): Promise<never> {
  const wait = given ? await access.failures.fail(countedAddress(address)) : null
  if (wait === null) throw refuse('unauthorized', message)
  const told = 'Too many wrong credentials came from this address. Wait for the seconds in `Retry-After`; a right one is served meanwhile.'
  throw tooMany(told, wait.retryAfterSeconds)
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
  if (allowance === null || allowance.allowed) return
  throw tooMany(
    `Your organization has used its ${allowance.limit} requests of this minute. Wait for the seconds in \`Retry-After\`.`,
    allowance.resetSeconds,
  )
}

/** Every answer to a key or bearer says what is left of its organization's minute. Null, and no word of it, when nobody could count. */
export async function countRequest(ctx: ApiContext, limited: Limited, { access, logger, metrics }: Gate): Promise<Allowance | null> {
  const { organizationId, requestsPerMinute } = limited
  const allowance = await access.rateLimiter.take(organizationId, requestsPerMinute).catch((error: unknown) => {
    // The limiter protects the service from one caller; failing closed would turn its own trouble into an outage for all.
    metrics.apiLimiterFailures.inc()
    logger.debug({ err: error, requestId: ctx.state.requestId }, 'Let a request pass uncounted: the rate limiter failed')
    return null
  })
  if (allowance === null) return null
  ctx.set({
    'ratelimit-limit': String(allowance.limit),
    'ratelimit-remaining': String(allowance.remaining),
    'ratelimit-reset': String(allowance.resetSeconds),
    'ratelimit-policy': `${allowance.limit};w=${WINDOW_SECONDS}`,
  })
  return allowance
}
