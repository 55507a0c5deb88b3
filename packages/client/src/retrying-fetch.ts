// Sends a request until it has an answer: with its credential, repeated where that helps, and with an error where it does not.

import { addCredential, type CredentialKind, credentialOf } from './credentials.ts'
import { delay } from './delay.ts'
import { ApiError, ConnectionError } from './errors.ts'
import type { ErrorEnvelope } from './generated/openapi.ts'
import type { ClientOptions } from './options.ts'
import { type RateLimit, readRateLimit, readRetryAfter } from './rate-limit.ts'

/** Statuses after which the same request may succeed. A 429 was refused before any work, so every method may be repeated. */
const REPEATABLE = [429, 502, 503, 504]
const FIRST_BACKOFF_MS = 250
const MAX_BACKOFF_MS = 8_000

/** Units left of a credential's minute, and when the next minute begins. */
interface Minute {
  readonly remaining: number
  readonly resetAtMs: number
}

export class RetryingFetch {
  readonly #options: ClientOptions
  readonly #minutes = new Map<CredentialKind, Minute>()
  /** Of the last response that had one. */
  rateLimit: RateLimit | null = null

  constructor(options: ClientOptions) {
    this.#options = options
  }

  /** @throws ApiError for every status but 2xx, ConnectionError, or the reason of the request's signal. */
  send(request: Request): Promise<Response> {
    return this.#respond(request, async (response) => {
      // The body is read here, so that `timeoutMs` and a broken connection are noticed here too.
      const body = await response.text()
      if (!isReadable(response, body)) return apiErrorOf(response, body)
      return new Response(body === '' ? null : body, response)
    })
  }

  /** @param read Makes the result of an answer with a status of 2xx. */
  async #respond(request: Request, read: (response: Response) => Promise<Response | ApiError>): Promise<Response> {
    const { maxRetries = 3, maxRetryDelayMs = 65_000 } = this.#options
    const kind = credentialOf(request.method, pathOf(request, this.#options.baseUrl))
    await addCredential(request.headers, kind, this.#options)
    for (let retries = 0; ; retries++) {
      await this.#awaitMinute(kind, request.signal, maxRetries > 0 ? maxRetryDelayMs : 0)
      const outcome = await this.#attempt(request, kind, read)
      if (outcome instanceof Response) return outcome
      const delayMs = delayOf(outcome, retries)
      if (retries >= maxRetries || delayMs > maxRetryDelayMs || !isRepeatable(outcome, request.method)) throw outcome
      await delay(delayMs, request.signal)
    }
  }

  /**
   * The text of an answer that does not end, chunk by chunk. `silenceMs`: longest time without any.
   * @throws as `send` before the first chunk; ConnectionError when the connection is lost later, or the reason of the request's signal.
   */
  async connect(request: Request, silenceMs: number): Promise<AsyncIterable<string>> {
    const response = await this.#respond(request, async (answer) =>
      isEventStream(answer) ? answer : apiErrorOf(answer, await answer.text()),
    )
    return chunksOf(response, request, silenceMs)
  }

  /** Without units left, the next request would be refused: it waits for the next minute, if that begins soon enough. */
  async #awaitMinute(kind: CredentialKind, signal: AbortSignal, maxDelayMs: number): Promise<void> {
    const minute = this.#minutes.get(kind)
    if (minute === undefined || minute.remaining > 0) return
    const delayMs = minute.resetAtMs - Date.now()
    if (delayMs > 0 && delayMs <= maxDelayMs) await delay(delayMs, signal)
    this.#minutes.delete(kind)
  }

  async #attempt(
    request: Request,
    kind: CredentialKind,
    read: (response: Response) => Promise<Response | ApiError>,
  ): Promise<Response | ApiError | ConnectionError> {
    const { fetch: send = (sent: Request) => fetch(sent), timeoutMs = 30_000, onResponse } = this.#options
    // No `AbortSignal.timeout` or `any`: the one would also end a stream, which goes on when its headers have come, and what follows such a signal may be
    // collected while the request is under way, so that an abort would be lost.
    const stop = new AbortController()
    const abort = () => stop.abort()
    const timer = setTimeout(abort, timeoutMs)
    request.signal.addEventListener('abort', abort, { once: true })
    const attempt = async (): Promise<Response | ApiError> => {
      const response = await send(new Request(request.clone(), { signal: stop.signal }))
      this.#note(response, kind)
      onResponse?.(response, request)
      return response.ok ? await read(response) : apiErrorOf(response, await response.text())
    }
    try {
      request.signal.throwIfAborted()
      return await Promise.race([attempt(), abortOf(stop.signal)])
    } catch (cause) {
      request.signal.throwIfAborted()
      const reason = stop.signal.aborted ? `No response came within ${timeoutMs} ms` : 'The request failed without a response'
      return new ConnectionError(`${reason}: ${request.method} ${request.url}`, { cause })
    } finally {
      clearTimeout(timer)
      request.signal.removeEventListener('abort', abort)
    }
  }

  #note(response: Response, kind: CredentialKind): void {
    const rateLimit = readRateLimit(response.headers)
    if (rateLimit === null) return
    this.rateLimit = rateLimit
    this.#minutes.set(kind, { remaining: rateLimit.remaining, resetAtMs: Date.now() + rateLimit.resetSeconds * 1000 })
  }
}

