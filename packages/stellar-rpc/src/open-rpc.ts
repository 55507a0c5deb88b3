// The client: asks one endpoint after the other until one answers, and tells what may be tried again from what may not.

import { setTimeout as sleep } from 'node:timers/promises'
import { assert, OrreryError } from '@orrery/errors'
import type { z } from 'zod'
import { Health, LatestLedger, LedgerEntries, Ledgers, NetworkFacts, VersionInfo } from './answers.ts'
import { Endpoint, nextEndpoint } from './endpoint.ts'
import { type Failure, failure, type Outcome } from './outcome.ts'
import { post } from './post.ts'
import type { CallOptions, Rpc, RpcLedger, RpcLedgerEntries, RpcLedgers, RpcOptions, RpcSurvey, RpcTime } from './rpc.ts'

const TIMEOUT_MS = 30_000
const RETRY_FOR_MS = 60_000
/** Limits of the server, which no provider raises. */
const KEYS_AT_ONCE = 200
const LEDGERS_AT_ONCE = 200

const systemTime: RpcTime = {
  nowMs: () => Date.now(),
  sleep: (ms, signal) => sleep(ms, undefined, signal ? { signal } : {}),
  random: () => Math.random(),
}

interface Call<T> {
  readonly method: string
  readonly params?: object
  readonly result: z.ZodType<T>
  readonly options: CallOptions
  /** What is wrong with an answer that can be read. */
  readonly refuse?: (value: T) => Failure | null
}

/** @throws OrreryError `invalid`/`rpc_address_invalid` when an address is none, or there is none. */
export function openRpc(options: RpcOptions): Rpc {
  return new HttpRpc(options)
}

class HttpRpc implements Rpc {
  readonly #options: RpcOptions
  readonly #time: RpcTime
  readonly #endpoints: readonly Endpoint[]
  /** What every endpoint must be of, once it is known. */
  #passphrase: string | null

