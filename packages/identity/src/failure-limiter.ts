// Wrong credentials, by the address they came from or by the account they were for: a few are answered, further ones are told to wait.

import type { WindowCounter } from './window-counter.ts'

export const FAILURE_WINDOW_SECONDS = 15 * 60
/** Of one address: keys, tokens and passwords together. */
export const FAILURES_OF_ADDRESS = 50
/** Of one account, wherever they came from. */
export const FAILURES_OF_ACCOUNT = 10

export interface Wait {
  /** At least 1. */
  readonly retryAfterSeconds: number
}

export interface FailureLimiter {
  /** Counts one failure. Null while `name` may go on failing. */
  fail(name: string): Promise<Wait | null>
  /** The same question without counting: null while `name` has failures left. */
  wait(name: string): Promise<Wait | null>
  /** The right credential came: what was wrong before was a typo. */
  forgive(name: string): Promise<void>
}

/** `counter` has windows of `FAILURE_WINDOW_SECONDS`. */
export function failureLimiter(counter: WindowCounter, failures: number): FailureLimiter {
  const waitOf = (leftMs: number): Wait => ({ retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1000)) })
  return {
    async fail(name) {
      const { count, leftMs } = await counter.add(name)
      return count <= failures ? null : waitOf(leftMs)
    },
    async wait(name) {
      const { count, leftMs } = await counter.read(name)
      return count < failures ? null : waitOf(leftMs)
    },
    forgive: (name) => counter.forget(name),
  }
}
