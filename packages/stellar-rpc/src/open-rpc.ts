// The client: the methods of Stellar RPC over several endpoints. The network of each endpoint is checked before its first use.

import { assert } from '@orrery/errors'
import { traced } from '@orrery/tracing'
import type { z } from 'zod'
import { Health, LatestLedger, LedgerEntries, Ledgers, NetworkFacts, VersionInfo } from './answers.ts'
import type { Endpoint } from './endpoint.ts'
import { Endpoints } from './endpoints.ts'
import { httpAttempt } from './http-attempt.ts'
import { readAnswer, requestOf } from './json-rpc.ts'
import { type Failure, failure, type Outcome } from './outcome.ts'
import type { CallOptions, Rpc, RpcLedger, RpcLedgerEntries, RpcLedgers, RpcOptions, RpcSurvey, SurveyOptions } from './rpc.ts'
import { addressInvalid, noAnswer, wrongNetwork } from './rpc-error.ts'

const TIMEOUT_MS = 30_000
/** Limits of the server, which no provider raises. */
export const KEYS_AT_ONCE = 200
const LEDGERS_AT_ONCE = 200

interface Call<T> {
  readonly method: string
  readonly params?: object
  readonly result: z.ZodType<T>
  readonly options: CallOptions
  /** Timeout of one attempt. The client's own when not given. */
  readonly timeoutMs?: number
  /** A failure when an answer that can be read is wrong. */
  readonly refuse?: (value: T) => Failure | null
}

/** @throws OrreryError `invalid`/`rpc_address_invalid` when an address is invalid, or none is given. */
export function openRpc(options: RpcOptions): Rpc {
  return new HttpRpc(options)
}

class HttpRpc implements Rpc {
  readonly #timeoutMs: number
  readonly #endpoints: Endpoints
  /** Endpoints whose network has been checked. */
  readonly #checked = new Set<Endpoint>()
  /** Passphrase of the network, once it is known. */
  #passphrase: string | null

  constructor({ urls, timeoutMs = TIMEOUT_MS, passphrase, ...options }: RpcOptions) {
    if (urls.length === 0) throw addressInvalid('No address of a Stellar RPC was given.')
    this.#endpoints = new Endpoints({ ...options, urls: urls.map(readAddress) })
    this.#timeoutMs = timeoutMs
    this.#passphrase = passphrase ?? null
  }

  get describe(): string {
    return `the Stellar RPC at ${this.#endpoints.hosts}`
  }

  getHealth(options: CallOptions = {}): Promise<z.output<typeof Health>> {
    return this.#request({ method: 'getHealth', result: Health, options })
  }

  getNetwork(options: CallOptions = {}): Promise<z.output<typeof NetworkFacts>> {
    return this.#request({ method: 'getNetwork', result: NetworkFacts, options })
  }

  getLatestLedger(options: CallOptions = {}): Promise<z.output<typeof LatestLedger>> {
    return this.#request({ method: 'getLatestLedger', result: LatestLedger, options })
  }

  getVersionInfo(options: CallOptions = {}): Promise<z.output<typeof VersionInfo>> {
    return this.#request({ method: 'getVersionInfo', result: VersionInfo, options })
  }

