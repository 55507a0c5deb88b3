// One endpoint: its address, what is known of its network, and until when it is left alone after a failure.

import type { Failure } from './outcome.ts'
import type { RpcTime } from './rpc.ts'

/** The first pause after a failure is at most this; it doubles with each further failure, up to the cap. */
const BACKOFF_BASE_MS = 200
const BACKOFF_CAP_MS = 10_000
/** For so long others are asked first. It doubles with each further failure, up to the cap. */
const AVOID_BASE_MS = 5_000
const AVOID_CAP_MS = 60_000

export class Endpoint {
  /** The only part of the address that may be shown. */
  readonly host: string
  readonly headers: Readonly<Record<string, string>>
  readonly #url: string
  #lastFailure: Failure | null = null
  #failures = 0
  #mayAskAtMs = 0
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

  /** @param path Behind its address: appended to that's path, its query stays where it is. */
  urlOf(path: string): string {
    if (path === '') return this.#url
    const url = new URL(this.#url)
    url.pathname = `${url.pathname.replace(/\/$/, '')}/${path}`
    return url.href
  }

  /** What went wrong last; null after a success. */
  get lastFailure(): Failure | null {
    return this.#lastFailure
  }

  /** Consecutive failures. */
  get failures(): number {
    return this.#failures
  }

  /** When it may be asked again, in Unix milliseconds; the past: at once. */
  get mayAskAtMs(): number {
    return this.#mayAskAtMs
  }

  isAvoided(nowMs: number): boolean {
    return nowMs < this.#avoidUntilMs
  }

  worked(): void {
    this.#lastFailure = null
    this.#failures = 0
    this.#mayAskAtMs = 0
    this.#avoidUntilMs = 0
  }

  /** Leaves it alone for a random part of a growing time (full jitter: many clients must not come back at once), and at least as long as it asked. */
  failed(failure: Failure, { nowMs, random }: RpcTime): void {
    this.#lastFailure = failure
    const pauseMs = random() * Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures)
    const avoidMs = Math.min(AVOID_CAP_MS, AVOID_BASE_MS * 2 ** this.#failures)
    this.#failures++
    this.#mayAskAtMs = nowMs() + Math.max(pauseMs, failure.retryAfterMs ?? 0)
    this.#avoidUntilMs = Math.max(nowMs() + avoidMs, this.#mayAskAtMs)
  }

  /** It refuses us as such: others are asked first for the longest time. */
  refused(nowMs: number): void {
    this.#avoidUntilMs = nowMs + AVOID_CAP_MS
  }
}

/** Whom to ask next: the first that is not avoided, else the one that may be asked soonest. Null when there is nobody. */
export function nextEndpoint(endpoints: readonly Endpoint[], nowMs: number): Endpoint | null {
  const fresh = endpoints.find((endpoint) => !endpoint.isAvoided(nowMs))
  const [soonest] = endpoints.toSorted((a, b) => a.mayAskAtMs - b.mayAskAtMs)
  return fresh ?? soonest ?? null
}
