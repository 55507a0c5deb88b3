// The outcome of one attempt. A failure is a value: the retry loop decides how to handle it.

/** What can help after a failure: a retry (`transient`), another endpoint (`endpoint`), or another request (`request`). */
export type Fault = 'transient' | 'endpoint' | 'request'

export interface Failure {
  readonly ok: false
  readonly fault: Fault
  /** A description for the middle of a sentence. */
  readonly problem: string
  /** The time in `Retry-After`, if there was one. */
  readonly retryAfterMs: number | null
  /** HTTP status or JSON-RPC code, if there was one. */
  readonly status: number | null
  /** Ledgers that the endpoint lacks although it has later ones. */
  readonly gap: LedgerRange | null
}

/** Both ends included. */
export interface LedgerRange {
  readonly first: number
  readonly last: number
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | Failure

export function failure(fault: Fault, problem: string, { retryAfterMs = null, status = null, gap = null }: Partial<Failure> = {}): Failure {
  return { ok: false, fault, problem, retryAfterMs, status, gap }
}
