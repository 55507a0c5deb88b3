// Who asks (401), and whether their organization may ask now (429). The order matters: only a good key uses up its organization's minute,
// and only a wrong key uses up its address's patience.

import { OrreryError } from '@orrery/errors'
import { type Caller, type FailureLimiter, type Identity, type RateLimiter, WINDOW_SECONDS } from '@orrery/identity'
import type { Logger, Metrics } from '@orrery/service-kit'
import { refuse } from '../errors.ts'
import type { ApiContext, ApiMiddleware } from './request-state.ts'

export interface Gate {
  readonly identity: Identity
  readonly rateLimiter: RateLimiter
  readonly failureLimiter: FailureLimiter
  readonly logger: Logger
  readonly metrics: Metrics
}

export function requireApiKey(gate: Gate): ApiMiddleware {
  return async (ctx, next) => {
    // Whatever the answer is, it is an answer to this key.
    ctx.vary('x-service-api-key')
    const caller = await callerOf(ctx, gate)
    await takeFromMinute(ctx, caller, gate)
    return next()
  }
}

async function callerOf(ctx: ApiContext, { identity, failureLimiter }: Gate): Promise<Caller> {
  const key = ctx.get('x-service-api-key')
  const caller = key === '' ? null : await identity.callerOf(key)
  if (caller !== null) return caller
  // A forgotten key is no guess: only a wrong one counts.
  const wait = key === '' ? null : await failureLimiter.fail(ctx.ip)
  if (wait !== null) {
    const message =
      'Too many wrong API keys came from this address. Wait for the seconds in `Retry-After`; a right key is served meanwhile.'
    throw new OrreryError('rate_limited', 'rate_limited', message, { context: { retryAfterSeconds: wait.retryAfterSeconds } })
  }
  const bearer = ctx.get('authorization') === '' ? '' : ' The credential in `authorization` is not accepted by data endpoints.'
  throw refuse('unauthorized', `Missing or invalid API key. Send a valid one in the header \`x-service-api-key\`.${bearer}`)
}

/** Every answer to a key says what is left of its organization's minute. */
async function takeFromMinute(ctx: ApiContext, caller: Caller, { rateLimiter, logger, metrics }: Gate): Promise<void> {
  const allowance = await rateLimiter.take(caller.organizationId, caller.requestsPerMinute).catch((error: unknown) => {
    // The limiter protects the service from one caller; failing closed would turn its own trouble into an outage for all.
    metrics.apiLimiterFailures.inc()
    logger.warn({ err: error, requestId: ctx.state.requestId }, 'Let a request pass uncounted: the rate limiter failed')
    return null
  })
  if (allowance === null) return
  ctx.set({
    'ratelimit-limit': String(allowance.limit),
    'ratelimit-remaining': String(allowance.remaining),
    'ratelimit-reset': String(allowance.resetSeconds),
    'ratelimit-policy': `${allowance.limit};w=${WINDOW_SECONDS}`,
  })
  if (allowance.allowed) return
  const message = `Your organization has used its ${allowance.limit} requests of this minute. Wait for the seconds in \`Retry-After\`.`
  throw new OrreryError('rate_limited', 'rate_limited', message, { context: { retryAfterSeconds: allowance.resetSeconds } })
}
