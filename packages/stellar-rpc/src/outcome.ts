// How one attempt ended. A failure is a value here: the loop that retries decides what becomes of it.

/** What to do about a failure: try again (`transient`), ask another endpoint (`endpoint`), or change the request (`request`). */
export type Fault = 'transient' | 'endpoint' | 'request'

export interface Failure {
  readonly ok: false
  readonly fault: Fault
  /** For the middle of a sentence. */
  readonly problem: string
  /** What the server asked us to wait, if it did. */
  readonly retryAfterMs: number | null
  /** HTTP status or JSON-RPC code, if there was one. */
  readonly status: number | null
  /** Ledgers that the endpoint does not have although it has later ones. */
  readonly hole: Hole | null
}

/** Both ends included. */
export interface Hole {
  readonly first: number
  readonly last: number
}

export type Outcome<T> = { readonly ok: true; readonly value: T } | Failure

export function failure(
  fault: Fault,
  problem: string,
  { retryAfterMs = null, status = null, hole = null }: Partial<Failure> = {},
): Failure {
  return { ok: false, fault, problem, retryAfterMs, status, hole }
}
