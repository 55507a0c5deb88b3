// One endpoint: its address, its failures, and until when it is avoided after one.

import type { Failure } from './outcome.ts'
import type { RpcTime } from './rpc.ts'

/** The first pause after a failure is at most this; it doubles with each further failure, up to the cap. */
const BACKOFF_BASE_MS = 200
const BACKOFF_CAP_MS = 10_000
/** How long other endpoints are preferred after a failure. It doubles with each further failure, up to the cap. */
const AVOID_BASE_MS = 5_000
const AVOID_CAP_MS = 60_000

export class Endpoint {
  /** The only part of the address that may be shown. */
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  readonly #url: string
  #lastFailure: Failure | null = null
  #failures = 0
  #usableAtMs = 0
  #avoidUntilMs = 0

  constructor(url: URL) {
    this.host = url.host
    const { username, password } = url
    const isNamed = username !== '' || password !== ''
    const name = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
    this.headers = isNamed ? { authorization: `Basic ${Buffer.from(name).toString('base64')}` } : {}
    const bare = new URL(url)
    bare.username = ''
    bare.password = ''
    this.#url = bare.href
  }

  /** @param path Appended to the path of the address; the query of the address is kept. */
  urlOf(path: string): string {
    if (path === '') return this.#url
    const url = new URL(this.#url)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    return url.href
  }

  /** The last failure; null after a success. */
  get lastFailure(): Failure | null {
    return this.#lastFailure
  }

  /** Consecutive failures. */
  get failures(): number {
    return this.#failures
  }

  /** When the endpoint may be used again, in Unix milliseconds; in the past: at once. */
  get usableAtMs(): number {
    return this.#usableAtMs
  }

  isAvoided(nowMs: number): boolean {
    return nowMs < this.#avoidUntilMs
  }

  worked(): void {
    this.#lastFailure = null
    this.#failures = 0
    this.#usableAtMs = 0
    this.#avoidUntilMs = 0
  }

  /** Pauses the endpoint for a random part of a growing time (full jitter, so that clients do not return at once), and at least for its `Retry-After`. */
  failed(failure: Failure, { nowMs, random }: RpcTime): void {
    this.#lastFailure = failure
    const pauseMs = random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures)
    const avoidMs = Math.min(AVOID_CAP_MS, AVOID_BASE_MS * 2 ** this.#failures)
    this.#failures++
    this.#usableAtMs = nowMs() + Math.max(pauseMs, failure.retryAfterMs ?? 0)
    this.#avoidUntilMs = Math.max(nowMs() + avoidMs, this.#usableAtMs)
  }

  /** The endpoint refuses this client: others are preferred for the longest time. */
  refused(nowMs: number): void {
    this.#avoidUntilMs = nowMs + AVOID_CAP_MS
  }
}

/** The endpoint to use next: the first that is not avoided, else the one that is usable soonest. Null when there is none. */
export function nextEndpoint(endpoints: readonly Endpoint[], nowMs: number): Endpoint | null {
  const fresh = endpoints.find((endpoint) => !endpoint.isAvoided(nowMs))
  const [soonest] = endpoints.toSorted((a, b) => a.usableAtMs - b.usableAtMs)
  return fresh ?? soonest ?? null
}
