// The progress of one partition: updated by the loop, read by health rows, metrics and callers that wait for a ledger.

import { OrreryError, reasonOf } from '@orrery/errors'
import { type NoticeRow, type ProtocolId, ROW_TABLES, type Rows, type Slice, type StateRow } from '@orrery/protocol-kit'
import type { Checkpoint, EncodedRows } from '@orrery/read-model'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import type { FollowObserver, Gap } from './follow.ts'
import type { WriteSummary } from './write-summary.ts'

const HOUR_MS = 3_600_000

export interface PartitionProgressOptions {
  readonly protocol: ProtocolId
  readonly partition: number
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** Logs what the partitions of the worker wrote. */
  readonly summary: Pick<WriteSummary, 'add'>
  /** Called when the checkpoint has moved. */
  readonly onStored: () => void
  /** Called when the loop has made progress. */
  readonly onSignOfLife: () => void
  /** Called after a change that health must show at once: the first checkpoint, a gap, an error, a sum that does not add up. */
  readonly onChange: () => void
}

export class PartitionProgress implements FollowObserver {
  readonly partition: number
  /** Null until the checkpoint has been read. */
  checkpoint: Checkpoint | null = null
  /** Unix milliseconds. */
  progressedAtMs: number
  /** Newest ledger folded, stored or not. */
  foldedLedger = 0
  /** Offset at which the loop reads the log next. */
  readOffset = 0n
  /** Rows stored since this process started. */
  rowsStored = 0
  gap: Gap | null = null
  /** Message of the last error, '' when there is none. */
  error = ''
  /** Its records could not be folded, and it has not caught up since: readers leave it out. */
  quarantined = false
  /** Message about the newest sum that did not add up, '' when all did since this process started. Indexing continues. */
  brokenInvariant = ''
  readonly #options: PartitionProgressOptions
  readonly #labels: { readonly protocol: string; readonly partition: string }
  readonly #contracts = new Set<string>()
  /** The sums that did not add up since this process started. */
  readonly #broken = new Set<string>()
  #errorsMs: number[] = []

  constructor(options: PartitionProgressOptions) {
    this.#options = options
    this.partition = options.partition
    this.#labels = { protocol: options.protocol, partition: String(options.partition) }
    this.progressedAtMs = options.clock.nowMs()
  }

  /** Contracts that have state of this partition: its pools and roots. */
  get contractsTracked(): number {
    return this.#contracts.size
  }

  /**
   * Errors in the last hour that this process met. It begins at 0 with every start and with every new owner of the partition: the last report of a
   * process that ended by an error counts that error until the next process reports.
   */
  get errorsLastHour(): number {
    const since = this.#options.clock.nowMs() - HOUR_MS
    this.#errorsMs = this.#errorsMs.filter((ms) => ms > since)
    return this.#errorsMs.length
  }

  started(from: Checkpoint, state: readonly StateRow[]): void {
    this.checkpoint = from
    this.foldedLedger = from.ledger
    this.readOffset = from.offset
    this.error = '' // where the same ledger fails again, its error comes back
    this.#own(state)
    this.#options.logger.info({ ...this.#labels, ledger: from.ledger, stateRows: state.length }, 'Loaded state and started following')
    this.#options.onChange()
    this.#options.onStored()
  }

  /** Health can then name the checkpoint beside the error. */
  notStarted(from: Checkpoint): void {
    this.checkpoint = from
    this.foldedLedger = from.ledger
    this.readOffset = from.offset
  }

  read(offset: bigint): void {
    this.readOffset = offset
    this.#options.onSignOfLife()
  }

  folded(slice: Slice, rows: Rows, seconds: number): void {
    const { metrics, protocol, onSignOfLife } = this.#options
    this.#own(rows.state)
    metrics.foldSeconds.observe({ protocol }, seconds)
    metrics.foldRecords.inc({ protocol }, slice.records.length)
    // The kind, not the reason: a reason may contain any text of a topic, and each label value is a new time series.
    for (const { kind, count } of rows.notices) metrics.extractUnknown.inc({ protocol, reason: kind }, count)
    for (const notice of rows.notices) if (notice.kind === 'invariant') this.#broke(notice)
    this.foldedLedger = slice.ledger
    onSignOfLife()
  }

