// The writing half of `orrery up`: ingest and all adapters over one log, until everything that the source has is readable.

import { setTimeout as delay } from 'node:timers/promises'
import { type ControlFollower, hasStartRecords, type RunningAdapter, startAdapter, startControlFollower } from '@orrery/adapter'
import { openLog } from '@orrery/event-log'
import { isDamagedCopy, type LedgerSource, type RunningIngest, startIngest } from '@orrery/ingest'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import type { ReadModel, Store } from '@orrery/read-model'
import type { Logger, Metrics } from '@orrery/service-kit'
import { type ChosenPartitions, partitionNumbers } from './partition-numbers.ts'
import { reportedGaps } from './reported-gaps.ts'
import { isTemporary, mayOtherPartsGoOn, type PartState, SupervisedPart } from './supervised-part.ts'

/** How long the start waits for a source, where it can go on without it. */
const SOURCE_WITHIN_MS = 5_000

export interface IndexOptions {
  readonly network: Network
  /** Those that are indexed where the network has a deployment of them. Default: all of this build. */
  readonly protocols?: readonly Protocol<unknown>[] | undefined
  /** The registry of the last start on this data folder; null or absent for a new one. */
  readonly heldRegistry?: Network | null
  readonly source: LedgerSource
  /** First ledger of a new index; undefined: the network's, or the source's if that begins later. */
  readonly fromLedger: number | undefined
  /** Default: those of the data folder, and the protocols' own for what it does not have. */
  readonly partitions?: ChosenPartitions | undefined
  readonly logUrl: string
  readonly store: Store
  readonly readModel: ReadModel
  readonly logger: Logger
  readonly metrics: Metrics
  /** Start ingest and adapters again when they fail, and begin without the source where the log has a beginning. Default: the first failure ends all. */
  readonly isolatesFailures?: boolean
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
  /** Ingest and the adapters, for operators. */
  parts(): readonly PartState[]
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
  const { isolatesFailures = false } = options
  const ids = protocols.map(({ id }) => id)
  stop.throwIfAborted()
  const stopping = new AbortController()
  const known = { log, network, protocols: ids, signal: stopping.signal }
  // A log with a beginning is served without the source as well; a new one needs it.
  const mayBeginLate = isolatesFailures && (await hasStartRecords(known))
  const partitions = await partitionNumbers(protocols, { network, log, store }, options.partitions)
  const notBegun = Promise.withResolvers<never>()
  notBegun.promise.catch(() => undefined) // only awaited until the control topic has a beginning
  const ingest = new SupervisedPart<RunningIngest>({
    ...{ name: 'ingest', logger, metrics, mayBeginLate },
    start: () =>
      startIngest({
        ...{ network, source, log, fromLedger, partitions, metrics },
        routings: protocols.map(({ routing }) => routing),
        begunWith: options.heldRegistry ?? undefined,
        logger: logger.child({ part: 'ingest' }),
        gaps: reportedGaps(readModel),
      }),
    // A damaged copy is read again: the API goes on, and the file or the node may be repaired meanwhile.
    isRestartable: (error) => isolatesFailures && (isTemporary(error) || isDamagedCopy(error)),
    onFatal: async (error) => {
      onFailed(error)
      if (!(await hasStartRecords(known).catch(() => false))) notBegun.reject(error)
    },
    // The control follower waits for the first message: where ingest fails before it, the start fails.
    onFailure: async (error) => {
      if (!(await hasStartRecords(known).catch(() => false))) notBegun.reject(error)
    },
  })
  stack.defer(() => ingest.stop())
  await (mayBeginLate ? Promise.race([ingest.started, delay(SOURCE_WITHIN_MS, undefined, { ref: false })]) : ingest.started)

  stop.throwIfAborted()
  stack.defer(() => stopping.abort())
  stop.addEventListener('abort', () => notBegun.reject(stop.reason), { once: true })
  const control = await Promise.race([
    startControlFollower({ network, protocols: ids, log, store, signal: stopping.signal }),
    notBegun.promise,
  ])
  stack.defer(() => control.stop())
  watch(control.finished)

