// A worker: follows all given partitions of one protocol at once, reports their health, and ends as a whole when one of them fails.
// Partitions never wait for each other. The ledgers told by ingest come from the control follower, which adapters may share.

import { OrreryError } from '@orrery/errors'
import { type EventLog, sliceTopic } from '@orrery/event-log'
import type { Network, Protocol, ProtocolId } from '@orrery/protocol-kit'
import type { Store } from '@orrery/read-model'
import { type Clock, type Logger, type Metrics, type Readiness, startWatchdog, systemClock } from '@orrery/service-kit'
import { CATCH_UP_LIMITS } from './catch-up-limits.ts'
import type { ControlFollower } from './control-follower.ts'
import { follow, type Gap } from './follow.ts'
import { healthReport } from './health-report.ts'
import { HealthReporter } from './health-reporter.ts'
import { PartitionProgress } from './partition-progress.ts'
import type { BatchLimits } from './write-behind.ts'

export interface AdapterOptions<State> {
  readonly protocol: Protocol<State>
  readonly network: Network
  readonly partitions: readonly number[]
  readonly control: ControlFollower
  readonly log: EventLog
  readonly store: Store
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock?: Clock
  readonly limits?: BatchLimits
  readonly healthEveryMs?: number
  /** Aborts when others have these partitions: nothing more is stored or said then, and `stop` gives up what is folded. */
  readonly lost?: AbortSignal
}

export interface PartitionStatus {
  readonly partition: number
  /** Everything up to this ledger is in the tables. Null until the checkpoint has been read. */
  readonly checkpointLedger: number | null
  readonly gap: Gap | null
  readonly error: string
}

export interface RunningAdapter {
  readonly protocol: ProtocolId
  readonly version: number
  status(): readonly PartitionStatus[]
  /** Rows stored since this process started. */
  rowsStored(): number
  /** Not ok while something told is not stored, a partition has a hole or failed, or a loop makes no sign of life. */
  readiness(): Readiness
  /** Resolves when every partition and the ledgers have been stored up to `ledger` and the health rows say so; rejects when the worker ends before. */
  reached(ledger: number): Promise<void>
  /** Resolves after `stop`, rejects with the first failure of a partition. Nothing runs any more either way. */
  readonly finished: Promise<void>
  /** Stores what is folded, then ends like `finished`. */
  stop(): Promise<void>
}

const NEVER = new AbortController().signal
const HEALTH_EVERY_MS = 5_000
const UNREADY_AFTER_SECONDS = 60
const END_AFTER_SECONDS = 240
/** What ingest said of the source's tip says nothing of the present any more. */
const SILENT_AFTER_MS = 60_000