  stored(to: Checkpoint, ledgers: readonly EncodedRows[], seconds: number): void {
    const { metrics, protocol, clock, summary, onStored } = this.#options
    this.checkpoint = to
    this.progressedAtMs = clock.nowMs()
    this.error = '' // what failed was folded at another attempt
    metrics.writeSeconds.observe({ protocol }, seconds)
    let count = 0
    for (const table of ROW_TABLES) {
      const inTable = ledgers.reduce((sum, ledger) => sum + ledger.count(table), 0)
      metrics.writeRows.inc({ protocol, table }, inTable)
      count += inTable
    }
    this.rowsStored += count
    summary.add({ partition: this.partition, ledger: to.ledger, slices: ledgers.length, rows: count })
    this.#options.onSignOfLife()
    onStored()
  }

  gapDetected(missing: Gap): void {
    const { metrics, logger, onChange, onSignOfLife } = this.#options
    metrics.adapterGaps.inc(this.#labels)
    onSignOfLife()
    if (missing.after === this.gap?.after) return // the same gap: later slices are skipped with it
    this.gap = missing
    logger.error(
      { ...this.#labels, ...missing, code: 'log_gap' },
      'Ledgers are missing in the log; later slices are skipped until ingest has resent them',
    )
    onChange()
  }

  registryChanged(ledger: number): void {
    const { logger, onSignOfLife } = this.#options
    logger.info({ ...this.#labels, ledger }, 'Reloaded state with the registry that applies from this ledger')
    onSignOfLife()
  }

  gapClosed(): void {
    this.gap = null
    this.#options.logger.info(this.#labels, 'The gap is closed: ingest has resent the missing ledgers')
    this.#options.onChange()
  }

  failed(error: unknown): void {
    const { clock, metrics, protocol, onChange } = this.#options
    this.error = reasonOf(error)
    this.#errorsMs.push(clock.nowMs())
    metrics.adapterErrors.inc({ protocol, kind: error instanceof OrreryError ? error.kind : 'bug' })
    onChange()
  }

  /** `error` is of this partition alone. The others go on; this one is tried again after a pause. */
  quarantine(error: unknown, pauseSeconds: number): void {
    const fields = { ...this.#labels, after: this.checkpoint?.ledger ?? null, nextAttemptInSeconds: pauseSeconds, err: error }
    this.#options.logger.error(
      { ...fields, code: 'partition_quarantined' },
      this.quarantined
        ? 'A quarantined partition failed again'
        : 'A partition is quarantined: its records cannot be folded. The others go on, and the API leaves its pools out of answers as of later ledgers',
    )
    this.quarantined = true
    this.#options.onChange()
  }

  /** It has folded what the others have. */
  release(): void {
    this.quarantined = false
    this.#options.logger.info(
      { ...this.#labels, ledger: this.checkpoint?.ledger },
      'A partition has caught up and is no longer quarantined',
    )
    this.#options.onChange()
  }

  /** Health names it. One log line for each sum, not for each ledger in which it does not add up. */
  #broke({ contract, reason, ledger }: NoticeRow): void {
    const name = `${contract} ${reason}`
    this.brokenInvariant = `An invariant of ${contract} does not hold in ledger ${ledger}: ${reason}. Indexing continues; the table notices lists every case, with the kind invariant.`
    if (this.#broken.has(name)) return
    this.#broken.add(name)
    this.#options.logger.error({ ...this.#labels, contract, ledger, reason }, 'An invariant does not hold: stored amounts do not add up')
    this.#options.onChange()
  }

  #own(state: readonly StateRow[]): void {
    for (const row of state) if (row.scope === this.partition) this.#contracts.add(row.contract)
  }
}
