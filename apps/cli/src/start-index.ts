// The writing half of `orrery up`: ingest and all adapters over one log, until everything that the source has is readable.

import { setTimeout as delay } from 'node:timers/promises'
import { type ControlFollower, hasStartRecords, type RunningAdapter, startAdapter, startControlFollower } from '@orrery/adapter'
import { openLog } from '@orrery/event-log'
import { type LedgerSource, type RunningIngest, startIngest } from '@orrery/ingest'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import type { ReadModel, Store } from '@orrery/read-model'
import type { Logger, Metrics, Readiness } from '@orrery/service-kit'
import { reportedGaps } from './reported-gaps.ts'

const LOOK_AGAIN_MS = 20

export interface IndexOptions {
  readonly network: Network
  /** Those that are indexed where the network has a deployment of them. Default: all of this build. */
  readonly protocols?: readonly Protocol<unknown>[] | undefined
  /** The registry of the last start on this data folder; null or absent for a new one. */
  readonly heldRegistry?: Network | null
  readonly source: LedgerSource
  /** First ledger of a new index; undefined: the network's, or the source's if that begins later. */
  readonly fromLedger: number | undefined
  readonly logUrl: string
  readonly store: Store
  readonly readModel: ReadModel
  readonly logger: Logger
  readonly metrics: Metrics
  /** Aborted when the start shall not go on. */
  readonly stop: AbortSignal
}

/** Of `total` ledgers `done` are readable on /v1; `ledger` is the newest of them. */
export interface IndexProgress {
  readonly done: number
  readonly total: number
  readonly ledger: number
}

export interface RunningIndex {
  readonly firstLedger: number
  /** Resolves with the newest ledger when ingest has appended everything that the source had at the start, every partition has stored it, and /v1 answers as of it. */
  readonly caughtUp: Promise<number>
  progress(): IndexProgress
  readiness(): Readiness
  /** Since the start. */
  rowsStored(): number
}

/** @param onFailed Called when a part fails by itself, with what it threw. */
export async function startIndex(
  options: IndexOptions,
  stack: AsyncDisposableStack,
  onFailed: (error: unknown) => void,
): Promise<RunningIndex> {
  const { network, source, fromLedger, store, readModel, logger, metrics, stop } = options
  const protocols = protocolsOf(network, options.protocols)
  const watch = (ended: Promise<unknown>): void => void ended.catch(onFailed)
  const log = stack.use(await openLog(options.logUrl))
  const ingest = await startIngest({
    network,
    routings: protocols.map(({ routing }) => routing),
    source,
    log,
    fromLedger,
    begunWith: options.heldRegistry ?? undefined,
    logger: logger.child({ part: 'ingest' }),
    metrics,
    gaps: reportedGaps(readModel),
  })
  stack.defer(() => ingest.stop())
  watch(ingest.finished)

  stop.throwIfAborted()
  const stopping = new AbortController()
  stack.defer(() => stopping.abort())
  const control = await Promise.race([
    startControlFollower({ network, protocols: protocols.map(({ id }) => id), log, store, signal: stopping.signal }),
    failsBeforeFirstMessage(ingest, { log, network, protocols: protocols.map(({ id }) => id), signal: stopping.signal }, stop),
  ])
  stack.defer(() => control.stop())
  watch(control.finished)

  const adapters: RunningAdapter[] = []
  for (const protocol of protocols) {
    const partitions = Array.from({ length: protocol.defaultPartitions }, (_, n) => n)
    const adapter = await startAdapter({ protocol, network, partitions, control, log, store, logger, metrics })
    stack.defer(() => adapter.stop())
    watch(adapter.finished)
    adapters.push(adapter)
  }
  return new StartedIndex(ingest, control, adapters, readModel)
}

/**
 * Rejects when ingest fails or stops before it has written its first control message, for which the follower waits.
 * A later failure of ingest is reported through `onFailed` while the API runs: the message is then in the log, and the follower finds it.
 */
function failsBeforeFirstMessage(ingest: RunningIngest, control: Parameters<typeof hasStartRecords>[0], stop: AbortSignal): Promise<never> {
  const { promise, reject } = Promise.withResolvers<never>()
  ingest.finished.catch(async (error) => {
    if (!(await hasStartRecords(control).catch(() => false))) reject(error)
  })
  stop.addEventListener('abort', () => reject(stop.reason), { once: true })
  return promise
}

class StartedIndex implements RunningIndex {
  readonly caughtUp: Promise<number>
  readonly #ingest: RunningIngest
  readonly #control: ControlFollower
  readonly #adapters: readonly RunningAdapter[]
  readonly #readModel: ReadModel
  #isCaughtUp = false

  constructor(ingest: RunningIngest, control: ControlFollower, adapters: readonly RunningAdapter[], readModel: ReadModel) {
    this.#ingest = ingest
    this.#control = control
    this.#adapters = adapters
    this.#readModel = readModel
    this.caughtUp = this.#catchUp()
    this.caughtUp.catch(() => undefined) // the cause is reported through `onFailed`
  }

  get firstLedger(): number {
    return this.#ingest.firstLedger
  }

  progress(): IndexProgress {
    const checkpoints = this.#adapters.flatMap((adapter) => adapter.status().map(({ checkpointLedger }) => checkpointLedger ?? 0))
    const ledger = Math.min(this.#control.storedLedger, ...checkpoints)
    const done = Math.max(0, ledger - this.firstLedger + 1)
    const tip = this.#ingest.progress().tip ?? this.#ingest.tip
    return { done, total: Math.max(done, tip - this.firstLedger + 1), ledger }
  }

  readiness(): Readiness {
    const { done, total } = this.progress()
    if (!this.#isCaughtUp) return { ok: false, why: `${done} of ${total} ledgers are indexed` }
    return this.#adapters.map((adapter) => adapter.readiness()).find(({ ok }) => !ok) ?? { ok: true, why: '' }
  }

  rowsStored(): number {
    return this.#adapters.reduce((sum, adapter) => sum + adapter.rowsStored(), 0)
  }

  async #catchUp(): Promise<number> {
    const ledger = await this.#ingest.caughtUp
    await this.#control.atTip(ledger)
    await Promise.all(this.#adapters.map((adapter) => adapter.reached(ledger)))
    await untilReread(this.#readModel)
    this.#isCaughtUp = true
    return ledger
  }
}

/** Readers cache the tip for a short time: after this they have read it again. */
async function untilReread(readModel: ReadModel): Promise<void> {
  const before = await readModel.tip()
  while ((await readModel.tip()) === before) await delay(LOOK_AGAIN_MS)
}
