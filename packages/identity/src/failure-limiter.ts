// Wrong credentials, by the address they came from or by the account they were for: a few are answered, further ones are told to wait.

import type { WindowCounter } from './window-counter.ts'

export const FAILURE_WINDOW_SECONDS = 15 * 60
/** Of one address: keys, tokens and passwords together. */
export const FAILURES_OF_ADDRESS = 50

export interface Wait {
  /** At least 1. */
  readonly retryAfterSeconds: number
}

export interface Failure {
  /** Null while `name` may go on failing. */
  readonly wait: Wait | null
  /** This very failure was the last one that is allowed: true once in a window. */
  readonly isLimitReached: boolean
}

export interface FailureLimiter {
  /** Counts one failure. */
  fail(name: string): Promise<Failure>
  /** Whether to wait, without counting: null while `name` has failures left. */
  wait(name: string): Promise<Wait | null>
  /** The right credential came: what was wrong before was a typo. */
  forgive(name: string): Promise<void>
}

/** `failures` within a window of `counter`. */
export function failureLimiter(counter: WindowCounter, failures: number): FailureLimiter {
  return {
    async fail(name) {
      const { count, leftMs } = await counter.add(name)
      return { wait: count <= failures ? null : waitOf(leftMs), isLimitReached: count === failures }
    },
    async wait(name) {
      const { count, leftMs } = await counter.read(name)
      return count < failures ? null : waitOf(leftMs)
    },
    forgive: (name) => counter.forget(name),
  }
}

export interface Throttle {
  /** Takes the one try of this window. Null when it was there. */
  take(name: string): Promise<Wait | null>
}

/** One try of a name within a window of `counter`, which begins with that try. */
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
