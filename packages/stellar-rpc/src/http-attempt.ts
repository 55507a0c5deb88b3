// One HTTP request, once. Every error is returned as a failure that names its cause.

import { reasonOf } from '@orrery/errors'
import type { Endpoint } from './endpoint.ts'
import { type Failure, failure, type Outcome } from './outcome.ts'
import { retryAfterMs } from './retry-after.ts'

/** The part of an answer that an attempt looks at; that of `fetch` has it. */
export interface HttpAnswer {
  readonly status: number
  /** Whether the status is 2xx. */
  readonly ok: boolean
  readonly headers: { get(name: string): string | null }
  /** Null where there is none. */
  readonly body: { cancel(): Promise<void> } | null
}

/** What a request takes from its endpoint and its attempt. */
export interface SendOptions {
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

export interface HttpAttempt<T, A extends HttpAnswer> {
  readonly endpoint: Endpoint
  /** Appended to the endpoint's address. */
  readonly path?: string
  /** Rejects where no answer comes. */
  readonly send: (url: string, options: SendOptions) => Promise<A>
  /** Statuses besides 2xx whose answers `read` accepts. */
  readonly expects?: readonly number[]
  readonly read: (answer: A) => Promise<Outcome<T>>
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
  readonly nowMs: () => number
}

/** Statuses of requests that this endpoint would refuse again: address, key or payment. */
const REFUSING_STATUSES: readonly number[] = [400, 401, 402, 403, 404, 405, 410, 413, 414, 415, 422]

/** Throws only the reason of `signal`. */
export async function httpAttempt<T, A extends HttpAnswer>(attempt: HttpAttempt<T, A>): Promise<Outcome<T>> {
  const { endpoint, path = '', send, expects = [], read, timeoutMs, signal, nowMs } = attempt
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const either = signal ? AbortSignal.any([signal, timeout]) : timeout
    const answer = await send(endpoint.urlOf(path), { headers: endpoint.headers, signal: either })
    if (answer.ok || expects.includes(answer.status)) return await read(answer)
    await answer.body?.cancel()
    return failedByStatus(answer, nowMs())
  } catch (error) {
    signal?.throwIfAborted()
    if (timeout.aborted) return failure('transient', `did not answer within ${timeoutMs / 1000} s`)
    return failure('transient', networkProblem(error))
  }
}

function failedByStatus({ status, headers }: HttpAnswer, nowMs: number): Failure {
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
