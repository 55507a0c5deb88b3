// Code -> status, and error -> what goes over the wire. The only place that knows both.
// The list of codes is closed; each has a heading in docs/errors.md, held by errors.test.ts.

import { type ErrorKind, OrreryError } from '@orrery/errors'

interface CodeFacts {
  readonly status: number
  readonly kind: ErrorKind
}

export const API_ERRORS = {
  invalid_parameter: { status: 400, kind: 'invalid' },
  missing_parameter: { status: 400, kind: 'invalid' },
  unknown_parameter: { status: 400, kind: 'invalid' },
  conflicting_parameters: { status: 400, kind: 'invalid' },
  reserved_parameter: { status: 400, kind: 'invalid' },
  too_many_points: { status: 400, kind: 'invalid' },
  invalid_cursor: { status: 400, kind: 'invalid' },
  invalid_body: { status: 400, kind: 'invalid' },
  unauthorized: { status: 401, kind: 'unauthorized' },
  forbidden: { status: 403, kind: 'unauthorized' },
  not_found: { status: 404, kind: 'not_found' },
  method_not_allowed: { status: 405, kind: 'invalid' },
  payload_too_large: { status: 413, kind: 'invalid' },
  unsupported_media_type: { status: 415, kind: 'invalid' },
  rate_limited: { status: 429, kind: 'rate_limited' },
  internal: { status: 500, kind: 'bug' },
  unavailable: { status: 503, kind: 'unavailable' },
  timeout: { status: 504, kind: 'unavailable' },
} as const satisfies Record<string, CodeFacts>

export type ApiErrorCode = keyof typeof API_ERRORS

/** Path of the page that explains a code. */
export function errorDocsPath(code: ApiErrorCode): string {
  return `/docs/errors/${code}`
}

/** What a kind becomes when its code is not one of the wire's: processes have more codes in their logs than the API tells. */
const CODE_OF_KIND: Readonly<Record<ErrorKind, ApiErrorCode>> = {
  invalid: 'invalid_parameter',
  unauthorized: 'unauthorized',
  not_found: 'not_found',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  corrupt: 'unavailable',
  bug: 'internal',
}

/** Sentences for causes whose own message is for the operator: it may name hosts, tables or contracts of other callers. */
const PUBLIC_MESSAGE: Partial<Readonly<Record<ApiErrorCode, string>>> = {
  internal:
    'Something went wrong on our side; your request was not at fault. Try again, and report the value of `x-request-id` if it stays.',
  unavailable:
    'A part that this answer needs cannot be reached at the moment. Nothing is lost; try again after the seconds in `Retry-After`.',
}

/** Of errors whose own code is not one of the wire's, where the sentence of the wire's code would mislead. By own code. */
const PUBLIC_MESSAGE_OF_OWN: Readonly<Record<string, string>> = {
  registry_newer_than_build:
    'This API is older than the index that it reads, and cannot answer as of this ledger. Nothing is lost, and no wrong number is served. Its operator has to update it; answers as of earlier ledgers may still work.',
}

/** Seconds in `Retry-After` of a 503 and a 504 that say nothing better. */
const RETRY_AFTER_SECONDS = 2

/**
 * The error that a handler, a parameter schema or a rule throws. `message` goes to the caller as it is: it names what is wrong, the rule
 * and the way out. It never contains a secret.
 */
export function refuse(code: ApiErrorCode, message: string): OrreryError {
  return new OrreryError(API_ERRORS[code].kind, code, message)
}

export interface WireError {
  readonly status: number
  readonly code: ApiErrorCode
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
}

function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(API_ERRORS, code)
}

/** What a caller is told of any error. Whatever is not an `OrreryError` is ours: `internal`, without details. */
export function wireError(error: unknown): WireError {
  if (!(error instanceof OrreryError)) return told('internal', '', {})
  const code = isApiErrorCode(error.code) ? error.code : CODE_OF_KIND[error.kind]
  const wire = told(code, error.message, error.context)
  return { ...wire, message: PUBLIC_MESSAGE_OF_OWN[error.code] ?? wire.message }
}

/** `retryAfterSeconds` and `challenge` of `context` go over the wire, as headers; nothing else of it does. */
function told(code: ApiErrorCode, message: string, { retryAfterSeconds, challenge }: OrreryError['context']): WireError {
  const { status } = API_ERRORS[code]
  const seconds = retryAfterSeconds ?? (status === 503 || status === 504 ? RETRY_AFTER_SECONDS : null)
  return {
    status,
    code,
    message: PUBLIC_MESSAGE[code] ?? message,
    headers: {
      ...(typeof seconds === 'number' && { 'retry-after': String(seconds) }),
      ...(typeof challenge === 'string' && { 'www-authenticate': challenge }),
    },
  }
}
