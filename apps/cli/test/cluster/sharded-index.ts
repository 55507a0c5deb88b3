// Adapters and the API as processes on three shards, which read an event log that another process writes.

import { setTimeout as delay } from 'node:timers/promises'
import { PROTOCOLS } from '@orrery/protocols'
import { type ClickHouseAddress, openClickHouse, openReadModel, type ReadModel } from '@orrery/read-model'
import { startTestCluster, TEST_TARGET, type TestCluster } from '@orrery/read-model/testing'
import { Orrery, orrery } from '../orrery.ts'

export interface ShardedIndex {
  readonly cluster: TestCluster
  readonly readModel: ReadModel
  /** What the process of each protocol has logged, in all of its starts. */
  readonly logs: ReadonlyMap<string, () => string>
  /** Exit codes of adapters that ended by themselves and were started again. */
  readonly ends: readonly (number | null)[]
  /** Resolves when every protocol is readable up to `ledger`. */
  indexed(ledger: number): Promise<void>
}

export interface WhatToIndex {
  /** File of the registry. */
  readonly registry: string
  /** Address of the event log. */
  readonly log: string
}

const POLL_MS = 500
/** As the pause of a service manager. */
const RESTART_AFTER_MS = 1_000

export function variables({ url, user, password }: ClickHouseAddress): Record<string, string> {
  return { ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password }
}

/** An address with its credentials as one URL. */
export function urlOf({ url, user, password }: ClickHouseAddress): string {
  return url.replace('//', `//${user}:${password}@`)
}

/** Starts three shards, migrates them, and starts an adapter process for each protocol; one that ends is started again, as a service manager does. */
export async function indexOnShards(stack: AsyncDisposableStack, { registry, log }: WhatToIndex): Promise<ShardedIndex> {
  const cluster = stack.use(await startTestCluster())
  const migrated = await orrery(['migrate', '--cluster', TEST_TARGET.cluster, '--json'], variables(cluster.addresses('admin')))
  if (migrated.code !== 0) throw new Error(migrated.stderr)
  await cluster.grantAnalyst()
  const env = { ORRERY_NETWORK: registry, ORRERY_LOG: log, ORRERY_INTERNAL_PORT: '0', ...variables(cluster.addresses('writer')) }
  const adapters = PROTOCOLS.map(({ id }) => stack.use(new KeptAdapter(id, env)))
  const readModel = stack.use(openReadModel(openClickHouse(cluster.addresses('api'))))
  return {
    cluster,
    readModel,
    logs: new Map(adapters.map((adapter) => [adapter.protocol, () => adapter.log])),
    get ends() {
      return adapters.flatMap(({ ends }) => ends)
    },
    async indexed(ledger) {
      while (!(await isIndexed(readModel, ledger))) await delay(POLL_MS)
    },
  }
}

/** The API on the shards, with the organizations and keys of a SQLite file. Returns its address. */
export async function serveShards(
  stack: AsyncDisposableStack,
  cluster: TestCluster,
  { registry, identity, adminToken }: { readonly registry: string; readonly identity: string; readonly adminToken?: string },
): Promise<string> {
  const api = stack.use(
    new Orrery(['api'], {
      ...variables(cluster.addresses('api')),
      ...{ ORRERY_NETWORK: registry, ORRERY_IDENTITY: identity, ORRERY_CURSOR_KEY: 'ab'.repeat(32) },
      ...{ ORRERY_PORT: '0', ORRERY_INTERNAL_PORT: '0', ...(adminToken !== undefined && { ORRERY_ADMIN_TOKEN: adminToken }) },
    }),
  )
  return api.waitForStderr(/"url":"([^"]+)"/)
}

/** A protocol whose adapter has not begun does not lower the watermark. */
async function isIndexed(readModel: ReadModel, ledger: number): Promise<boolean> {
  const { adapters } = await readModel.tip()
  return adapters.length === PROTOCOLS.length && (await readModel.watermark()).ledger === ledger
}

class KeptAdapter implements AsyncDisposable {
  readonly protocol: string
  readonly ends: (number | null)[] = []
  readonly #env: Readonly<Record<string, string>>
  readonly #running: Promise<void>
  readonly #stopping = new AbortController()
  #ended = ''
  #process: Orrery

  constructor(protocol: string, env: Readonly<Record<string, string>>) {
    this.protocol = protocol
    this.#env = env
    this.#process = this.#start()
    this.#running = this.#keep()
  }

  get log(): string {
    return this.#ended + this.#process.stderr
  }

  #start(): Orrery {
    return new Orrery(['adapter', this.protocol], this.#env)
  }

  async #keep(): Promise<void> {
    const { signal } = this.#stopping
    for (;;) {
      const code = await this.#process.exited
      if (signal.aborted) return
      this.ends.push(code)
      this.#ended += this.#process.stderr
      await delay(RESTART_AFTER_MS, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) return
      this.#process = this.#start()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopping.abort()
    await this.#process[Symbol.asyncDispose]()
    await this.#running
  }
}
