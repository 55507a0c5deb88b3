// One run of ingest, from the end of the log to the source's end, a stop or a failure. Holds the timers and the promises of a run.

import { once } from 'node:events'
import type { EventLog, RegistryControl } from '@orrery/event-log'
import type { RegistryHistory } from '@orrery/protocol-kit'
import {
  type Clock,
  type Logger,
  type Metrics,
  type Readiness,
  startWatchdog,
  type Watchdog,
  type WatchdogOptions,
} from '@orrery/service-kit'
import type { BootstrapEntries } from './bootstrap-entries.ts'
import type { ControlHistory } from './control-history.ts'
import type { ControlSnapshotWriter } from './control-snapshots.ts'
import type { EntryReader } from './entry-reader.ts'
import { GapRepair, type ReadGaps } from './gap-repair.ts'
import { IngestLoop } from './ingest-loop.ts'
import type { LedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceRange } from './ledger-source.ts'
import { Outbox } from './outbox.ts'
import { type IngestProgress, Speed } from './progress.ts'
import { LOOK_EVERY_MS, ProgressLog } from './progress-log.ts'
import type { Resume } from './resume.ts'
import type { RunningIngest } from './running-ingest.ts'
import { SourceTip } from './source-tip.ts'
import type { Tracking } from './tracking.ts'
import { watchRegistry } from './watch-registry.ts'

/** Quiet ledgers that wait to be coalesced are covered at least this often, so that the watermark keeps moving. */
const FLUSH_EVERY_MS = 1_000
/** How often the newest ledger of a live source is requested. */
const POLL_SOURCE_EVERY_MS = 5_000
/** A ledger takes milliseconds, and a batch as long as a slow disk: without progress for longer, ingest is stuck. */
const UNREADY_AFTER_SECONDS = 60
const END_AFTER_SECONDS = 240

export interface RunParts {
  readonly source: LedgerSource
  readonly log: EventLog
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
  readonly resume: Resume
  readonly control: ControlHistory
  /** Reads on in the control topic, which may get records of another ingest, and writes snapshots of it. */
  readonly follower: ControlSnapshotWriter
  readonly tracking: Tracking
  readonly registry: RegistryHistory
  readonly registryRecords: readonly RegistryControl[]
  readonly bootstrapped: BootstrapEntries
  readonly reader: EntryReader | null
  /** Makes a new, empty tracking. */
  readonly newTracking: () => Tracking
  /** Reads the gaps that adapters report, and how often. Null: gaps are not repaired. */
  readonly gaps: { readonly read: ReadGaps; readonly everyMs: number } | null
  /** The range of the source when ingest started. */
  readonly range: SourceRange
  readonly watchdog: WatchdogTime
}

/** Clock and end of the watchdog: the process's own except in tests. */
export type WatchdogTime = Pick<WatchdogOptions, 'monotonicMs' | 'end'>

export class IngestRun implements RunningIngest {
  readonly #parts: RunParts
  readonly #outbox: Outbox
  readonly #loop: IngestLoop
  readonly #repair: GapRepair | null
  readonly #speed: Speed
  readonly #watchdog: Watchdog
  readonly #stopping = new AbortController()
  readonly #sourceTip: SourceTip
  readonly #caughtUp = Promise.withResolvers<number>()
  readonly #ended = Promise.withResolvers<void>()
  readonly #finished = Promise.withResolvers<void>()
  #tip: number
  #isCaughtUp = false
  #isAtSourceEnd = false
  /** Of the newest ledger in the log, Unix seconds; null until the log has one. */
  #closeTimeSeconds: number | null
  #failure: { readonly error: unknown } | null = null