  async getLedgers(from: number, limit: number, options: CallOptions = {}): Promise<RpcLedgers> {
    assert(limit >= 1 && limit <= LEDGERS_AT_ONCE, 'getLedgers takes 1 to 200 ledgers', { limit })
    const { ledgers, ...health } = await this.#request({
      method: 'getLedgers',
      params: { startLedger: from, pagination: { limit } },
      result: Ledgers,
      options,
      refuse: (answer) => gapAt(from, answer.ledgers),
    })
    // Ledgers after a gap are left for the next request, which begins with the gap.
    return { ...health, ledgers: ledgers.filter(({ sequence }, n) => sequence === from + n) }
  }

  async getLedgerEntries(keys: readonly Uint8Array[], options: CallOptions = {}): Promise<RpcLedgerEntries> {
    const texts = [...new Set(keys.map((key) => Buffer.from(key).toString('base64')))] // a repeated key fails the request
    assert(texts.length > 0, 'getLedgerEntries takes at least one key')
    const answers = []
    for (let n = 0; n < texts.length; n += KEYS_AT_ONCE) {
      const params = { keys: texts.slice(n, n + KEYS_AT_ONCE) }
      answers.push(await this.#request({ method: 'getLedgerEntries', params, result: LedgerEntries, options }))
    }
    return {
      entries: answers.flatMap(({ entries, latestLedger }) => entries.map((entry) => ({ ...entry, asOfLedger: latestLedger }))),
      latestLedger: Math.min(...answers.map(({ latestLedger }) => latestLedger)),
    }
  }

  async survey({ skipAfterMs = this.#timeoutMs, ...options }: SurveyOptions = {}): Promise<RpcSurvey> {
    // Each endpoint is queried once; at least one must answer, which is retried.
    const passphrase = this.#passphrase ?? (await this.getNetwork(options)).passphrase
    const call = { method: 'getHealth', result: Health, options, timeoutMs: skipAfterMs }
    const { all, time } = this.#endpoints
    const ready = all.filter(({ usableAtMs }) => usableAtMs <= time.nowMs())
    const outcomes = await Promise.all(ready.map((endpoint) => this.#endpoints.attempt(endpoint, (one) => this.#attempt(one, call))))
    const answered = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []))
    const [first = await this.getHealth(options), ...others] = answered
    const newest = others.reduce((best, one) => (one.latestLedger > best.latestLedger ? one : best), first)
    const oldestLedger = Math.min(...[first, ...others].map((one) => one.oldestLedger))
    return { ...newest, passphrase, oldestLedger, isComplete: answered.length === all.length }
  }

  async #request<T>(call: Call<T>): Promise<T> {
    const answer = await this.#endpoints.request(call.method, (endpoint) => this.#attempt(endpoint, call), call.options)
    if (answer.ok) return answer.value
    throw noAnswer(call.method, answer)
  }

  async #attempt<T>(endpoint: Endpoint, call: Call<T>): Promise<Outcome<T>> {
    const unfit = await this.#check(endpoint, call)
    if (unfit !== null) return unfit
    const outcome = await this.#post(endpoint, call)
    return (outcome.ok ? call.refuse?.(outcome.value) : null) ?? outcome
  }

  /** Checks the network of an endpoint before its first use. Returns the failure, or null. */
  async #check(
    endpoint: Endpoint,
    { options, timeoutMs = this.#timeoutMs }: Pick<Call<unknown>, 'options' | 'timeoutMs'>,
  ): Promise<Failure | null> {
    if (this.#checked.has(endpoint)) return null
    const outcome = await this.#post(endpoint, { method: 'getNetwork', result: NetworkFacts, options, timeoutMs })
    if (!outcome.ok) return outcome
    const { passphrase } = outcome.value
    this.#passphrase ??= passphrase
    if (passphrase !== this.#passphrase) throw wrongNetwork(endpoint.host, passphrase, this.#passphrase)
    this.#checked.add(endpoint)
    return null
  }

  #post<T>(endpoint: Endpoint, call: Call<T>): Promise<Outcome<T>> {
    const { method, params, result, options, timeoutMs = this.#timeoutMs } = call
    // The host alone: the rest of an address may hold a key.
    const attributes = () => ({ 'rpc.system.name': 'jsonrpc', 'rpc.method': method, 'server.address': endpoint.host })
    return traced({ name: method, kind: 'client', attributes, failure: failureOf }, () =>
      httpAttempt({
        endpoint,
        send: (url, options) => fetch(url, requestOf(method, params, options)),
        read: async (response) => readAnswer(await response.text(), result),
        timeoutMs,
        signal: options.signal,
        nowMs: () => this.#endpoints.time.nowMs(),
      }),
    )
  }
}

/** For the span of a call: a failure is a value here. */
const failureOf = (outcome: Outcome<unknown>): string | null => (outcome.ok ? null : outcome.fault)

function readAddress(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  // An invalid address may still contain a key: it is not shown.
  throw addressInvalid('An address of a Stellar RPC is not an http or https address.')
}

/** Ledgers are in ascending order in practice, without a guarantee: an answer that does not begin with `from` is a failure. */
function gapAt(from: number, ledgers: readonly RpcLedger[]): Failure | null {
  const first = ledgers[0]?.sequence
  if (first === from) return null
  if (first === undefined || first < from) return failure('transient', `returned no ledger ${from}`)
  const gap = { first: from, last: first - 1 }
  return failure('request', `has no ${rangeText(gap)}, and has ledger ${first}`, { gap })
}

const rangeText = ({ first, last }: { readonly first: number; readonly last: number }): string =>
  first === last ? `ledger ${first}` : `ledgers ${first} to ${last}`
