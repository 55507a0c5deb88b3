// Requests of an organization, all its keys together, in fixed windows of a minute. The port, and its driver in memory for one process.

export const WINDOW_SECONDS = 60

export interface Allowance {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** Whole seconds to the next window, at least 1. */
  readonly resetSeconds: number
}

export interface RateLimiter {
  /** Counts one request. A driver whose store fails throws `unavailable`: the caller lets the request pass and counts the failure. */
  take(organizationId: string, requestsPerMinute: number): Promise<Allowance>
}

/** `nowMs`: unix milliseconds. */
export function memoryRateLimiter(nowMs: () => number = Date.now): RateLimiter {
  let window = -1
  const taken = new Map<string, number>()
  return {
    async take(organizationId, limit) {
      const nowSeconds = nowMs() / 1000
      const current = Math.floor(nowSeconds / WINDOW_SECONDS)
      // Windows of all organizations turn together, so forgetting the old one is one call and memory cannot grow.
      if (current !== window) taken.clear()
      window = current
      const count = (taken.get(organizationId) ?? 0) + 1
      taken.set(organizationId, count)
      const resetSeconds = Math.max(1, Math.ceil((current + 1) * WINDOW_SECONDS - nowSeconds))
      return { allowed: count <= limit, limit, remaining: Math.max(0, limit - count), resetSeconds }
    },
  }
}
