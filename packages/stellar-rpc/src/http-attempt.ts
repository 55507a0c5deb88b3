// One HTTP request, once. Every error is returned as a failure that names its cause.

import { reasonOf } from '@orrery/errors'
import type { Endpoint } from './endpoint.ts'
import { type Failure, failure, type Outcome } from './outcome.ts'
import { retryAfterMs } from './retry-after.ts'

export interface HttpAttempt<T> {
  readonly endpoint: Endpoint
  /** Appended to the endpoint's address. */
  readonly path?: string
  readonly init?: RequestInit
  /** Statuses besides 2xx whose answers `read` accepts. */
  readonly expects?: readonly number[]
  readonly read: (response: Response) => Promise<Outcome<T>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly nowMs: () => number
}

/** Statuses of requests that this endpoint would refuse again: address, key or payment. */
const REFUSING_STATUSES: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 414, 415, 422]

/** Throws only the reason of `signal`. */
export async function httpAttempt<T>(attempt: HttpAttempt<T>): Promise<Outcome<T>> {
  const { endpoint, path = '', init, expects = [], read, timeoutMs, signal, nowMs } = attempt
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const response = await fetch(endpoint.urlOf(path), {
      ...init,
      headers: { ...init?.headers, ...endpoint.headers },
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    })
    if (response.ok || expects.includes(response.status)) return await read(response)
    await response.body?.cancel()
    return failedByStatus(response, nowMs())
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.aborted) return failure('transient', `did not answer within ${timeoutMs / 1000} s`)
    return failure('transient', networkProblem(error))
  }
}

function failedByStatus({ status, headers }: Response, nowMs: number): Failure {
  const isMoved = status >= 300 && status < 400
  const fault = isMoved || REFUSING_STATUSES.includes(status) ? 'endpoint' : 'transient'
  return failure(fault, `answered with HTTP status ${status}`, { status, retryAfterMs: retryAfterMs(headers.get('retry-after'), nowMs) })
}

/** The message of `fetch` is "fetch failed"; the reason is in its cause. */
function networkProblem(error: unknown): string {
  const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  return `could not be reached (${[code, reasonOf(cause)].filter((text) => text !== '').join(': ')})`
}
