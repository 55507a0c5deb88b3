// The processes of Orrery that a seed runs, each under a supervisor, and what may happen to them.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PROTOCOLS } from '@orrery/protocols'
import type { TestClickHouse, TestDatabase } from '@orrery/read-model/testing'
import { type FakeLake, type FakeRpc, freePort, type UpstreamFault } from '@orrery/testkit'
import type { KafkaBroker } from '@orrery/testkit/kafka'
import { FaultyProxy } from '../apart/faulty-proxy.ts'
import { Supervised } from '../apart/supervised.ts'
import { contentOf, viewContents } from '../view-contents.ts'
import { FakedClock } from './faked-clock.ts'
import type { FaultName, FaultPlan, PlannedFault } from './fault-plan.ts'
import { SmallDisk } from './small-disk.ts'

/** Name of the network in the undisturbed run. */
export const UNDISTURBED = 'undisturbed'
/** An index of these ledgers takes about 150 MB. */
const DISK_MEGABYTES = 600
/** Left when the disk is full: from nothing to some writes. */
const LEFT_BYTES = 1_000_000
const SLOW_MS = 200
/** A day and a bit back, an hour forward, a year forward. */
const CLOCK_OFFSETS_SECONDS = [-100_000, 3_600, 31_536_000]
const SOURCE_FAULTS: readonly UpstreamFault[] = [
  { kind: 'busy', retryAfterSeconds: 1 },
  { kind: 'status', status: 503 },
  { kind: 'cut' },
  { kind: 'reset' },
  { kind: 'slow', ms: 1_500 },
]
/** Short, so that an adapter that was killed gets its partitions back soon. */
const SESSION_SECONDS = 3

export interface SimulationParts {
  readonly folder: string
  readonly registry: string
  readonly source: FakeLake | FakeRpc
  readonly clickhouse: TestClickHouse
  readonly broker: KafkaBroker
}

/** A registry as `from` with another name of the network: topics carry it. */
export function registryOf(from: string, to: string, network: string): string {
  writeFileSync(to, JSON.stringify({ ...JSON.parse(readFileSync(from, 'utf8')), network }))
  return to
}

export class SimulatedSystem implements AsyncDisposable {
  readonly #parts: SimulationParts
  readonly #plan: FaultPlan
  readonly #network: string
  readonly #stack = new AsyncDisposableStack()
  readonly #processes: Supervised[] = []
  readonly #clocks: FakedClock[] = []
  #disk: SmallDisk | null = null
  #proxy: FaultyProxy | null = null
  #database: TestDatabase | null = null
  #analystsPort = 0
  /** Rejects when a process has ended that a supervisor would not start again. */
  readonly failure: Promise<never>
  readonly #fail: (error: unknown) => void

  private constructor(parts: SimulationParts, plan: FaultPlan, seed: number) {
    this.#parts = parts
    this.#plan = plan
    this.#network = plan.system === 'up' ? UNDISTURBED : `simulated-${process.pid}-${seed}`
    const { promise, reject } = Promise.withResolvers<never>()
    promise.catch(() => undefined) // also where nothing is waited for
    this.failure = promise
    this.#fail = reject
  }

  static async start(parts: SimulationParts, plan: FaultPlan, seed: number): Promise<SimulatedSystem> {
    const system = new SimulatedSystem(parts, plan, seed)
    mkdirSync(parts.folder, { recursive: true })
    if (plan.system === 'up') await system.#startUp()
    else await system.#startApart()
    return system
  }

  /** Lets the fault happen, and ends it. */
  async suffer(fault: PlannedFault): Promise<void> {
    await this.#faults[fault.name](fault)
  }

