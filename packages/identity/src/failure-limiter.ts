// Limits wrong credentials, by client address or by account: the first failures are answered. The failure that reaches the limit begins
// the window again, so that the client must wait for a whole one.

import type { WindowCounter } from './window-counter.ts'

export const FAILURE_WINDOW_SECONDS = 15 * 60
/** Of one address: keys, tokens and passwords together. */
export const FAILURES_OF_ADDRESS = 50

export interface Wait {
  /** At least 1. */
  readonly retryAfterSeconds: number
}

export interface Failure {
  /** Null while `name` has failures left. */
  readonly wait: Wait | null
  /** This failure was the last one allowed: true once in a window. */
  readonly isLimitReached: boolean
}

export interface FailureLimiter {
  /** Counts one failure. */
  fail(name: string): Promise<Failure>
  /** Whether to wait, without counting: null while `name` has failures left. */
  wait(name: string): Promise<Wait | null>
  /** The right credential came: resets the count. */
  forgive(name: string): Promise<void>
}

/** `failures` within a window of `counter`. */
export function failureLimiter(counter: WindowCounter, failures: number): FailureLimiter {
  return {
    async fail(name) {
      const { count, leftMs } = await counter.add(name)
      const isLimitReached = count === failures
      if (isLimitReached) await counter.restart(name, count)
      return { wait: count <= failures ? null : waitOf(leftMs), isLimitReached }
    },
    async wait(name) {
      const { count, leftMs } = await counter.read(name)
      return count < failures ? null : waitOf(leftMs)
    },
    forgive: (name) => counter.forget(name),
  }
}

export interface Throttle {
  /** Takes the one attempt of this window. Null when it was available. */
  take(name: string): Promise<Wait | null>
}

/** One attempt per name within a window of `counter`, which begins with that attempt. */
export function throttle(counter: WindowCounter): Throttle {
  return {
    async take(name) {
      const { count, leftMs } = await counter.add(name)
      return count === 1 ? null : waitOf(leftMs)
    },
  }
}

function waitOf(leftMs: number): Wait {
  return { retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) }
}
