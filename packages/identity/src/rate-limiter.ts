// Units of an organization, all its keys and users together, in windows of a minute. A request costs at least one unit.

import type { Counted, WindowCounter } from './window-counter.ts'

export const WINDOW_SECONDS = 60

export interface Allowance {
  readonly allowed: boolean
  /** Units of a window. */
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the end of the window, at least 1. */
  readonly resetSeconds: number
}

/** Units that were taken and may be given back. */
export interface Taken {
  readonly allowance: Allowance
  /** Gives the units back, unless their window has ended: the next window must not begin with more units. Call it once. */
  giveBack(): Promise<Allowance>
}

/** Both reject when the store of counts is not reachable: the caller lets the request pass and counts the failure. */
export interface RateLimiter {
  /** Counts a request with one unit. A refused request counts as well. */
  take(organizationId: string, unitsPerMinute: number): Promise<Allowance>
  /** Takes all of `units`, or none of them: `allowed` is false then. */
  takeMore(organizationId: string, unitsPerMinute: number, units: number): Promise<Taken>
}

/** `counter` has windows of `WINDOW_SECONDS`. `now`: unix milliseconds. */
export function rateLimiter(counter: WindowCounter, now: () => number = Date.now): RateLimiter {
  return {
    take: async (organizationId, limit) => allowanceOf(await counter.add(organizationId), limit),

    async takeMore(organizationId, limit, units) {
      const counted = await counter.add(organizationId, units)
      const endsAtMs = now() + counted.leftMs
      const giveBack = async () => {
        const isOver = now() >= endsAtMs
        return allowanceOf(await (isOver ? counter.read(organizationId) : counter.subtract(organizationId, units)), limit)
      }
      const allowance = allowanceOf(counted, limit)
      // The counter has no step that adds only up to a limit. Until the units are back, requests at the same moment may find too few.
      return allowance.allowed
        ? { allowance, giveBack }
        : { allowance: { ...(await giveBack()), allowed: false }, giveBack: async () => allowance }
    },
  }
}

function allowanceOf({ count, leftMs }: Counted, limit: number): Allowance {
  return {
    allowed: count <= limit,
    limit,
    remaining: Math.max(0, limit - count),
    resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
  }
}
