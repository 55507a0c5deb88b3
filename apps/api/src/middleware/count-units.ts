// Units of an organization's minute: one for each request, taken when its credential is known.

import { type Allowance, WINDOW_SECONDS } from '@orrery/identity'
import { BASE_COST } from '../request-cost.ts'
import { type Gate, tooMany } from './gate.ts'
import type { ApiContext, Limited } from './request-state.ts'

/** Throws 429 if the organization has used its units of this minute. */
export async function takeFromMinute(ctx: ApiContext, limited: Limited, gate: Gate): Promise<void> {
  const allowance = await countRequest(ctx, limited, gate)
  if (allowance.allowed) return
  throw tooMany(
    `Your organization has used its ${allowance.limit} units of this minute. Try again after the number of seconds in \`Retry-After\`.`,
    allowance.resetSeconds,
  )
}

/** Counts a request, takes `BASE_COST` and sets the rate-limit headers. */
export async function countRequest(ctx: ApiContext, limited: Limited, gate: Gate): Promise<Allowance> {
  const { organizationId, requestsPerMinute } = limited
  const { rateLimiter, ownRateLimiter, usage } = gate.access
  usage.add(limited, { requests: 1, cost: BASE_COST })
  let isShared = true
  const allowance = await rateLimiter.take(organizationId, requestsPerMinute).catch(async (error: unknown) => {
    reportLimiterFailure(ctx, error, gate)
    isShared = false
    // The headers then show the counts of this instance only, and no request is refused.
    return { ...(await ownRateLimiter.take(organizationId, requestsPerMinute)), allowed: true }
  })
  ctx.state.counted = { limited, allowance, isShared }
  showAllowance(ctx, allowance, BASE_COST)
  return allowance
}

/** The limiter protects the service from one client; refusing requests when it fails would turn its failure into an outage for all. */
export function reportLimiterFailure(ctx: ApiContext, error: unknown, { logger, metrics }: Pick<Gate, 'logger' | 'metrics'>): void {
  metrics.apiLimiterFailures.inc()
  logger.debug({ err: error, requestId: ctx.state.requestId }, 'A request was not limited: the rate limiter failed')
}

/** `cost`: units that the request has taken. */
export function showAllowance(ctx: ApiContext, { limit, remaining, resetSeconds }: Allowance, cost: number): void {
  ctx.set({
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(resetSeconds),
    'ratelimit-policy': `${limit};w=${WINDOW_SECONDS}`,
    'ratelimit-cost': String(cost),
  })
}