  /** Resolves when everything is stored that the undisturbed run has. @param checkpoints Its checkpoints. */
  async indexed(checkpoints: string): Promise<void> {
    for (;;) {
      const found = await this.#checkpoints().catch(() => null) // it may be starting
      if (found?.replaceAll(this.#network, UNDISTURBED) === checkpoints) return
      await Promise.race([delay(100), this.failure])
    }
  }

  /** Rows of every view, as of a network with the undisturbed run's name. */
  async views(): Promise<Record<string, string>> {
    const contents = await viewContents(this.#analyst(), this.#databaseName)
    return Object.fromEntries(Object.entries(contents).map(([view, rows]) => [view, rows.replaceAll(this.#network, UNDISTURBED)]))
  }

  async stop(): Promise<void> {
    await Promise.all(this.#processes.map((process) => process.stop()))
  }

  /** What the processes that run now have logged. */
  get logs(): string {
    return this.#processes.map(({ stderr }) => stderr.slice(-4_000)).join('\n---\n')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack.disposeAsync()
    await this.#database?.release()
  }

  get #databaseName(): string {
    return this.#database?.name ?? 'orrery'
  }

  async #startUp(): Promise<void> {
    const { folder, registry, source } = this.#parts
    this.#analystsPort = await freePort()
    const data = this.#dataFolder()
    const network = registryOf(registry, join(folder, 'registry.json'), this.#network)
    const ports = ['--port', '0', '--internal-port', '0', '--clickhouse-port', String(this.#analystsPort)]
    this.#startProcess(['up', '--json', ...ports, '--network', network, `--${this.#plan.source}`, source.url, '--data', data], {})
  }

  async #startApart(): Promise<void> {
    const { folder, registry, source, clickhouse, broker } = this.#parts
    this.#database = await clickhouse.database()
    const { url, user, password } = this.#database.address('writer')
    this.#proxy = this.#stack.use(await FaultyProxy.to(url))
    const common = {
      ORRERY_NETWORK: registryOf(registry, join(folder, 'registry.json'), this.#network),
      ORRERY_LOG: this.#plan.system === 'apart over Kafka' ? `kafka:${broker.address}` : `lmdb:${join(this.#dataFolder(), 'log')}`,
      ORRERY_KAFKA_SESSION_SECONDS: String(SESSION_SECONDS),
      ORRERY_INTERNAL_PORT: '0',
    }
    const toClickHouse = {
      ORRERY_CLICKHOUSE_URL: this.#proxy.url,
      ORRERY_CLICKHOUSE_USER: user,
      ORRERY_CLICKHOUSE_PASSWORD: password,
      ORRERY_CLICKHOUSE_DATABASE: this.#database.name,
    }
    this.#startProcess(['ingest', `--${this.#plan.source}`, source.url], common)
    for (const { id } of PROTOCOLS) this.#startProcess(['adapter', id], { ...common, ...toClickHouse })
  }

  /** On a disk that can be filled, if the plan fills it. */
  #dataFolder(): string {
    const folder = join(this.#parts.folder, 'data')
    if (this.#has('full disk')) this.#disk = this.#stack.use(new SmallDisk(folder, DISK_MEGABYTES))
    return this.#disk === null ? folder : join(folder, 'orrery')
  }

  #has(name: FaultName): boolean {
    return this.#plan.faults.some((fault) => fault.name === name)
  }

  #startProcess(args: readonly string[], env: Readonly<Record<string, string>>): void {
    // Only where the clock jumps: the library takes part in every look at the clock.
    const clock = this.#has('clock jump') ? new FakedClock(join(this.#parts.folder, `clock-${this.#clocks.length}`)) : null
    if (clock !== null) this.#clocks.push(clock)
    const process = this.#stack.use(new Supervised(args, { ...env, ...clock?.env }))
    process.done().catch(this.#fail)
    this.#processes.push(process)
  }

  async #checkpoints(): Promise<string> {
    return await contentOf(this.#analyst(), this.#databaseName, 'checkpoints')
  }

  #analyst(): string {
    if (this.#database !== null) {
      const { url, user, password } = this.#database.address('analyst')
      return url.replace('//', `//${user}:${encodeURIComponent(password)}@`)
    }
    const folder = this.#disk === null ? join(this.#parts.folder, 'data') : join(this.#disk.folder, 'orrery')
    const { analyst } = JSON.parse(readFileSync(join(folder, 'clickhouse', 'passwords.json'), 'utf8'))
    return `http://analyst:${encodeURIComponent(analyst)}@127.0.0.1:${this.#analystsPort}`
  }

  readonly #faults: Readonly<Record<FaultName, (fault: PlannedFault) => Promise<void>>> = {
    kill: async ({ choice }) => chosen(this.#processes, choice)?.signal('SIGKILL'),
    pause: async ({ choice, lastsMs }) => {
      const paused = chosen(this.#processes, choice)
      paused?.signal('SIGSTOP')
      await delay(lastsMs)
      paused?.signal('SIGCONT')
    },
    'engine kill': async () => {
      for (const pid of this.#engines()) signalIfRunning(pid, 'SIGKILL')
    },
    'engine pause': async ({ lastsMs }) => {
      const engines = this.#engines()
      for (const pid of engines) signalIfRunning(pid, 'SIGSTOP')
      await delay(lastsMs)
      for (const pid of engines) signalIfRunning(pid, 'SIGCONT')
    },
    'clock jump': async ({ choice, lastsMs }) => {
      chosen(this.#clocks, choice)?.moveTo(chosen(CLOCK_OFFSETS_SECONDS, (choice * this.#clocks.length) % 1) ?? 0)
      await delay(lastsMs)
    },
    'source refuses': async ({ lastsMs }) => {
      await this.#parts.source.goAway()
      await delay(lastsMs)
      await this.#parts.source.comeBack()
    },
    'source fails': async ({ choice }) => {
      const fault = chosen(SOURCE_FAULTS, choice)
      if (fault !== undefined) this.#parts.source.misbehave(fault, { times: 3 })
    },
    'refused inserts': async ({ lastsMs }) => {
      await this.#proxy?.refuse()
      await delay(lastsMs)
      await this.#proxy?.open()
    },
    'slow inserts': async ({ lastsMs }) => {
      this.#proxy?.slow(SLOW_MS)
      await delay(lastsMs)
      this.#proxy?.slow(0)
    },
    'broker kill': async () => {
      await this.#parts.broker.kill()
      await this.#parts.broker.restart()
    },
    'full disk': async ({ choice, lastsMs }) => {
      this.#disk?.fill(choice * LEFT_BYTES)
      await delay(lastsMs)
      this.#disk?.free()
    },
  }

  /** Processes of the engine. Below `up` there is none while it starts. */
  #engines(): number[] {
    if (this.#database !== null) return [this.#parts.clickhouse.engine.pid]
    return this.#processes.flatMap(({ pid }) => childrenOf(pid))
  }
}

function chosen<T>(of: readonly T[], choice: number): T | undefined {
  return of[Math.floor(choice * of.length)]
}

function childrenOf(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
  } catch {
    return [] // it has ended
  }
}

function signalIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}