  let started: StartedIndex | null = null
  const onStored = (): void => started?.stored()
  const common = { network, control, log, store, logger, metrics, onStored }
  const adapters: SupervisedPart<RunningAdapter>[] = []
  for (const protocol of protocols) {
    const followed = Array.from({ length: partitions[protocol.id] ?? 0 }, (_, n) => n)
    const adapter = new SupervisedPart<RunningAdapter>({
      ...{ name: protocol.id, logger, metrics, mayBeginLate: false },
      start: () => startAdapter({ ...common, protocol, partitions: followed, activatesUpgrade: true, quarantines: isolatesFailures }),
      isRestartable: (error) => isolatesFailures && mayOtherPartsGoOn(error),
      onFatal: onFailed,
    })
    stack.defer(() => adapter.stop())
    await adapter.started
    adapters.push(adapter)
  }
  started = new StartedIndex(ingest, control, adapters, readModel)
  stack.defer(control.onChange(onStored))
  return started
}

class StartedIndex implements RunningIndex {
  readonly caughtUp: Promise<number>
  readonly #ingest: SupervisedPart<RunningIngest>
  readonly #control: ControlFollower
  readonly #adapters: readonly SupervisedPart<RunningAdapter>[]
  readonly #readModel: ReadModel
  /** Newest checkpoint of each protocol that was seen, for the time in which its adapter does not run. */
  readonly #checkpoints = new Map<SupervisedPart<RunningAdapter>, number>()
  /** The newest complete ledger for which the readers of this process were made to read again. */
  #announced = 0

  constructor(
    ingest: SupervisedPart<RunningIngest>,
    control: ControlFollower,
    adapters: readonly SupervisedPart<RunningAdapter>[],
    readModel: ReadModel,
  ) {
    this.#ingest = ingest
    this.#control = control
    this.#adapters = adapters
    this.#readModel = readModel
    this.caughtUp = this.#catchUp()
    this.caughtUp.catch(() => undefined) // the cause is reported through `onFailed`
  }

  get firstLedger(): number {
    return this.#control.start.firstLedger
  }

  progress(): IndexProgress {
    for (const adapter of this.#adapters) {
      const partitions = adapter.current?.status().map(({ checkpointLedger }) => checkpointLedger ?? 0)
      if (partitions !== undefined) this.#checkpoints.set(adapter, Math.min(...partitions))
    }
    const ledger = Math.min(this.#control.storedLedger, ...this.#adapters.map((adapter) => this.#checkpoints.get(adapter) ?? 0))
    const done = Math.max(0, ledger - this.firstLedger + 1)
    const ingest = this.#ingest.current
    const tip = ingest?.progress().tip ?? ingest?.tip ?? this.#control.seen.ledger
    return { done, total: Math.max(done, tip - this.firstLedger + 1), ledger }
  }

  parts(): readonly PartState[] {
    return [this.#ingest, ...this.#adapters].map(({ state }) => state)
  }

  /** Readers of this process need not wait until they read the watermark again where the newest ledger is complete. */
  stored(): void {
    const { ledger } = this.progress()
    if (ledger <= this.#announced || ledger < this.#control.seen.ledger) return
    this.#announced = ledger
    this.#readModel.forgetTip()
  }

  rowsStored(): number {
    return this.#adapters.reduce((sum, { current }) => sum + (current?.rowsStored() ?? 0), 0)
  }

  async #catchUp(): Promise<number> {
    const ledger = await this.#ingest.outliving((ingest) => ingest.caughtUp)
    await this.#control.atTip(ledger)
    await Promise.all(this.#adapters.map((adapter) => adapter.outliving((running) => running.reached(ledger))))
    this.#readModel.forgetTip()
    return ledger
  }
}
