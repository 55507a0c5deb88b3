// A worker while it runs: reports the health of its partitions, and stops all of them when one fails, unless it may be quarantined.
// Partitions never wait for each other. Ledgers come from the control follower, which workers may share.

import { setTimeout as delay } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import { sliceTopic } from '@orrery/event-log'
import type { Adapter, Network, ProtocolId } from '@orrery/protocol-kit'
import { type Clock, type Readiness, startWatchdog, systemClock, type Watchdog } from '@orrery/service-kit'
import { CATCH_UP_LIMITS } from './catch-up-limits.ts'
import type { ControlFollower } from './control-follower.ts'
import { type AdapterByLedger, follow, isOfPartition } from './follow.ts'
import { healthReport } from './health-report.ts'
import { HealthReporter } from './health-reporter.ts'
import { forgetPartitionMetrics, setPartitionMetrics } from './partition-metrics.ts'
import { PartitionProgress } from './partition-progress.ts'
import type { AdapterOptions, PartitionStatus, RunningAdapter } from './running-adapter.ts'
import { WriteSummary } from './write-summary.ts'

const NEVER = new AbortController().signal
const HEALTH_EVERY_MS = 5_000
const UNREADY_AFTER_SECONDS = 60
const END_AFTER_SECONDS = 240
/** Before the second attempt at a quarantined partition; doubled up to the longest while none stores anything. */
const FIRST_PAUSE_SECONDS = 1
const LONGEST_PAUSE_SECONDS = 60
/** A recorded tip of the source that is older than this is outdated. */
const TIP_OUTDATED_AFTER_MS = 60_000

interface Followed {
  readonly progress: PartitionProgress
  readonly watchdog: Watchdog
}

/** A worker writes one index version for as long as it runs. */
export interface WorkerOptions<State> extends AdapterOptions<State> {
  readonly indexVersion: number
  /** Consumer group under which its offsets are stored. */
  readonly group: string
}

export class Worker<State> implements RunningAdapter {
  readonly finished: Promise<void>
  readonly #options: WorkerOptions<State>
  readonly #adapter: Adapter<State>
  readonly #clock: Clock
  readonly #lost: AbortSignal
  readonly #followed: readonly Followed[]
  readonly #health: HealthReporter
  readonly #summary: WriteSummary
  readonly #stopping = new AbortController()
  readonly #waiters = new Set<() => void>()
  #wasCaughtUp = false
  #isHeld = false
  #hasEnded = false

