// A lake behind http or https: an object store, or any server of files. Only plain requests are used, so it cannot be listed:
// where it begins and ends is found by asking whether files are there, and it is believed to have no holes until it is read.

import { OrreryError } from '@orrery/errors'
import { type Answer, Endpoints, httpAttempt, type Retry } from '@orrery/stellar-rpc'
import type { LakeFile, LakeFiles } from './lake-files.ts'
import { batchOf, batchPaths, type LakeManifest } from './lake-layout.ts'
import { tooLarge } from './lake-limits.ts'

/** A batch of 64 ledgers has some megabytes. */
const TIMEOUT_MS = 60_000
/** For so long reading waits for a server that does not answer. Less than the watchdog's patience, so that the end says why. */
const RETRY_FOR_MS = 180_000
/** Before the first answer somebody is waiting for a word. */
const START_RETRY_MS = 15_000
/** What stores say of a file that is not there: the latter where one may not list. */
const ABSENT = [404, 403] as const
const OK = 200
/** A lake that begins late is found when it has a quarter of the ledgers that lie before it, counted from where the search begins. */
const FARTHER = 1.25
/** Ledger numbers have 32 bits. */
const LAST_LEDGER = 0xffff_ffff

export interface LakeHttpOptions {
  /** A ledger that it probably has: the search for its first and its last one begins there. */
  readonly near: number
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

export function lakeHttp(address: string, options: LakeHttpOptions): LakeFiles {
  return new LakeHttp(new URL(address), options)
}

class LakeHttp implements LakeFiles {
  readonly where: string
  readonly #endpoints: Endpoints
  readonly #near: number
  #hasAnswered = false
  /** Lakes only grow: the first file stays the first, and the search for the last one goes on from the one that was the last. */
  #oldest: LakeFile | null = null
  #newest: number | null = null

  constructor(url: URL, { near, onRetry }: LakeHttpOptions) {
    this.where = `${url.origin}${url.pathname}` // without a user, and without a query, which may hold a signature
    this.#endpoints = new Endpoints({ urls: [url], onRetry })
    this.#near = near
  }

  async read(path: string, mostBytes: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const answer = await this.#ask('GET', path, async (response) => ({ bytes: await bytesOf(response, mostBytes) }), signal)
    if (answer === null) return null
    if (answer.bytes === null) throw tooLarge(`${this.where}/${path}`, 'packed', mostBytes)
    return answer.bytes
  }

  async oldest(manifest: LakeManifest): Promise<LakeFile | null> {
    this.#oldest ??= await this.#findOldest(manifest)
    return this.#oldest
  }

  async #findOldest(manifest: LakeManifest): Promise<LakeFile | null> {
    const known = await this.#anchor(manifest)
    if (known === null) return null
    // The first ledger of a network is 1, lakes begin with 2, and some with 3.
    for (const ledger of [1, 2, 3]) {
      const file = ledger <= known ? await this.#file(ledger, manifest) : null
      if (file) return file
    }
    return this.#file(await this.#edge(manifest, known, 0), manifest)
  }

  async newest(manifest: LakeManifest): Promise<LakeFile | null> {
    const known = this.#newest ?? (await this.#anchor(manifest))
    if (known === null) return null
    this.#newest = await this.#edge(manifest, known, await this.#beyond(manifest, known))
    return this.#file(this.#newest, manifest)
  }

  /** Looks at the batches behind `from` in growing steps: a hole is small compared with the lake, or it has ended. */
  async firstFrom(from: number, manifest: LakeManifest): Promise<LakeFile | null> {
    const size = manifest.ledgersPerBatch
    for (let step = 0, ledger = from; ledger <= LAST_LEDGER && step < 2 ** 12; step = step * 2 + 1, ledger = from + step * size) {
      if (await this.#has(ledger, manifest)) return this.#file(await this.#edge(manifest, ledger, from - size), manifest)
    }
    return null
  }

  /** A ledger that it has: the likely one, one of the first, or one farther and farther behind the likely one. */
  async #anchor(manifest: LakeManifest): Promise<number | null> {
    for (const ledger of [this.#near, 1, 2, 3]) if (await this.#has(ledger, manifest)) return ledger
    for (let ahead = manifest.ledgersPerBatch; this.#near + ahead <= LAST_LEDGER; ahead = Math.ceil(ahead * FARTHER))
      if (await this.#has(this.#near + ahead, manifest)) return this.#near + ahead
    return null
  }

  /** A ledger behind `known` that it does not have. */
  async #beyond(manifest: LakeManifest, known: number): Promise<number> {
    let step = manifest.ledgersPerBatch
    while (await this.#has(known + step, manifest)) step *= 2
    return known + step
  }

  /** First ledger of the last batch that is there on the way from `there` to `absent`, which may lie before it or behind it. */
  async #edge(manifest: LakeManifest, there: number, absent: number): Promise<number> {
    const size = manifest.ledgersPerBatch
    let [yes, no] = [Math.floor(there / size), Math.floor(absent / size)]
    while (Math.abs(yes - no) > 1) {
      const middle = (yes + no) >> 1
      if (await this.#has(middle * size, manifest)) yes = middle
      else no = middle
    }
    return yes * size
  }

  async #has(ledger: number, manifest: LakeManifest): Promise<boolean> {
    return (await this.#file(ledger, manifest)) !== null
  }

  async #file(ledger: number, manifest: LakeManifest): Promise<LakeFile | null> {
    for (const path of batchPaths(ledger, manifest)) {
      if (await this.#ask('HEAD', path, async () => true)) return { path, ...batchOf(ledger, manifest) }
    }
    return null
  }

  /** Null when there is no such file. */
  async #ask<T>(method: 'GET' | 'HEAD', path: string, take: (response: Response) => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    const { time } = this.#endpoints
    const answer = await this.#endpoints.ask<T | null>(
      path,
      (endpoint) =>
        httpAttempt({
          endpoint,
          path,
          init: { method },
          expects: ABSENT,
          read: async (response) => {
            if (response.status === OK) return { ok: true, value: await take(response) }
            await response.body?.cancel()
            return { ok: true, value: null }
          },
          timeoutMs: TIMEOUT_MS,
          signal,
          nowMs: () => time.nowMs(),
        }),
      { signal, retryForMs: this.#hasAnswered ? RETRY_FOR_MS : START_RETRY_MS },
    )
    this.#hasAnswered ||= answer.ok
    if (answer.ok) return answer.value
    throw this.#noAnswer(path, answer)
  }

  #noAnswer(path: string, { reason, failures, triedForMs }: Extract<Answer<never>, { readonly ok: false }>): OrreryError {
    const problem = failures[0]?.problem ?? 'gave nothing'
    const what = `${this.where} ${problem} when it was asked for ${path}`
    if (reason === 'refused')
      return new OrreryError('invalid', 'source_refused', `${what}. Asking again would not help. Check the address of the lake.`)
    const message = `${what} (tried for ${Math.round(triedForMs / 1000)} s). Nothing is lost; start again when it can be reached.`
    return new OrreryError('unavailable', 'source_unreachable', message)
  }
}

/** Null for a body of more than `mostBytes`, whatever its headers say of it: no more than that is taken in. */
async function bytesOf({ headers, body }: Response, mostBytes: number): Promise<Uint8Array | null> {
  if (body === null) return new Uint8Array()
  if (Number(headers.get('content-length')) > mostBytes) {
    await body.cancel()
    return null
  }
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of body) {
    length += chunk.length
    if (length > mostBytes) return null
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
