// The parts of Orrery as separate processes, over one Kafka broker and one ClickHouse: each test has its own network, topics and database.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { TestClickHouse, TestDatabase } from '@orrery/read-model/testing'
import { type ShortLake, shortLake } from '../short-lake.ts'
import { viewContents } from '../view-contents.ts'
import { Supervised } from './supervised.ts'

/** Short, so that a worker that has ended, or is suspended, loses its partitions soon. */
const SESSION_SECONDS = 3
const LOOK_AGAIN_MS = 50

export interface PartsOptions {
  readonly folder: string
  readonly broker: string
  readonly clickhouse: TestClickHouse
  /** Files of the lake before `grow`. */
  readonly files: number
  /** The address of ClickHouse for workers without an address of their own. Not given: the server itself. */
  readonly clickhouseUrl?: string
}

/** Name of the network that one process indexes, for comparison. */
export const TOGETHER = 'together'

let networks = 0

/** A registry that knows of Soroswap's deployments only: one protocol is enough to share, and each would be a process more. */
export function soroswapAlone(from: string, to: string, network: string): string {
  const registry = JSON.parse(readFileSync(from, 'utf8'))
  const { soroswap } = registry.protocols
  const none = { deployments: [] }
  writeFileSync(to, JSON.stringify({ ...registry, network, protocols: { blend: none, aquarius: none, soroswap, fxdao: none } }))
  return to
}

export class Parts implements AsyncDisposable {
  lake: ShortLake
  readonly database: TestDatabase
  readonly #options: PartsOptions
  readonly #registry: string
  /** Topics carry the network's name: one of its own gives a test topics of its own. */
  readonly #network = `apart-${process.pid}-${networks++}`
  readonly #stack = new AsyncDisposableStack()
  /** Rejects when a process has ended for good that should not have: whatever is waited for then may never come. */
  readonly failure: Promise<never>
  readonly #fail: (error: unknown) => void

  private constructor(options: PartsOptions, database: TestDatabase) {
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined) // also where nothing is waited for
    this.failure = promise
    this.#fail = reject
    const folder = join(options.folder, this.#network)
    mkdirSync(folder)
    this.#options = options
    this.database = database
    this.lake = shortLake(join(folder, 'lake'), options.files)
    this.#registry = soroswapAlone(this.lake.registry, join(folder, 'registry.json'), this.#network)
  }

  static async on(options: PartsOptions): Promise<Parts> {
    return new Parts(options, await options.clickhouse.database())
  }

  /** Reads what the lake has, then ends. */
  ingest(): Supervised {
    return this.#start(['ingest', '--lake', this.lake.directory], {})
  }

  /** Resolves when the log has what the lake has. */
  async ingestAll(): Promise<void> {
    await this.ingest().done()
  }

  worker(clickhouseUrl = this.#options.clickhouseUrl): Supervised {
    const { url, user, password } = this.database.address('writer')
    return this.#start(['adapter', 'soroswap'], {
      ORRERY_CLICKHOUSE_URL: clickhouseUrl ?? url,
      ORRERY_CLICKHOUSE_USER: user,
      ORRERY_CLICKHOUSE_PASSWORD: password,
      ORRERY_CLICKHOUSE_DATABASE: this.database.name,
    })
  }

  api(identity: string): Supervised {
    const { url, user, password } = this.database.address('api')
    return this.#start(['api'], {
      ORRERY_CLICKHOUSE_URL: url,
      ORRERY_CLICKHOUSE_USER: user,
      ORRERY_CLICKHOUSE_PASSWORD: password,
      ORRERY_CLICKHOUSE_DATABASE: this.database.name,
      ORRERY_IDENTITY: identity,
      ORRERY_CURSOR_KEY: '00'.repeat(32),
      ORRERY_PORT: '0',
    })
  }

  /** Extends the lake to this number of files, as a network that continues. */
  grow(files: number): void {
    this.lake = shortLake(this.lake.directory, files)
  }

  /** Resolves when every partition and the ledgers are stored up to the lake's end. */
  async indexed(): Promise<void> {
    const reader = this.database.connect('admin').client
    const query = 'SELECT count() AS partitions, min(ledger) AS least FROM checkpoints_v1 FINAL'
    for (;;) {
      const [row] = await (await reader.query({ query, format: 'JSONEachRow' })).json<{ partitions: string; least: number }>()
      // Four partitions, and the follower of the control topic.
      if (Number(row?.partitions) === 5 && (row?.least ?? 0) >= this.lake.lastLedger) return
      await Promise.race([delay(LOOK_AGAIN_MS), this.failure])
    }
  }

  /** Resolves when anything is stored. */
  async begun(): Promise<void> {
    const reader = this.database.connect('admin').client
    for (;;) {
      const [row] = await (await reader.query({ query: 'SELECT count() AS n FROM state_v1', format: 'JSONEachRow' })).json<{ n: string }>()
      if (Number(row?.n) > 0) return
      await Promise.race([delay(LOOK_AGAIN_MS), this.failure])
    }
  }

  /** Rows of every view, as of a network named `TOGETHER`: the registry that ingest records has the name of its network. */
  async views(): Promise<Record<string, string>> {
    const { url, user, password } = this.database.address('analyst')
    const contents = await viewContents(url.replace('//', `//${user}:${password}@`), this.database.name)
    return Object.fromEntries(Object.entries(contents).map(([view, rows]) => [view, rows.replaceAll(this.#network, TOGETHER)]))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
  }

  #start(args: readonly string[], env: Readonly<Record<string, string>>): Supervised {
    const started = this.#stack.use(new Supervised(args, { ...this.#env(), ...env }))
    started.done().catch(this.#fail)
    return started
  }

  #env(): Record<string, string> {
    return {
      ORRERY_NETWORK: this.#registry,
      ORRERY_LOG: `kafka:${this.#options.broker}`,
      ORRERY_KAFKA_SESSION_SECONDS: String(SESSION_SECONDS),
      ORRERY_INTERNAL_PORT: '0',
    }
  }
}
