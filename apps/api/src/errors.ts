// Code -> status, and error -> response. The only file that knows both.
// The list of codes is closed; each has a heading in docs/errors.md, which errors.test.ts checks.

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

/** The code of the response for an error whose own code is not in `API_ERRORS`: logs have more codes than the API. */
const CODE_OF_KIND: Readonly<Record<ErrorKind, ApiErrorCode>> = {
  invalid: 'invalid_parameter',
  unauthorized: 'unauthorized',
  not_found: 'not_found',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
  corrupt: 'unavailable',
  bug: 'internal',
}

/** Messages for errors whose own message is for the operator: it may name hosts, tables or contracts of other callers. */
const PUBLIC_MESSAGE: Partial<Readonly<Record<ApiErrorCode, string>>> = {
  internal:
    'The server failed; the request was not at fault. Try again. If the error persists, report the value of the header `x-request-id`.',
  unavailable:
    'A service that this answer needs is not available at the moment. No data is lost. Try again after the number of seconds in `Retry-After`.',
}

/** Messages for errors whose own code is not in `API_ERRORS` and for which `PUBLIC_MESSAGE` would mislead. By own code. */
const PUBLIC_MESSAGE_OF_OWN_CODE: Readonly<Record<string, string>> = {
  pool_quarantined:
    'The records of this pool cannot be indexed at the moment, so what it holds now is not known. No data is lost, and no wrong number is served. Answers as of a ledger before that (`as_of_ledger`) still work. `/v1/index` names the ledger and the cause.',
  registry_newer_than_build:
    'The index was written by a newer version of Orrery than this API, which cannot answer as of this ledger. No data is lost, and no wrong number is served. The operator has to update the API. Answers as of earlier ledgers may still work.',
  webhook_key_absent:
    'This server has no key for the secrets of webhooks, so it can create no webhook and rotate no secret. Nothing was changed. The operator has to set ORRERY_WEBHOOK_KEY.',
}

/** Seconds in `Retry-After` of a 503 and a 504 whose error has none of its own. */
const RETRY_AFTER_SECONDS = 2

/**
 * The error that a handler, a parameter schema or a rule throws. `message` goes to the client unchanged: it names what is wrong, the rule
 * and what to do instead. It never contains a secret.
 */
export function refuse(code: ApiErrorCode, message: string): OrreryError {
  return new OrreryError(API_ERRORS[code].kind, code, message)
}

/** The response to an error. */
export interface WireError {
  readonly status: number
  readonly code: ApiErrorCode
  readonly message: string
  readonly headers: Readonly<Record<string, string>>
}

function isApiErrorCode(code: string): code is ApiErrorCode {
  return Object.hasOwn(API_ERRORS, code)
}

/** The response to any error. An error that is not an `OrreryError` is a bug of ours: `internal`, without details. */
export function wireError(error: unknown): WireError {
  if (!(error instanceof OrreryError)) return responseOf('internal', '', {})
  const code = isApiErrorCode(error.code) ? error.code : CODE_OF_KIND[error.kind]
  const wire = responseOf(code, error.message, error.context)
  return { ...wire, message: PUBLIC_MESSAGE_OF_OWN_CODE[error.code] ?? wire.message }
}

/** `retryAfterSeconds` and `challenge` of `context` become headers; nothing else of it is sent. */
function responseOf(code: ApiErrorCode, message: string, { retryAfterSeconds, challenge }: OrreryError['context']): WireError {
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
