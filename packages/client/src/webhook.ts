// Verifies requests of webhooks by the Standard Webhooks scheme (https://github.com/standard-webhooks/standard-webhooks). WebCrypto alone, so that
// it works in Node, browsers, workers and edge runtimes.

import type { Activity, StreamHealthFactor, StreamPosition } from './generated/openapi.ts'

interface WebhookEventOf<Type extends string, Data> {
  /** What `data` is. */
  readonly type: Type
  /** Id of the event, as in the stream: its place in the index. The same for every webhook and every attempt. */
  readonly id: string
  /** Close time of the ledger; of a test, when it was made. RFC 3339, UTC. */
  readonly timestamp: string
  readonly webhook_id: string
  readonly data: Data
}

/** An event of a webhook. A receiver ignores types that it does not know: later versions may have more. */
export type WebhookEvent =
  | WebhookEventOf<'activity', Activity>
  | WebhookEventOf<'position', StreamPosition>
  | WebhookEventOf<'health_factor', StreamHealthFactor>
  | WebhookEventOf<'test', Readonly<Record<string, never>>>

/** Why a request cannot be trusted. */
export type WebhookProblem = 'missing_header' | 'invalid_timestamp' | 'timestamp_out_of_range' | 'invalid_signature' | 'invalid_body'

/** A request that is not from the webhook, or is a repetition of an old one. Answer it with 401, and do nothing else. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly problem: WebhookProblem

  constructor(problem: WebhookProblem, message: string) {
    super(message)
    this.problem = problem
  }
}

export interface VerifyWebhookOptions {
  /** How far the clocks of sender and receiver may be apart, seconds. An attempt is signed anew, with its own time. Default 300. */
  readonly toleranceSeconds?: number
  /** Unix milliseconds. Default: the clock. */
  readonly nowMs?: number
}

/** The headers of a request: of `fetch`, or of Node's `IncomingMessage`. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>

const DEFAULT_TOLERANCE_SECONDS = 300
const SCHEME = 'v1'

/**
 * The event of a request whose signature was made with one of the secrets.
 *
 *     const event = await verifyWebhook(await request.text(), request.headers, webhookSecret)
 *
 * @param body The bytes or the text of the body exactly as they came: JSON that was parsed and written again has another signature.
 * @param secrets `whsec_…`. Two while a secret is being rotated; each is tried.
 * @throws WebhookVerificationError
 */
export async function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secrets: string | readonly string[],
  { toleranceSeconds = DEFAULT_TOLERANCE_SECONDS, nowMs = Date.now() }: VerifyWebhookOptions = {},
): Promise<WebhookEvent> {
  const [id, timestamp, signature] = ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => headerOf(headers, name))
  if (!id || !timestamp || !signature) {
    throw new WebhookVerificationError('missing_header', 'The request lacks `webhook-id`, `webhook-timestamp` or `webhook-signature`.')
  }
  if (!/^[0-9]{1,12}$/.test(timestamp)) {
    throw new WebhookVerificationError('invalid_timestamp', '`webhook-timestamp` is not a time in whole seconds since 1970.')
  }
  if (Math.abs(nowMs / 1000 - Number(timestamp)) > toleranceSeconds) {
    const message = `\`webhook-timestamp\` differs from the clock by more than ${toleranceSeconds} seconds: the request is old, or the clock is wrong.`
    throw new WebhookVerificationError('timestamp_out_of_range', message)
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), bytes)
  const given = signature.split(' ').flatMap((part) => {
    const [scheme, value, ...rest] = part.split(',')
    const decoded = scheme === SCHEME && value !== undefined && rest.length === 0 ? bytesOf(value) : null
    return decoded === null ? [] : [decoded]
  })
  for (const secret of typeof secrets === 'string' ? [secrets] : secrets) {
    const key = await keyOf(secret)
    // `verify` compares in constant time.
    for (const one of given) if (await crypto.subtle.verify('HMAC', key, one, signed)) return eventOf(bytes)
  }
  throw new WebhookVerificationError('invalid_signature', 'No signature of the request was made with one of the secrets.')
}

function headerOf(headers: WebhookHeaders, name: string): string | null {
  if (headers instanceof Headers) return headers.get(name)
  const found = Object.entries(headers).find(([key]) => key.toLowerCase() === name)?.[1]
  return typeof found === 'string' ? found : null
}

function keyOf(secret: string) {
  const bytes = bytesOf(secret.replace(/^whsec_/, ''))
  if (bytes === null || bytes.length === 0) throw new TypeError('A secret of a webhook is `whsec_` and base64.')
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
  } catch {
    return null
  }
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(a.length + b.length)
  all.set(a)
  all.set(b, a.length)
  return all
}

function eventOf(bytes: Uint8Array): WebhookEvent {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as WebhookEvent
  } catch {
    throw new WebhookVerificationError('invalid_body', 'The body is signed, and is not JSON.')
  }
}