  constructor(parts: RunParts) {
    const { resume, clock, tracking, log, logger, metrics } = parts
    this.#parts = parts
    this.#sourceTip = new SourceTip(parts)
    this.#tip = resume.nextLedger - 1
    this.#closeTimeSeconds = resume.previous?.closeTimeSeconds ?? null
    this.#speed = new Speed(clock, this.#tip)
    this.#watchdog = startWatchdog({
      name: 'ingest',
      unreadyAfterSeconds: UNREADY_AFTER_SECONDS,
      endAfterSeconds: END_AFTER_SECONDS,
      logger,
      ...parts.watchdog,
    })
    this.#outbox = new Outbox({ network: tracking.network.name, log, metrics, clock, onAppended: (facts) => this.#appended(facts) })
    this.#loop = new IngestLoop({
      ...parts,
      outbox: this.#outbox,
      isNewest: (ledger) => this.#sourceTip.isNear(ledger),
      onSignOfLife: () => this.#watchdog.beat(),
    })
    this.#repair =
      parts.gaps === null
        ? null
        : new GapRepair({
            ...parts,
            readGaps: parts.gaps.read,
            outbox: this.#outbox,
            frontLedger: () => this.#loop.lastLedger,
            onSignOfLife: () => this.#watchdog.beat(),
          })
    // A failure rejects all three promises: a caller that awaits only one must not end the process by an unhandled rejection.
    this.caughtUp.catch(() => undefined)
    this.ended.catch(() => undefined)
    this.finished.catch(() => undefined)
  }

  get caughtUp(): Promise<number> {
    return this.#caughtUp.promise
  }

  get ended(): Promise<void> {
    return this.#ended.promise
  }

  get finished(): Promise<void> {
    return this.#finished.promise
  }

  get tip(): number {
    return this.#tip
  }

  get firstLedger(): number {
    return this.#parts.resume.start.firstLedger
  }

  progress(): IngestProgress {
    const ledgersPerSecond = this.#speed.ledgersPerSecond()
    const left = (this.#sourceTip.last ?? Number.NaN) - this.#tip
    return {
      ledger: this.#tip,
      tip: this.#sourceTip.last,
      firstLedger: this.firstLedger,
      ledgersPerSecond,
      secondsLeft: ledgersPerSecond > 0 && left >= 0 ? Math.ceil(left / ledgersPerSecond) : null,
      records: this.#loop.records,
    }
  }

  readiness(): Readiness {
    const alive = this.#watchdog.readiness()
    if (!alive.ok) return alive
    const isAtTip = this.#sourceTip.isNear(this.#tip)
    return { ok: isAtTip, why: isAtTip ? '' : `Ledger ${this.#tip} of ${this.#sourceTip.last} is in the event log.` }
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    await this.finished
  }

  /** Called once. */
  begin(): void {
    this.#run().then(
      () => this.#finished.resolve(),
      (error: unknown) => {
        this.#caughtUp.reject(error)
        this.#ended.reject(error)
        this.#finished.reject(error)
      },
    )
  }

  async #run(): Promise<void> {
    const { source, logger } = this.#parts
    const timers = this.#startTimers()
    const forgetLag = this.#parts.metrics.onScrape(() => this.#setLag())
    const watching = this.#watchRegistry()
    try {
      this.#loop.begin()
      await this.#reportTip({ force: true })
      if (!source.ends) this.#checkCaughtUp()
      await this.#loop.run(this.#stopping.signal)
      await this.#flush()
      if (this.#stopping.signal.aborted) {
        logger.info({ ledger: this.#tip }, 'Stopped reading ledgers')
      } else if (source.ends) {
        await this.#reportSourceEnd()
        if (this.#repair !== null) await this.#waitForGaps()
      }
      await this.#repair?.settled
      if (this.#failure !== null) throw this.#failure.error
    } catch (error) {
      // Append what was read before the failure. Where that fails too, a restart reads those ledgers again.
      await this.#flush().catch(() => undefined)
      throw error
    } finally {
      for (const timer of timers) clearInterval(timer)
      this.#setLag()
      forgetLag()
      this.#stopping.abort()
      await this.#repair?.settled
      await watching
      this.#watchdog.stop()
    }
  }

  /** Never rejects: a failure ends the run. */
  async #watchRegistry(): Promise<void> {
    const { registry, follower } = this.#parts
    try {
      await watchRegistry(follower.follow(this.#stopping.signal), registry)
    } catch (error) {
      this.#failure ??= { error }
      this.#stopping.abort()
    }
  }

  /** The source has ended, but adapters may still report gaps. */
  async #waitForGaps(): Promise<void> {
    const { signal } = this.#stopping
    if (!signal.aborted) await once(signal, 'abort')
  }

  async #lookForGaps(repair: GapRepair): Promise<void> {
    if (this.#isAtSourceEnd && !repair.isRunning) this.#watchdog.beat() // there is nothing else to do
    try {
      await repair.look(this.#stopping.signal)
    } catch (error) {
      this.#failure ??= { error }
      this.#stopping.abort()
    }
  }

  async #flush(): Promise<void> {
    await this.#loop.flush()
    await this.#outbox.sent()
  }

  async #reportSourceEnd(): Promise<void> {
    const { control, logger } = this.#parts
    const ledger = this.#loop.lastLedger
    if (!control.sourceEnded || ledger !== control.lastLedger) {
      this.#outbox.control([{ kind: 'source_end', ledger }])
      await this.#flush()
    }
    this.#isAtSourceEnd = true
    logger.info({ ledger }, 'Read the source to its end')
    this.#caughtUp.resolve(ledger)
    this.#ended.resolve()
  }

  async #reportTip({ force }: { readonly force: boolean }): Promise<void> {
    const records = this.#sourceTip.records({ force })
    if (records.length === 0) return
    this.#outbox.control(records)
    await this.#outbox.flush()
  }

  /** With a live source, ingest has caught up when it has appended everything that the source had at the start. */
  #checkCaughtUp(): void {
    const { range, logger } = this.#parts
    if (this.#isCaughtUp || range.last === null || this.#tip < range.last) return
    this.#isCaughtUp = true
    const ledger = this.#tip
    const report = async (): Promise<void> => {
      await this.#loop.flush()
      await this.#reportTip({ force: true })
      await this.#outbox.sent()
      logger.info({ ledger }, 'Caught up with the source; following it')
      this.#caughtUp.resolve(ledger)
    }
    report().catch(() => this.#stopping.abort()) // the loop meets the same failure and throws it
  }

  #appended(facts: LedgerFacts): void {
    const { source } = this.#parts
    const { ledger, closeTimeSeconds } = facts
    this.#tip = ledger
    this.#closeTimeSeconds = closeTimeSeconds
    this.#sourceTip.read(facts)
    if (!source.ends) this.#checkCaughtUp()
    this.#speed.reached(ledger)
  }

  /** At each scrape, so that ages grow while no ledger comes. */
  #setLag(): void {
    const { metrics, clock, source } = this.#parts
    const { last, heardAtMs } = this.#sourceTip
    const nowMs = clock.nowMs()
    if (last !== null) metrics.ingestSourceLedger.set(last)
    metrics.ingestSourceSilence.set(source.ends ? 0 : Math.max(0, nowMs - heardAtMs) / 1000)
    if (this.#closeTimeSeconds === null) return
    metrics.ingestLedger.set(this.#tip)
    metrics.ingestLagLedgers.set(Math.max(0, (last ?? this.#tip) - this.#tip))
    metrics.ingestLagSeconds.set(this.#isAtSourceEnd ? 0 : Math.max(0, nowMs / 1000 - this.#closeTimeSeconds))
  }

  #startTimers(): NodeJS.Timeout[] {
    const { source, logger, clock, gaps } = this.#parts
    const repair = this.#repair
    const isAtTip = (): boolean => this.#sourceTip.isNear(this.#tip)
    const progressLog = new ProgressLog({ clock, logger, progress: () => this.progress(), isAtTip })
    return [
      // After a failed flush the next one fails as well. Aborting ends the loop, whose own flush throws the error.
      setInterval(() => void this.#loop.flush().catch(() => this.#stopping.abort()), FLUSH_EVERY_MS),
      setInterval(() => progressLog.look(), LOOK_EVERY_MS),
      ...(repair === null || gaps === null ? [] : [setInterval(() => void this.#lookForGaps(repair), gaps.everyMs)]),
      ...(source.ends ? [] : [setInterval(() => void this.#pollSource(), POLL_SOURCE_EVERY_MS)]),
    ]
  }

  async #pollSource(): Promise<void> {
    if (!(await this.#sourceTip.poll())) return
    // The source answers and has no newer ledger: the loop waits for one and is not stuck.
    if (this.#loop.lastLedger >= (this.#sourceTip.last ?? 0)) this.#watchdog.beat()
    // After a failed flush the next one fails as well. Aborting ends the loop, whose own flush throws the error.
    await this.#reportTip({ force: false }).catch(() => this.#stopping.abort())
  }
}
