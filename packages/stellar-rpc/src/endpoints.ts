// Several equivalent endpoints: the first healthy one is used, until one answers, all refuse, or time is up.
// Callers make the error messages: the meaning of a failure depends on the request.

import { setTimeout as sleep } from 'node:timers/promises'
import { Endpoint, nextEndpoint } from './endpoint.ts'
import type { Failure, Outcome } from './outcome.ts'
import type { Retry } from './retry.ts'
import type { CallOptions, RpcTime } from './rpc.ts'

const RETRY_FOR_MS = 60_000

export interface EndpointsOptions {
  readonly urls: readonly URL[]
  readonly retryForMs?: number | undefined
  readonly onRetry?: ((retry: Retry) => void) | undefined
  readonly time?: RpcTime | undefined
}

/** A failure and its endpoint. */
export interface FailureAt extends Failure {
  readonly host: string
}

/** The value, or why there is none: all endpoints refused, or transient failures lasted too long. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly reason: 'refused' | 'unreachable'; readonly failures: readonly FailureAt[]; readonly triedForMs: number }

const systemTime: RpcTime = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  random: () => Math.random(),
}

export class Endpoints {
  readonly all: readonly Endpoint[]
  readonly time: RpcTime
  readonly #options: EndpointsOptions

  constructor(options: EndpointsOptions) {
    this.all = options.urls.map((url) => new Endpoint(url))
    this.time = options.time ?? systemTime
    this.#options = options
  }

  /** The only part of their addresses that may be shown. */
  get hosts(): string {
    return this.all.map(({ host }) => host).join(', ')
  }

  /** Makes attempts until one succeeds. Throws what an attempt throws, and the reason of `signal`. */
  async request<T>(
    what: string,
    attempt: (endpoint: Endpoint) => Promise<Outcome<T>>,
    { signal, retryForMs }: CallOptions,
  ): Promise<Answer<T>> {
    const triedForMs = retryForMs ?? this.#options.retryForMs ?? RETRY_FOR_MS
    const giveUpAtMs = this.time.nowMs() + triedForMs
    const refusals = new Map<Endpoint, FailureAt>()
    for (;;) {
      signal?.throwIfAborted()
      const nowMs = this.time.nowMs()
      // Servers keep different ledgers and have different rules: another one may accept what one refuses.
      const left = this.all.filter((one) => !refusals.has(one))
      const endpoint = nextEndpoint(left, nowMs)
      if (endpoint === null) return { ok: false, reason: 'refused', failures: [...refusals.values()], triedForMs }
      const waitMs = Math.max(0, endpoint.usableAtMs - nowMs)
      const { lastFailure, host } = endpoint
      if (lastFailure !== null && nowMs + waitMs > giveUpAtMs)
        return { ok: false, reason: 'unreachable', failures: [{ ...lastFailure, host }], triedForMs }
      if (waitMs > 0) await this.time.sleep(waitMs, signal)
      const outcome = await this.attempt(endpoint, attempt)
      if (outcome.ok) return outcome
      if (outcome.fault !== 'transient') refusals.set(endpoint, { ...outcome, host })
      else this.#options.onRetry?.({ what, host, problem: outcome.problem, failures: endpoint.failures })
    }
  }

  /** One attempt at one endpoint. Its outcome counts for later choices. */
  async attempt<T>(endpoint: Endpoint, attempt: (endpoint: Endpoint) => Promise<Outcome<T>>): Promise<Outcome<T>> {
    const outcome = await attempt(endpoint)
    if (outcome.ok) endpoint.worked()
    else if (outcome.fault === 'transient') endpoint.failed(outcome, this.time)
    else if (outcome.fault === 'endpoint') endpoint.refused(this.time.nowMs())
    return outcome
  }
}
