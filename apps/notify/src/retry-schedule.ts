// When a delivery that failed is attempted again: after 5 seconds, then twice as long each time up to an hour, with jitter, for 24 hours.

const HOUR_MS = 3_600_000
const FIRST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = HOUR_MS
/** From the first attempt on. */
const RETRIES_FOR_MS = 24 * HOUR_MS

export interface FailedAttempt {
  /** Attempts before this one. */
  readonly attempts: number
  /** Unix milliseconds; this attempt when it is the first. */
  readonly firstAttemptAtMs: number
  readonly nowMs: number
  /** What the receiver asked for with `Retry-After`, milliseconds; null when it did not. */
  readonly retryAfterMs: number | null
}

/**
 * Unix milliseconds of the next attempt; null when there is none: the 24 hours are over.
 * @param random From 0 to 1: spreads the attempts over the second half of the pause, so that receivers that were away are not met by all at once.
 */
export function nextAttemptAt(
  { attempts, firstAttemptAtMs, nowMs, retryAfterMs }: FailedAttempt,
  random: () => number = Math.random,
): number | null {
  const endMs = firstAttemptAtMs + RETRIES_FOR_MS
  if (nowMs >= endMs) return null
  const pauseMs = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** Math.min(attempts, 20))
  const askedMs = Math.min(retryAfterMs ?? 0, LONGEST_PAUSE_MS)
  // The last attempt is at the end, so that a receiver has the whole time.
  return Math.min(endMs, nowMs + Math.max(askedMs, Math.round(pauseMs / 2 + (random() * pauseMs) / 2)))
}
