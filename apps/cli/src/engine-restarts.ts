// How often `orrery up` starts again by itself when its ClickHouse engine has ended, and with which pause.
// Any process of the machine can end the engine (docs/operations/access.md), and the system may when memory is short: neither should need an
// operator. An engine that cannot stay up is different: then the operator must see the failure.

import { OrreryError } from '@orrery/errors'

export const MAX_RESTARTS = 5
export const RESTARTS_WITHIN_MS = 600_000
const FIRST_PAUSE_MS = 250

export class EngineRestarts {
  /** Monotonic milliseconds. */
  readonly #nowMs: () => number
  #recentMs: number[] = []
  #count = 0

  constructor(nowMs: () => number = () => performance.now()) {
    this.#nowMs = nowMs
  }

  /** Restarts that were granted since the process began. */
  get count(): number {
    return this.#count
  }

  /**
   * Grants a restart. Returns the milliseconds to wait before it: none before the first within the last ten minutes, then 250 ms, doubled for each
   * further one. Null when five were granted within that time.
   */
  grant(): number | null {
    const now = this.#nowMs()
    this.#recentMs = this.#recentMs.filter((ms) => now - ms < RESTARTS_WITHIN_MS)
    if (this.#recentMs.length >= MAX_RESTARTS) return null
    const earlier = this.#recentMs.length
    this.#recentMs.push(now)
    this.#count++
    return earlier === 0 ? 0 : FIRST_PAUSE_MS * 2 ** (earlier - 1)
  }
}

/**
 * Whether another start may help. After a restart this includes a port of the service that another process has taken meanwhile: that process may
 * release it, and no option was wrong.
 */
export function isRestartable(error: unknown, restarts: number): error is OrreryError {
  if (isEngineFailure(error)) return true
  return restarts > 0 && error instanceof OrreryError && (error.code === 'port_taken' || error.code === 'port_in_use')
}

/** Whether what ended the system is that the engine ended, or no longer listens. */
export function isEngineFailure(error: unknown): error is OrreryError {
  return error instanceof OrreryError && (error.code === 'engine_failed' || error.code === 'engine_not_listening')
}
