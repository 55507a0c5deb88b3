// What is reported of each retry, to whoever counts and logs them.

/** A failure that is answered with another attempt. */
export interface Retry {
  /** What was asked for: a method, or a path. */
  readonly what: string
  readonly host: string
  readonly problem: string
  /** Consecutive failures of this endpoint. */
  readonly failures: number
}