/** Rejects when the signal aborts. */
function abortOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

async function* chunksOf(response: Response, request: Request, silenceMs: number): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return
  const reader = response.body.getReader()
  const decoder = new TextDecoder()
  let isSilent = false
  // A cancelled reader is at its end.
  const cancel = () => void reader.cancel().catch(() => undefined)
  const beSilent = () => {
    isSilent = true
    cancel()
  }
  let timer = setTimeout(beSilent, silenceMs)
  request.signal.addEventListener('abort', cancel, { once: true })
  try {
    for (;;) {
      request.signal.throwIfAborted()
      const { done, value } = await reader.read()
      request.signal.throwIfAborted()
      if (isSilent) throw new Error(`Nothing came for ${silenceMs} ms.`)
      if (done) return
      clearTimeout(timer)
      timer = setTimeout(beSilent, silenceMs)
      yield decoder.decode(value, { stream: true })
    }
  } catch (cause) {
    request.signal.throwIfAborted()
    const reason = isSilent ? `Nothing came for ${silenceMs} ms` : 'The connection was lost'
    throw new ConnectionError(`${reason}: ${request.method} ${request.url}`, { cause })
  } finally {
    clearTimeout(timer)
    request.signal.removeEventListener('abort', cancel)
    cancel()
  }
}

/** From `/v1` on: what follows the base URL, which may have a path of its own. */
function pathOf({ url }: Request, baseUrl: string): string {
  const base = new URL(baseUrl === '' ? '/' : baseUrl, url).pathname.replace(/\/$/, '')
  return new URL(url).pathname.slice(base.length)
}

function isRepeatable(error: ApiError | ConnectionError, method: string): boolean {
  const isSafe = method === 'GET'
  if (!(error instanceof ApiError)) return isSafe
  return REPEATABLE.includes(error.status) && (isSafe || error.status === 429)
}

/** As long as the API asks for; else twice as long each time, less a random part, so that clients do not return at the same moment. */
function delayOf(error: ApiError | ConnectionError, retries: number): number {
  const asked =
    error instanceof ApiError ? (error.retryAfterSeconds ?? (error.status === 429 ? error.rateLimit?.resetSeconds : null)) : null
  if (asked != null) return asked * 1000
  return Math.min(MAX_BACKOFF_MS, FIRST_BACKOFF_MS * 2 ** retries) * (0.5 + Math.random() / 2)
}

function isReadable(response: Response, body: string): boolean {
  return body === '' || /\bjson\b/.test(response.headers.get('content-type') ?? '')
}

function isEventStream(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true
}

function apiErrorOf(response: Response, text: string): ApiError {
  const { status, headers } = response
  const body = parsed(text)
  const known = isEnvelope(body) && !response.ok ? body.error : null
  const message =
    known?.message ?? `The response with status ${status} is none of the Orrery API. Check \`baseUrl\` and any proxy before it.`
  return new ApiError(message, {
    code: known?.code ?? 'unknown_response',
    status,
    docs: known === null ? null : docsOf(known.docs, response.url),
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: readRetryAfter(headers, Date.now()),
    rateLimit: readRateLimit(headers),
    body,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function isEnvelope(body: unknown): body is ErrorEnvelope {
  const { error } = (body ?? {}) as { readonly error?: { readonly code?: unknown; readonly message?: unknown } }
  return typeof error?.code === 'string' && typeof error.message === 'string'
}

/** The path of the page as an address, where the response has one. */
function docsOf(path: string, responseUrl: string): string {
  return responseUrl === '' ? path : new URL(path, responseUrl).href
}
