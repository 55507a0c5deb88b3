// The errors of the client. Every refusal of the API has a code from a closed list, which narrows the error's type.

import type { ErrorEnvelope } from './generated/openapi.ts'
import type { RateLimit } from './rate-limit.ts'

/** Codes of the API, each with a page at `docs`. A later version of the API may have more. */
export type ApiErrorCode = ErrorEnvelope['error']['code']

/** A response that has no envelope of the API, such as the page of a proxy, has the code `unknown_response`. */
export type ErrorCode = ApiErrorCode | 'unknown_response'

/** Base of all errors that this client throws, but for `AbortError` of an aborted signal. */
export class OrreryError extends Error {
  override readonly name: string = 'OrreryError'
}

/** No response came: the connection failed, or `timeoutMs` passed. `cause` is the error of `fetch`. */
export class ConnectionError extends OrreryError {
  override readonly name = 'ConnectionError'
}

export interface ApiErrorFacts<Code extends ErrorCode = ErrorCode> {
  readonly code: Code
  /** HTTP status. */
  readonly status: number
  /** Address of the page of the code. Null without an envelope. */
  readonly docs: string | null
  /** Header `x-request-id`, to report a failure with. Null if a proxy removed it. */
  readonly requestId: string | null
  /** Seconds of the header `Retry-After`. Null without it. */
  readonly retryAfterSeconds: number | null
  /** Null if the response has no headers of the rate limit. */
  readonly rateLimit: RateLimit | null
  /** The body: the envelope, or text that is none. */
  readonly body: unknown
}

/** The API refused the request, or failed. `message` names what is wrong and what to do. */
export class ApiError<Code extends ErrorCode = ErrorCode> extends OrreryError implements ApiErrorFacts<Code> {
  override readonly name = 'ApiError'
  readonly code: Code
  readonly status: number
  readonly docs: string | null
  readonly requestId: string | null
  readonly retryAfterSeconds: number | null
  readonly rateLimit: RateLimit | null
  readonly body: unknown

  constructor(message: string, facts: ApiErrorFacts<Code>) {
    super(message)
    this.code = facts.code
    this.status = facts.status
    this.docs = facts.docs
    this.requestId = facts.requestId
    this.retryAfterSeconds = facts.retryAfterSeconds
    this.rateLimit = facts.rateLimit
    this.body = facts.body
  }
}

/**
 * Whether the error is one of the API with any of the codes; without codes, with any code.
 *
 *     if (isApiError(error, 'not_found')) …
 */
export function isApiError<Code extends ErrorCode = ErrorCode>(error: unknown, ...codes: readonly Code[]): error is ApiError<Code> {
  return error instanceof ApiError && (codes.length === 0 || (codes as readonly ErrorCode[]).includes(error.code))
}