  /** Begins at once. */
  constructor(options: WorkerOptions<State>, adapter: Adapter<State>) {
    this.#options = options
    this.#adapter = adapter
    this.#clock = options.clock ?? systemClock
    this.#lost = options.lost ?? NEVER
    this.#health = new HealthReporter(() => this.#report(), options.healthEveryMs ?? HEALTH_EVERY_MS)
    const { protocol, logger } = options
    this.#summary = new WriteSummary({ protocol: protocol.id, clock: this.#clock, logger, isAtTip: () => this.#wasCaughtUp })
    this.#followed = options.partitions.map((partition) => this.#observe(partition))
    options.metrics.adapterVersion.set({ protocol: options.protocol.id }, adapter.version)
    options.metrics.adapterOwned.set({ protocol: options.protocol.id }, options.partitions.length)
    const forgetControl = options.control.onChange(() => this.#moved())
    const forgetScrape = options.metrics.onScrape(() => this.#setMetrics())
    const forget = (): void => {
      forgetControl()
      forgetScrape()
    }
    const runs = [...this.#followed.map(({ progress }) => this.#follow(progress)), this.#health.run(this.#stopping.signal)]
    this.finished = endTogether(runs, this.#stopping).finally(() => this.#end(forget))
    this.finished.catch(() => undefined) // callers that await it see the error; it must not be an unhandled rejection
  }

  get protocol(): ProtocolId {
    return this.#options.protocol.id
  }

  get version(): number {
    return this.#adapter.version
  }

  get indexVersion(): number {
    return this.#options.indexVersion
  }

  status(): readonly PartitionStatus[] {
    return this.#followed.map(({ progress: { partition, checkpoint, gap, readOffset, error, quarantined } }) => ({
      partition,
      checkpointLedger: checkpoint?.ledger ?? null,
      gap,
      readOffset,
      error,
      quarantined,
    }))
  }

  rowsStored(): number {
    return this.#followed.reduce((sum, { progress }) => sum + progress.rowsStored, 0)
  }

  readiness(): Readiness {
    for (const { progress, watchdog } of this.#followed) {
      const { ok, why } = watchdog.readiness()
      if (!ok) return { ok, why }
      const name = `${this.protocol}/${progress.partition}`
      if (progress.error !== '') return { ok: false, why: `${name} failed: ${progress.error}` }
      if (progress.gap !== null)
        return { ok: false, why: `${name} waits for the ledgers after ${progress.gap.after} up to ${progress.gap.before}` }
    }
    if (this.#wasCaughtUp) return { ok: true, why: '' } // a ledger that is just being stored does not make the worker unready
    const { storedLedger, seen } = this.#options.control
    const least = Math.min(...this.#followed.map(({ progress }) => progress.checkpoint?.ledger ?? 0), storedLedger)
    return { ok: false, why: `${this.protocol} has stored everything up to ledger ${least} of ${seen.ledger}` }
  }

  async reached(ledger: number): Promise<void> {
    const stored = new Promise<void>((resolve) => {
      const check = (): void => {
        if (!this.#isServed(ledger)) return
        this.#waiters.delete(check)
        resolve()
      }
      this.#waiters.add(check)
      check()
    })
    await Promise.race([stored, this.finished])
    // Until the rows show it, every answer of the API is marked as partial.
    if (this.#isServed(ledger)) return this.#health.report()
    throw new OrreryError('unavailable', 'adapter_stopped', `The ${this.protocol} adapter was stopped before ledger ${ledger} was stored.`)
  }

  /** @param isHeld The last report then says that nothing is written, because the rows are being repaired. */
  async stop(isHeld = false): Promise<void> {
    this.#isHeld = isHeld
    this.#stopping.abort()
    await this.finished
  }

  #observe(partition: number): Followed {
    const { logger, metrics } = this.#options
    const name = `partition ${this.protocol}/${partition}`
    const watchdog = startWatchdog({ name, unreadyAfterSeconds: UNREADY_AFTER_SECONDS, endAfterSeconds: END_AFTER_SECONDS, logger })
    const progress = new PartitionProgress({
      protocol: this.protocol,
      partition,
      clock: this.#clock,
      logger,
      metrics,
      summary: this.#summary,
      onSignOfLife: () => watchdog.beat(),
      onStored: () => {
        this.#moved()
        this.#options.onStored?.()
      },
      onChange: () => this.#health.wake(),
    })
    return { progress, watchdog }
  }

  async #follow(progress: PartitionProgress): Promise<void> {
    const { quarantines = false, store, indexVersion } = this.#options
    const { signal } = this.#stopping
    // A process that starts again must not show readers a watermark before the one that they saw without this partition.
    const at = { protocol: this.protocol, partition: progress.partition }
    progress.quarantined = quarantines && (await store.isQuarantined(at, indexVersion))
    for (let pauseSeconds = FIRST_PAUSE_SECONDS; !signal.aborted; pauseSeconds = Math.min(pauseSeconds * 2, LONGEST_PAUSE_SECONDS)) {
      const before = progress.checkpoint?.ledger
      try {
        return await this.#followOnce(progress)
      } catch (error) {
        if (!quarantines || !isOfPartition(error) || this.#lost.aborted) throw error
        if (progress.checkpoint?.ledger !== before) pauseSeconds = FIRST_PAUSE_SECONDS
        progress.quarantine(error, pauseSeconds)
        this.#moved() // callers of `reached` wait for the others only
      }
      await delay(pauseSeconds * 1000, undefined, { signal }).catch(() => undefined)
    }
  }

  async #followOnce(progress: PartitionProgress): Promise<void> {
    const { network, control, log, store, indexVersion, group, limits = CATCH_UP_LIMITS } = this.#options
    const where = { network: network.name, partition: progress.partition, firstLedger: control.start.firstLedger }
    const own = { adapter: this.#adapter, byLedger: this.#byLedger(), indexVersion, group }
    // While ingest writes history, each ledger is for a moment the newest of the log: stored alone, they would be many small inserts.
    const isNewest = (ledger: number): boolean => this.#wasCaughtUp && ledger >= control.seen.ledger
    const isWritingHistory = (): boolean => !this.#wasCaughtUp && !isTip(control, this.#clock.nowMs())
    const parts = { ...own, log, store, limits, isNewest, isWritingHistory, observer: progress, lost: this.#lost }
    try {
      await follow({ ...parts, ...where }, this.#stopping.signal)
    } catch (error) {
      progress.failed(error)
      throw error
    }
  }

  /** One adapter for each registry, so that a loop knows when another one begins. */
  #byLedger(): AdapterByLedger<State> {
    const { protocol, control } = this.#options
    const made = new Map<Network, Adapter<State>>()
    return {
      at(ledger) {
        const network = control.registry.at(ledger)
        const adapter = made.get(network) ?? protocol.adapter(network)
        made.set(network, adapter)
        return adapter
      },
      recorded: (signal) => control.registryRead(signal),
      known: (ledger, signal) => control.registryKnown(ledger, signal),
    }
  }

  #isStored(ledger: number): boolean {
    const isPast = ({ progress: { checkpoint } }: Followed): boolean => checkpoint !== null && checkpoint.ledger >= ledger
    return this.#options.control.storedLedger >= ledger && this.#followed.every(isPast)
  }

  /** Whether readers may see it: a quarantined partition is left out of the watermark. */
  #isServed(ledger: number): boolean {
    const isPast = ({ progress: { quarantined, checkpoint } }: Followed): boolean => quarantined || (checkpoint?.ledger ?? 0) >= ledger
    return this.#options.control.storedLedger >= ledger && this.#followed.every(isPast)
  }

  #moved(): void {
    const { control } = this.#options
    // Not earlier: the watermark would move back to its checkpoint.
    const newest = Math.max(control.storedLedger, control.seen.ledger)
    for (const { progress } of this.#followed) {
      const { quarantined, error, checkpoint } = progress
      if (quarantined && error === '' && checkpoint !== null && checkpoint.ledger >= newest) progress.release()
    }
    if (!this.#wasCaughtUp && this.#isStored(control.seen.ledger) && isTip(control, this.#clock.nowMs())) {
      this.#wasCaughtUp = true
      this.#health.wake()
    }
    for (const check of this.#waiters) check()
  }

  async #report(): Promise<void> {
    const { control, store } = this.#options
    const isHeld = this.#isHeld && this.#hasEnded
    const known = this.#followed.flatMap(({ progress, watchdog }) => {
      const { checkpoint } = progress
      return checkpoint === null || this.#lost.aborted ? [] : [{ progress, watchdog, checkpoint }]
    })
    const reports = known.map(({ progress, checkpoint }) => healthReport(this, progress, checkpoint, control, this.#clock.nowMs(), isHeld))
    await store.reportHealth(reports)
    for (const { progress, watchdog } of known) {
      // Between two attempts at a quarantined partition nothing happens.
      if (progress.error !== '' || (await this.#isWaiting(progress))) watchdog.beat()
    }
  }

  /** A loop that waits at the end of the log with nothing to store is healthy; every other loop must make progress. */
  async #isWaiting({ partition, checkpoint, foldedLedger, readOffset }: PartitionProgress): Promise<boolean> {
    if (checkpoint?.ledger !== foldedLedger) return false
    const { log, network } = this.#options
    return readOffset >= (await log.end({ topic: sliceTopic(network.name, this.protocol), partition }))
  }

  /** Called at each scrape: lag grows while nothing moves. */
  #setMetrics(): void {
    const { control, metrics } = this.#options
    for (const { progress } of this.#followed) setPartitionMetrics(metrics, this, progress, control, this.#clock.nowMs())
  }

  async #end(forget: () => void): Promise<void> {
    const { metrics } = this.#options
    forget()
    metrics.adapterOwned.set({ protocol: this.protocol }, 0)
    for (const { progress, watchdog } of this.#followed) {
      watchdog.stop()
      forgetPartitionMetrics(metrics, this.protocol, progress.partition)
    }
    if (this.#lost.aborted) return // the process that has the partitions reports on them
    this.#hasEnded = true
    // The last report. It may fail for the same reason as the worker, whose error is the one to throw.
    await this.#health.report().catch(() => undefined)
  }
}

/** Waits until all have ended. The first failure stops the others and is thrown. */
async function endTogether(runs: readonly Promise<void>[], stopping: AbortController): Promise<void> {
  const failures: unknown[] = []
  const noteFailure = (error: unknown): void => {
    failures.push(error)
    stopping.abort()
  }
  await Promise.all(runs.map((run) => run.catch(noteFailure)))
  if (failures.length > 0) throw failures[0]
}

/** Whether the newest ledger of the log is the source's newest: the source has ended, or a recent tip is not newer. */
function isTip({ seen, sourceEnd, sourceTip }: ControlFollower, nowMs: number): boolean {
  if (seen.ledger === 0 || sourceTip === null) return sourceEnd !== null
  return seen.ledger >= sourceTip.ledger && nowMs - sourceTip.heardAtMs < TIP_OUTDATED_AFTER_MS
}
