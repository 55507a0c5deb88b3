// A lake behind http or https: an object store, or any server of files. Only plain requests are used, so it cannot be listed:
// its first and last file are found by requests for files, and it is assumed to have no gaps until it is read.

import { randomUUID } from 'node:crypto'
import { OrreryError } from '@orrery/errors'
import { type Answer, Endpoints, httpAttempt, type Retry } from '@orrery/stellar-rpc'
import { type FileAnswer, fileRequests, type SendFileRequest } from './file-requests.ts'
import type { LakeFile, LakeFiles } from './lake-files.ts'
import { batchOf, batchPaths, LAKE_MANIFEST, type LakeManifest } from './lake-layout.ts'
import { tooLarge } from './lake-limits.ts'

/** A batch of 64 ledgers has several megabytes. */
const TIMEOUT_MS = 60_000
/** How long a read is retried while the server does not answer. Shorter than the watchdog's limit, so that the process ends with this error. */
const RETRY_FOR_MS = 180_000
/** The same before the first answer: an operator is waiting at the start. */
const START_RETRY_MS = 15_000
/** Answers of object stores for a file that does not exist: 403 where listing is forbidden. */
const [ABSENT, FORBIDDEN] = [404, 403] as const
/** Hides a latency of 60 ms at 1,000 files a second. */
const REQUESTS = 64
/** A lake that begins late is found when its ledgers are at least a quarter of those between the start of the search and its first. */
const FARTHER = 1.25
/** Ledger numbers have 32 bits. */
const LAST_LEDGER = 0xffff_ffff

export interface LakeHttpOptions {
  /** A ledger that the lake probably has: the search for its first and last ledger begins there. */
  readonly near: number
  /** Most requests at the same time. Default: 64. */
  readonly requests?: number | undefined
  readonly onRetry?: ((retry: Retry) => void) | undefined
}

type StoreAnswer<T> = { readonly taken: T } | 'absent' | 'forbidden'

export function lakeHttp(address: string, options: LakeHttpOptions): LakeFiles {
  return new LakeHttp(new URL(address), options)
}

class LakeHttp implements LakeFiles {
  readonly where: string
  readonly filesAhead: number
  readonly #endpoints: Endpoints
  readonly #send: SendFileRequest
  readonly #near: number
  #hasAnswered = false
  /** Lakes only grow: the first file stays the first, and the search for the last one continues from the last one found. */
  #oldest: LakeFile | null = null
  #newest: number | null = null
  /** Whether the store answers 403 for every file that it does not have; null until it has answered 403. */
  #forbidsAbsent: Promise<boolean> | null = null
  absentNote = ''

  constructor(url: URL, { near, requests = REQUESTS, onRetry }: LakeHttpOptions) {
    this.filesAhead = requests
    this.where = `${url.origin}${url.pathname}` // without a user, and without a query, which may hold a signature
    this.#send = fileRequests(requests)
    this.#endpoints = new Endpoints({ urls: [url], onRetry })
    this.#near = near
  }

  async read(path: string, mostBytes: number, signal?: AbortSignal): Promise<Uint8Array | null> {
    const answer = await this.#request('GET', path, async (answer) => ({ bytes: await answer.bytes(mostBytes) }), signal)
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

  /** Looks at the batches after `from` in growing steps: either a gap is small compared with the lake, or the lake has ended. */
  async firstFrom(from: number, manifest: LakeManifest): Promise<LakeFile | null> {
    const size = manifest.ledgersPerBatch
    for (let step = 0, ledger = from; ledger <= LAST_LEDGER && step < 2 ** 12; step = step * 2 + 1, ledger = from + step * size) {
      if (await this.#has(ledger, manifest)) return this.#file(await this.#edge(manifest, ledger, from - size), manifest)
    }
    return null
  }

  /** A ledger that the lake has: the likely one, one of the first, or one in growing steps after the likely one. */
  async #anchor(manifest: LakeManifest): Promise<number | null> {
    for (const ledger of [this.#near, 1, 2, 3]) if (await this.#has(ledger, manifest)) return ledger
    for (let ahead = manifest.ledgersPerBatch; this.#near + ahead <= LAST_LEDGER; ahead = Math.ceil(ahead * FARTHER))
      if (await this.#has(this.#near + ahead, manifest)) return this.#near + ahead
    return null
  }

  /** A ledger after `known` that the lake does not have. */
  async #beyond(manifest: LakeManifest, known: number): Promise<number> {
    let step = manifest.ledgersPerBatch
    while (await this.#has(known + step, manifest)) step *= 2
    return known + step
  }

  /** First ledger of the last batch that exists between `there` and `absent`, which may be before or after it. */
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
      if (await this.#request('HEAD', path, async () => true)) return { path, ...batchOf(ledger, manifest) }
    }
    return null
  }

  /** Null when there is no such file. */
  async #request<T>(
    method: 'GET' | 'HEAD',
    path: string,
    take: (answer: FileAnswer) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<T | null> {
    const answer = await this.#answer(method, path, take, signal)
    if (answer === 'absent') return null
    if (answer !== 'forbidden') return answer.taken
    if (path === LAKE_MANIFEST || !(await this.#isAbsent())) throw this.#forbidden(path)
    this.absentNote =
      ' Its server answers HTTP status 403 (forbidden), not 404, for every file that it does not have: check as well that its files may be read.'
    return null
  }

  /**
   * Whether 403 says that a file does not exist. It does at object stores whose files may be read, but not listed: they answer it for any name,
   * and still return the manifest; credentials may have expired since the last request.
   */
  async #isAbsent(): Promise<boolean> {
    this.#forbidsAbsent ??= this.#status(`no-such-file-${randomUUID()}`).then((status) => status === 'forbidden')
    return (await this.#forbidsAbsent) && (await this.#status(LAKE_MANIFEST)) !== 'forbidden'
  }

  async #status(path: string): Promise<'there' | 'absent' | 'forbidden'> {
    const answer = await this.#answer('HEAD', path, async () => true)
    return typeof answer === 'string' ? answer : 'there'
  }

  #forbidden(path: string): OrreryError {
    const message = `${this.where} answered with HTTP status 403 (forbidden) on a request for ${path}. The file was not read, and nothing is lost. Check the address of the lake and its credentials; then start again.`
    return new OrreryError('invalid', 'source_refused', message)
  }

  async #answer<T>(
    method: 'GET' | 'HEAD',
    path: string,
    take: (answer: FileAnswer) => Promise<T>,
    signal?: AbortSignal,
  ): Promise<StoreAnswer<T>> {
    const { time } = this.#endpoints
    const answer = await this.#endpoints.request<StoreAnswer<T>>(
      path,
      (endpoint) =>
        httpAttempt<StoreAnswer<T>, FileAnswer>({
          endpoint,
          path,
          send: (url, options) => this.#send(method, url, options),
          expects: [ABSENT, FORBIDDEN],
          read: async (file) => {
            if (file.status !== ABSENT && file.status !== FORBIDDEN) return { ok: true, value: { taken: await take(file) } }
            await file.body.cancel()
            return { ok: true, value: file.status === FORBIDDEN ? 'forbidden' : 'absent' }
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
    const what = `${this.where} ${problem} on a request for ${path}`
    if (reason === 'refused')
      return new OrreryError('invalid', 'source_refused', `${what}. A retry would not help. Check the address of the lake.`)
    const message = `${what} (tried for ${Math.round(triedForMs / 1000)} s). Nothing is lost; start again when it can be reached.`
    return new OrreryError('unavailable', 'source_unreachable', message)
  }
}