/** @throws OrreryError `invalid`/`unknown_partition` when the log was made with fewer partitions. */
export async function startAdapter<State>(options: AdapterOptions<State>): Promise<RunningAdapter> {
  const { protocol, network, control, log, store, logger, metrics, clock = systemClock, lost = NEVER } = options
  const adapter = protocol.adapter(network)
  const total = control.start.partitions[protocol.id] ?? 0
  checkPartitions(protocol.id, options.partitions, total)
  await store.activateIfNone(protocol.id, adapter.version, total)

  const stopping = new AbortController()
  const waiters = new Set<() => void>()
  const followed = options.partitions.map((partition) => {
    const name = `partition ${protocol.id}/${partition}`
    const watchdog = startWatchdog({ name, unreadyAfterSeconds: UNREADY_AFTER_SECONDS, endAfterSeconds: END_AFTER_SECONDS, logger })
    const progress = new PartitionProgress({
      protocol: protocol.id,
      partition,
      clock,
      logger,
      metrics,
      onSignOfLife: () => watchdog.beat(),
      onStored: () => moved(),
      onNews: () => health.wake(),
    })
    return { partition, progress, watchdog }
  })

  const isStored = (ledger: number): boolean =>
    control.storedLedger >= ledger && followed.every(({ progress: { checkpoint } }) => checkpoint !== null && checkpoint.ledger >= ledger)

  let wasCaughtUp = false
  const moved = (): void => {
    if (!wasCaughtUp && isStored(control.seen.ledger) && isTip(control, clock.nowMs())) {
      wasCaughtUp = true
      health.wake()
    }
    for (const { progress } of followed) setLag(metrics, protocol.id, progress, control, clock.nowMs())
    for (const check of waiters) check()
  }
  const forgetControl = control.onChange(moved)

  /** A loop that waits at the end of the log with nothing in hand is well; every other loop has to show that it moves. */
  const isWaiting = async ({ partition, checkpoint, foldedLedger, readOffset }: PartitionProgress): Promise<boolean> =>
    checkpoint?.ledger === foldedLedger && readOffset >= (await log.end({ topic: sliceTopic(network.name, protocol.id), partition }))

  const health = new HealthReporter(async () => {
    for (const { progress, watchdog } of followed) {
      const { checkpoint } = progress
      if (checkpoint === null || lost.aborted) continue
      const facts = { protocol: protocol.id, version: adapter.version }
      await store.reportHealth(healthReport(facts, progress, checkpoint, control, clock.nowMs()))
      if (await isWaiting(progress)) watchdog.beat()
    }
  }, options.healthEveryMs ?? HEALTH_EVERY_MS)

  const followOne = async (partition: number, observer: PartitionProgress): Promise<void> => {
    const { firstLedger } = control.start
    const { limits = CATCH_UP_LIMITS } = options
    try {
      const where = { network: network.name, partition, firstLedger }
      await follow({ adapter, ...where, log, store, limits, observer, lost }, stopping.signal)
    } catch (error) {
      observer.failed(error)
      throw error
    }
  }
  const runs = [...followed.map(({ partition, progress }) => followOne(partition, progress)), health.run(stopping.signal)]
  const finished = endTogether(runs, stopping).finally(async () => {
    forgetControl()
    for (const { partition, watchdog } of followed) {
      watchdog.stop()
      forgetLag(metrics, protocol.id, partition)
    }
    if (lost.aborted) return // whoever has the partitions speaks for them
    // The last word of a worker. It may fail with what ended the worker: that error is the one to tell.
    await health.report().catch(() => undefined)
  })
  finished.catch(() => undefined) // told to whoever awaits it, never as an unhandled rejection

  return {
    protocol: protocol.id,
    version: adapter.version,
    finished,
    status: () =>
      followed.map(({ partition, progress: { checkpoint, gap, error } }) => ({
        partition,
        checkpointLedger: checkpoint?.ledger ?? null,
        gap,
        error,
      })),
    rowsStored: () => followed.reduce((sum, { progress }) => sum + progress.rowsStored, 0),
    readiness: () => {
      for (const { partition, progress, watchdog } of followed) {
        const { ok, why } = watchdog.readiness()
        if (!ok) return { ok, why }
        const name = `${protocol.id}/${partition}`
        if (progress.error !== '') return { ok: false, why: `${name} failed: ${progress.error}` }
        if (progress.gap !== null)
          return { ok: false, why: `${name} waits for the ledgers after ${progress.gap.after} up to ${progress.gap.before}` }
      }
      if (wasCaughtUp) return { ok: true, why: '' } // a ledger that is on its way right now makes nobody unready
      const least = Math.min(...followed.map(({ progress }) => progress.checkpoint?.ledger ?? 0), control.storedLedger)
      return { ok: false, why: `${protocol.id} has stored everything up to ledger ${least} of ${control.seen.ledger}` }
    },
    reached: async (ledger) => {
      const stored = new Promise<void>((resolve) => {
        const check = (): void => {
          if (!isStored(ledger)) return
          waiters.delete(check)
          resolve()
        }
        waiters.add(check)
        check()
      })
      await Promise.race([stored, finished])
      // Until the rows say it, every answer still calls itself partial.
      if (isStored(ledger)) return health.report()
      throw new OrreryError('unavailable', 'adapter_stopped', `The ${protocol.id} adapter was stopped before ledger ${ledger} was stored.`)
    },
    async stop() {
      stopping.abort()
      await finished
    },
  }
}

/** Waits until all have ended. The first failure stops the others and is the one that is thrown. */
async function endTogether(runs: readonly Promise<void>[], stopping: AbortController): Promise<void> {
  const failures: unknown[] = []
  const noteFailure = (error: unknown): void => {
    failures.push(error)
    stopping.abort()
  }
  await Promise.all(runs.map((run) => run.catch(noteFailure)))
  if (failures.length > 0) throw failures[0]
}

function checkPartitions(protocol: ProtocolId, asked: readonly number[], total: number): void {
  if (asked.length > 0 && asked.every((partition) => partition < total)) return
  throw new OrreryError(
    'invalid',
    'unknown_partition',
    `The log has ${total} partitions of ${protocol}; asked for: ${asked.join(', ') || 'none'}. Nothing was started. Give numbers from 0 to ${total - 1}.`,
  )
}

/** Whether the newest ledger told is the newest there is: the source has ended, or ingest said lately that it has nothing newer. */
function isTip({ seen, sourceEnd, sourceTip }: ControlFollower, nowMs: number): boolean {
  if (seen.ledger === 0 || sourceTip === null) return sourceEnd !== null
  return seen.ledger >= sourceTip.ledger && nowMs - sourceTip.heardAtMs < SILENT_AFTER_MS
}

function setLag(metrics: Metrics, protocol: ProtocolId, progress: PartitionProgress, control: ControlFollower, nowMs: number): void {
  const { checkpoint } = progress
  if (checkpoint === null) return
  const labels = { protocol, partition: String(progress.partition) }
  const isAtEnd = control.sourceEnd !== null && checkpoint.ledger >= control.sourceEnd
  metrics.adapterLedger.set(labels, checkpoint.ledger)
  metrics.adapterLagLedgers.set(labels, Math.max(0, control.seen.ledger - checkpoint.ledger))
  metrics.adapterLagSeconds.set(labels, isAtEnd ? 0 : Math.max(0, nowMs / 1000 - checkpoint.closeTimeSeconds))
}

/** A process that no longer has a partition says nothing of it. */
function forgetLag(metrics: Metrics, protocol: ProtocolId, partition: number): void {
  const labels = { protocol, partition: String(partition) }
  for (const gauge of [metrics.adapterLedger, metrics.adapterLagLedgers, metrics.adapterLagSeconds]) gauge.remove(labels)
}
