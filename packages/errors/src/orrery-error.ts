// The one error class of Orrery. Thrown anywhere, and converted once: by a process's entry point or by the API.
// Its kind states who must act, its code names the case and never changes.

/**
 * Who must act.
 * - `invalid`, `unauthorized`, `not_found`: the caller
 * - `rate_limited`: the caller, later
 * - `unavailable`: no one at first; drivers retry with backoff, then the process ends with exit code 75
 * - `corrupt`: the operator; data contradicts itself
 * - `bug`: the developers of Orrery
 */
export type ErrorKind = 'invalid' | 'unauthorized' | 'not_found' | 'rate_limited' | 'unavailable' | 'corrupt' | 'bug'

/** Facts that help to find the case: ledger, contract, key. Never a secret, never the text of a row. */
export type ErrorContext = Readonly<Record<string, string | number | bigint | boolean | null | undefined>>

export class OrreryError extends Error {
  readonly kind: ErrorKind
  /** snake_case. Never changes. */
  readonly code: string
  readonly context: ErrorContext

  constructor(kind: ErrorKind, code: string, message: string, options: { readonly context?: ErrorContext; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'OrreryError'
    this.kind = kind
    this.code = code
    this.context = options.context ?? {}
  }

  /** The same error with more context. Existing members are kept. */
  with(context: ErrorContext): OrreryError {
    const next = new OrreryError(this.kind, this.code, this.message, {
      context: { ...context, ...this.context },
      cause: this.cause,
    })
    if (this.stack !== undefined) next.stack = this.stack
    return next
  }
}

/** Throws a `bug` when `condition` is false: stopping can be repaired, while wrong rows would be served. */
export function assert(condition: unknown, message: string, context: ErrorContext = {}): asserts condition {
  if (!condition) throw new OrreryError('bug', 'internal', message, { context })
}
