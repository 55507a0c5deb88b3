// The rest of a request's cost: taken before the answer is computed, given back unless a computed answer is sent.

import type { Taken } from '@orrery/identity'
import { BASE_COST } from '../request-cost.ts'
import { reportLimiterFailure, showAllowance } from './count-units.ts'
import { type Gate, tooMany } from './gate.ts'
import type { ApiContext, CountedRequest } from './request-state.ts'

export interface Charge {
  /** Takes what `cost` units are more than `BASE_COST`. @throws 429 if the organization has fewer left in this minute; none are taken then. */
  take(cost: number): Promise<void>
  /**
   * Ends the charge. Unless `isOwed`, the request costs `BASE_COST`, and the rest is given back; it stays taken if the limiter fails then.
   * Never rejects.
   */
  settle(isOwed: boolean): Promise<void>
}

/** Nothing is taken for a request without an organization. Call `settle` once, after the last `take`. */
export function openCharge(ctx: ApiContext, gate: Gate): Charge {
  const { counted } = ctx.state
  let rest = 0
  /** Also while the limiter has not responded yet: the deadline of the request may pass in the meantime. */
  let taking: Promise<Taken | null> = Promise.resolve(null)
  return {
    async take(cost) {
      if (counted === undefined || cost <= BASE_COST) return
      rest = cost - BASE_COST
      taking = takeRest(ctx, counted, rest, gate)
      const taken = await taking
      if (taken === null) throw tooExpensive(cost, counted)
    },

    async settle(isOwed) {
      const taken = await taking.catch(() => null)
      if (taken === null || counted === undefined) return
      const keep = () => gate.access.usage.add(counted.limited, { requests: 0, cost: rest })
      if (isOwed) return keep()
      try {
        showAllowance(ctx, await taken.giveBack(), BASE_COST)
      } catch (err) {
        keep()
        gate.logger.debug({ err, requestId: ctx.state.requestId }, 'Could not give back the units of a request: the rate limiter failed')
      }
    },
  }
}

/** Null if the organization has fewer units left; nothing is taken then. */
async function takeRest(ctx: ApiContext, counted: CountedRequest, units: number, gate: Gate): Promise<Taken | null> {
  const { limited, allowance, isShared } = counted
  const { organizationId, requestsPerMinute } = limited
  const { rateLimiter, ownRateLimiter } = gate.access
  const takeOwn = () => ownRateLimiter.takeMore(organizationId, requestsPerMinute, units)
  let isLimited = isShared
  // The number of a moment ago mostly decides already, without a step that other requests could notice.
  if (isLimited && allowance.remaining < units) return null
  const taken = await (isShared ? rateLimiter.takeMore(organizationId, requestsPerMinute, units) : takeOwn()).catch((error: unknown) => {
    isLimited = false
    reportLimiterFailure(ctx, error, gate)
    return takeOwn()
  })
  const isRefused = isLimited && !taken.allowance.allowed
  showAllowance(ctx, taken.allowance, isRefused ? BASE_COST : BASE_COST + units)
  return isRefused ? null : taken
}

function tooExpensive(cost: number, { allowance: { limit, resetSeconds } }: CountedRequest) {
  const less = 'Request fewer buckets or addresses, or JSON instead of CSV'
  const advice =
    cost > limit
      ? `That is more than the ${limit} units that your organization has per minute. ${less}.`
      : `Your organization has fewer left in this minute. ${less}, or try again after the number of seconds in \`Retry-After\`.`
  return tooMany(`This request costs ${cost} units. ${advice}`, resetSeconds)
}
