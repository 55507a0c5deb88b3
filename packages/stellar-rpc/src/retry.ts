// The report of a retry, for counters and logs.

/** A failure that is retried. */
export interface Retry {
  /** The request: a method, or a path. */
  readonly what: string
  readonly host: string
  readonly problem: string
  /** Consecutive failures of this endpoint. */
  readonly failures: number
}
