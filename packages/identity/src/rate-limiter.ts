// Requests of an organization, all its keys and users together, in windows of a minute.

import type { WindowCounter } from './window-counter.ts'

export const WINDOW_SECONDS = 60

export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the end of the window, at least 1. */
  readonly resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request. Rejects when the store of counts is not reachable: the caller lets the request pass and counts the failure. */
  take(organizationId: string, requestsPerMinute: number): Promise<Allowance>
}

/** `counter` has windows of `WINDOW_SECONDS`. */
export function rateLimiter(counter: WindowCounter): RateLimiter {
  return {
    async take(organizationId, limit) {
      const { count, leftMs } = await counter.add(organizationId)
      return {
        allowed: count <= limit,
        limit,
        remaining: Math.max(0, limit - count),
        resetSeconds: Math.max(1, Math.ceil(leftMs / 1000)),
      }
    },
  }
}
