// A network of a single test, indexed end to end and queried through `/v1`: real log, real engine, real HTTP.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { lakeSource } from '@orrery/ingest'
import type { Protocol } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { networkFromJson } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { openDataFolder } from '../src/data-folder.ts'
import { type RunningSystem, startSystem } from '../src/start-system.ts'

export interface Question {
  readonly registry: unknown
  /** That the registry may name. Default: those of the build. */
  readonly protocols?: readonly Protocol<unknown>[]
  readonly lake: string
  readonly fromLedger?: number
  /** Kept for the next start when it is named; else a folder that goes away. */
  readonly data?: string
}

/** JSON as it comes: the wire's shapes are checked by the API's own tests; here a test compares what it expects. */
type Data = ReturnType<typeof JSON.parse>

export interface Answer {
  readonly data: Data
  readonly enrichment: { readonly assets: Record<string, Data>; readonly contracts: Record<string, Data> }
  readonly meta: { readonly partial_result: boolean; readonly last_indexed_ledger: number; readonly attribution_confidence: number }
}

export class IndexedNetwork implements AsyncDisposable {
  readonly system: RunningSystem
  readonly #stack: AsyncDisposableStack

  private constructor(system: RunningSystem, stack: AsyncDisposableStack) {
    this.system = system
    this.#stack = stack
  }

  /** Resolves when everything that the lake has is readable. */
  static async of({ registry, protocols = PROTOCOLS, lake, fromLedger, data }: Question): Promise<IndexedNetwork> {
    await using starting = new AsyncDisposableStack()
    const dir = data ?? mkdtempSync(join(tmpdir(), 'orrery-network-'))
    if (data === undefined) starting.defer(() => rmSync(dir, { recursive: true, force: true }))
    const network = networkFromJson(protocols, registry)
    const system = await startSystem(
      {
        network,
        protocols,
        source: lakeSource(lake),
        fromLedger,
        folder: starting.use(openDataFolder(dir, network)),
        host: '127.0.0.1',
        port: 0,
        internalPort: 0,
        logger: createLogger({ name: 'test', level: 'silent', json: true }),
        metrics: createMetrics(),
        stop: new AbortController().signal,
      },
      starting,
    )
    await Promise.race([system.caughtUp, system.failed.then((error) => Promise.reject(error))])
    return new IndexedNetwork(system, starting.move())
  }

  get(path: string): Promise<Answer> {
    return askData(this.#api, path)
  }

  ask(path: string): Promise<{ readonly status: number; readonly body: Data }> {
    return askPath(this.#api, path)
  }

  get #api(): ServedApi {
    return { url: this.system.url, apiKey: this.system.secrets.apiKey }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }
}

/** Where an API is asked, and with which key. */
interface ServedApi {
  readonly url: string
  readonly apiKey: string
}

export async function askPath({ url, apiKey }: ServedApi, path: string): Promise<{ readonly status: number; readonly body: Data }> {
  const response = await fetch(`${url}${path}`, { headers: { 'x-service-api-key': apiKey } })
  return { status: response.status, body: (await response.json()) as Data }
}

/** How often a request is made that the service gave up for want of time under load. */
const TRIES = 5

/** The answer, which must be a success. */
export async function askData(api: ServedApi, path: string): Promise<Answer> {
  let { status, body } = await askPath(api, path)
  for (let tries = 1; status === 504 && tries < TRIES; tries++) ({ status, body } = await askPath(api, path))
  if (status !== 200) throw new Error(`${path}: ${status} ${JSON.stringify(body)}`)
  return body as Answer
}