  constructor(options: RpcOptions) {
    this.#options = options
    this.#time = options.time ?? systemTime
    this.#endpoints = options.urls.map((url) => new Endpoint(readAddress(url)))
    this.#passphrase = options.passphrase ?? null
    if (this.#endpoints.length === 0) throw addressInvalid('No address of a Stellar RPC was given.')
  }

  get describe(): string {
    return `the Stellar RPC at ${this.#endpoints.map(({ host }) => host).join(', ')}`
  }

  getHealth(options: CallOptions = {}): Promise<z.output<typeof Health>> {
    return this.#ask({ method: 'getHealth', result: Health, options })
  }

  getNetwork(options: CallOptions = {}): Promise<z.output<typeof NetworkFacts>> {
    return this.#ask({ method: 'getNetwork', result: NetworkFacts, options })
  }

  getLatestLedger(options: CallOptions = {}): Promise<z.output<typeof LatestLedger>> {
    return this.#ask({ method: 'getLatestLedger', result: LatestLedger, options })
  }

  getVersionInfo(options: CallOptions = {}): Promise<z.output<typeof VersionInfo>> {
    return this.#ask({ method: 'getVersionInfo', result: VersionInfo, options })
  }

  async getLedgers(from: number, limit: number, options: CallOptions = {}): Promise<RpcLedgers> {
    assert(limit >= 1 && limit <= LEDGERS_AT_ONCE, 'getLedgers takes 1 to 200 ledgers', { limit })
    const { ledgers, ...health } = await this.#ask({
      method: 'getLedgers',
      params: { startLedger: from, pagination: { limit } },
      result: Ledgers,
      options,
      refuse: (answer) => holeAt(from, answer.ledgers),
    })
    // What follows a hole is left for the next request, which begins with the hole.
    return { ...health, ledgers: ledgers.filter(({ sequence }, n) => sequence === from + n) }
  }

  async getLedgerEntries(keys: readonly Uint8Array[], options: CallOptions = {}): Promise<RpcLedgerEntries> {
    const texts = [...new Set(keys.map((key) => Buffer.from(key).toString('base64')))] // a repeated key fails the whole request
    const answers = []
    for (let n = 0; n < texts.length; n += KEYS_AT_ONCE) {
      const params = { keys: texts.slice(n, n + KEYS_AT_ONCE) }
      answers.push(await this.#ask({ method: 'getLedgerEntries', params, result: LedgerEntries, options }))
    }
    return {
      entries: answers.flatMap(({ entries, latestLedger }) => entries.map((entry) => ({ ...entry, asOfLedger: latestLedger }))),
      latestLedger: Math.min(...answers.map(({ latestLedger }) => latestLedger)),
    }
  }

  async survey(options: CallOptions = {}): Promise<RpcSurvey> {
    // The first answer is retried for: at least one endpoint must work. The others are asked once.
    const first = await this.getHealth(options)
    const others = await Promise.all(this.#endpoints.map((endpoint) => this.#healthOf(endpoint, options)))
    const healths = [first, ...others.filter((health) => health !== null)]
    const { passphrase } = await this.getNetwork(options)
    return {
      passphrase,
      oldestLedger: Math.min(...healths.map(({ oldestLedger }) => oldestLedger)),
      latestLedger: Math.max(...healths.map(({ latestLedger }) => latestLedger)),
    }
  }

  /** Null when it does not answer now: that is no reason not to use the others. */
  async #healthOf(endpoint: Endpoint, options: CallOptions): Promise<z.output<typeof Health> | null> {
    const outcome = await this.#attempt(endpoint, { method: 'getHealth', result: Health, options })
    return outcome.ok ? outcome.value : null
  }

  async #ask<T>(call: Call<T>): Promise<T> {
    const { method, options } = call
    const { signal, retryForMs = this.#options.retryForMs ?? RETRY_FOR_MS } = options
    const giveUpAtMs = this.#time.nowMs() + retryForMs
    const refusals = new Map<Endpoint, Failure>()
    let last: { readonly endpoint: Endpoint; readonly failed: Failure } | null = null
    for (;;) {
      signal?.throwIfAborted()
      const nowMs = this.#time.nowMs()
      // Nodes keep different pasts and have different rules: what one refuses another may give.
      const endpoint = nextEndpoint(
        this.#endpoints.filter((one) => !refusals.has(one)),
        nowMs,
      )
      if (endpoint === null) throw refused(method, [...refusals])
      const waitMs = endpoint.mayAskAtMs - nowMs
      if (last !== null && nowMs + Math.max(0, waitMs) > giveUpAtMs) throw unreachable(method, last, retryForMs)
      if (waitMs > 0) await this.#time.sleep(waitMs, signal)
      const outcome = await this.#attempt(endpoint, call)
      if (outcome.ok) return outcome.value
      if (outcome.fault !== 'transient') refusals.set(endpoint, outcome)
      else {
        last = { endpoint, failed: outcome }
        this.#options.onRetry?.({ method, host: endpoint.host, problem: outcome.problem, failures: endpoint.failures })
      }
    }
  }

  async #attempt<T>(endpoint: Endpoint, call: Call<T>): Promise<Outcome<T>> {
    const checked = await this.#check(endpoint, call.options)
    const outcome = checked ?? (await this.#post(endpoint, call))
    if (outcome.ok) endpoint.worked()
    else if (outcome.fault === 'transient') endpoint.failed(outcome.retryAfterMs, this.#time)
    else if (outcome.fault === 'endpoint') endpoint.refused(this.#time.nowMs())
    return outcome
  }

  /** Asks an endpoint for its network before anything else. Returns what went wrong, or null. */
  async #check(endpoint: Endpoint, options: CallOptions): Promise<Failure | null> {
    if (endpoint.isChecked) return null
    const outcome = await this.#post(endpoint, { method: 'getNetwork', result: NetworkFacts, options })
    if (!outcome.ok) return outcome
    const { passphrase } = outcome.value
    this.#passphrase ??= passphrase
    if (passphrase !== this.#passphrase) throw wrongNetwork(endpoint.host, passphrase, this.#passphrase)
    endpoint.isChecked = true
    return null
  }

  async #post<T>({ url, headers }: Endpoint, { method, params, result, options, refuse }: Call<T>): Promise<Outcome<T>> {
    const { timeoutMs = TIMEOUT_MS } = this.#options
    const outcome = await post({ url, headers, method, params, result, timeoutMs, signal: options.signal, nowMs: this.#time.nowMs })
    return (outcome.ok ? refuse?.(outcome.value) : null) ?? outcome
  }
}

function readAddress(text: string): URL {
  const url = URL.parse(text)
  if (url !== null && /^https?:$/.test(url.protocol)) return url
  // What cannot be read may still hold a key: it is not repeated.
  throw addressInvalid('An address of a Stellar RPC is not an http or https address.')
}

function addressInvalid(what: string): OrreryError {
  return new OrreryError(
    'invalid',
    'rpc_address_invalid',
    `${what} Nothing was started. Write it as https://host/path, several separated by commas.`,
  )
}

function wrongNetwork(host: string, is: string, expected: string): OrreryError {
  const message = `The Stellar RPC at ${host} is of the network "${is}", and "${expected}" was expected. Nothing was read from it. Name an RPC of that network, or the registry of its own.`
  return new OrreryError('invalid', 'wrong_network', message, { context: { host } })
}

/** Ledgers come in ascending order; nobody promises it, so what does not begin with the first one is refused. */
function holeAt(from: number, ledgers: readonly RpcLedger[]): Failure | null {
  const first = ledgers[0]?.sequence
  if (first === from) return null
  if (first === undefined || first < from) return failure('transient', `gave no ledger ${from} in its answer`)
  return failure('request', `has no ledger ${from}, and has ledger ${first}`, { hole: { first: from, last: first - 1 } })
}

function refused(method: string, refusals: readonly (readonly [Endpoint, Failure])[]): OrreryError {
  const answers = refusals.map(([{ host }, { problem }]) => `${host} ${problem}`).join('; ')
  const [[, { status, hole }] = [null, { status: null, hole: null }]] = refusals
  if (hole !== null) {
    const message = `Ledgers are missing at the Stellar RPC: ${answers}. Everything before ledger ${hole.first} is whole and kept. Name another endpoint, or a lake that has them, and start again: it goes on from there.`
    return new OrreryError('corrupt', 'ledgers_missing', message, { context: { first: hole.first, last: hole.last } })
  }
  const message = `The Stellar RPC refused ${method}: ${answers}. Asking again would not help. Check its address, its key and what it offers.`
  return new OrreryError('invalid', 'rpc_refused', message, { context: { method, status } })
}

function unreachable(
  method: string,
  { endpoint, failed }: { readonly endpoint: Endpoint; readonly failed: Failure },
  retryForMs: number,
): OrreryError {
  const wait = failed.retryAfterMs === null ? '' : `, and asked for ${Math.ceil(failed.retryAfterMs / 1000)} s of rest`
  const message = `No answer from the Stellar RPC to ${method} (tried for ${Math.round(retryForMs / 1000)} s): ${endpoint.host} ${failed.problem}${wait}. Nothing is lost. Start again when it can be reached, or name more endpoints, separated by commas.`
  return new OrreryError('unavailable', 'rpc_unreachable', message, { context: { method, host: endpoint.host } })
}
