// Where one partition stands: told by the loop, read by health rows, metrics and those who wait for a ledger.

import { OrreryError, reasonOf } from '@orrery/errors'
import { type NoticeRow, type ProtocolId, ROW_TABLES, type Rows, type Slice, type StateRow } from '@orrery/protocol-kit'
import type { Checkpoint } from '@orrery/read-model'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import type { FollowObserver, Gap } from './follow.ts'

const HOUR_MS = 3_600_000
const LOG_EVERY_MS = 5_000

export interface PartitionProgressOptions {
  readonly protocol: ProtocolId
  readonly partition: number
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** The checkpoint moved. */
  readonly onStored: () => void
  /** The loop has come round. */
  readonly onSignOfLife: () => void
  /** Something changed that an operator should hear of at once: the first checkpoint read, a hole, an error, a sum that does not add up. */
  readonly onNews: () => void
}

export class PartitionProgress implements FollowObserver {
  readonly partition: number
  /** Null until the checkpoint has been read. */
  checkpoint: Checkpoint | null = null
  /** Unix milliseconds. */
  progressedAtMs: number
  /** Newest ledger folded, stored or not. */
  foldedLedger = 0
  /** Where the loop reads the log next. */
  readOffset = 0n
  /** Since this process started. */
  rowsStored = 0
  gap: Gap | null = null
  /** Last error in words, '' when there is none. */
  error = ''
  /** The newest sum that did not add up, in words, '' while all did since this process started. Indexing goes on. */
  brokenInvariant = ''
  readonly #options: PartitionProgressOptions
  readonly #labels: { readonly protocol: string; readonly partition: string }
  readonly #contracts = new Set<string>()
  /** What did not add up since this process started, each once. */
  readonly #broken = new Set<string>()
  #errorsMs: number[] = []
  #unlogged = { slices: 0, rows: 0, sinceMs: 0 }

  constructor(options: PartitionProgressOptions) {
    this.#options = options
    this.partition = options.partition
    this.#labels = { protocol: options.protocol, partition: String(options.partition) }
    this.progressedAtMs = options.clock.nowMs()
    this.#unlogged.sinceMs = this.progressedAtMs
  }

  /** Contracts that have state of this partition: its pools and roots. */
  get contractsTracked(): number {
    return this.#contracts.size
  }

  get errorsLastHour(): number {
    const since = this.#options.clock.nowMs() - HOUR_MS
    this.#errorsMs = this.#errorsMs.filter((ms) => ms > since)
    return this.#errorsMs.length
  }

  started(from: Checkpoint, state: readonly StateRow[]): void {
    this.checkpoint = from
    this.foldedLedger = from.ledger
    this.readOffset = from.offset
    this.#own(state)
    this.#options.logger.info({ ...this.#labels, ledger: from.ledger, stateRows: state.length }, 'Loaded state and started following')
    this.#options.onNews()
    this.#options.onStored()
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
    // The kind, not the words: a topic is somebody's text, and each new label value is a series for ever.
    for (const { kind, count } of rows.notices) metrics.extractUnknown.inc({ protocol, reason: kind }, count)
    for (const notice of rows.notices) if (notice.kind === 'invariant') this.#broke(notice)
    this.foldedLedger = slice.ledger
    onSignOfLife()
  }

  stored(to: Checkpoint, rows: readonly Rows[], seconds: number): void {
    const { metrics, protocol, clock, onStored } = this.#options
    this.checkpoint = to
    this.progressedAtMs = clock.nowMs()
    metrics.writeSeconds.observe({ protocol }, seconds)
    let count = 0
    for (const table of ROW_TABLES) {
      const inTable = rows.reduce((sum, one) => sum + one[table].length, 0)
      metrics.writeRows.inc({ protocol, table }, inTable)
      count += inTable
    }
    this.rowsStored += count
    this.#log(to, rows.length, count)
    this.#options.onSignOfLife()
    onStored()
  }

  setAside(missing: Gap): void {
    const { metrics, logger, onNews, onSignOfLife } = this.#options
    metrics.adapterGaps.inc(this.#labels)
    onSignOfLife()
    if (missing.after === this.gap?.after) return // the same hole: what lies behind its end is set aside with it
    this.gap = missing
    logger.error(
      { ...this.#labels, ...missing, code: 'log_gap' },
      'Ledgers are missing in the log: what follows is set aside until ingest has told them again',
    )
    onNews()
  }

  registryChanged(ledger: number): void {
    const { logger, onSignOfLife } = this.#options
    logger.info({ ...this.#labels, ledger }, 'Reloaded state with the registry that applies from this ledger')
    onSignOfLife()
  }

  fitsAgain(): void {
    this.gap = null
    this.#options.logger.info(this.#labels, 'The missing ledgers were told again')
    this.#options.onNews()
  }

  failed(error: unknown): void {
    const { clock, metrics, protocol, onNews } = this.#options
    this.error = reasonOf(error)
    this.#errorsMs.push(clock.nowMs())
    metrics.adapterErrors.inc({ protocol, kind: error instanceof OrreryError ? error.kind : 'bug' })
    onNews()
  }

  /** Health names it. A log line for each thing that broke, not for each ledger in which it is still broken. */
  #broke({ contract, reason, ledger }: NoticeRow): void {
    const told = `${contract} ${reason}`
    this.brokenInvariant = `A check of ${contract} did not hold in ledger ${ledger}: ${reason}. Indexing goes on; the table notices has every case under invariant.`
    if (this.#broken.has(told)) return
    this.#broken.add(told)
    this.#options.logger.error({ ...this.#labels, contract, ledger, reason }, 'A check of sums did not hold')
    this.#options.onNews()
  }

  #own(state: readonly StateRow[]): void {
    for (const row of state) if (row.scope === this.partition) this.#contracts.add(row.contract)
  }

  /** An operator wants a line every few seconds, not one a batch. */
  #log(to: Checkpoint, slices: number, rows: number): void {
    const nowMs = this.#options.clock.nowMs()
    this.#unlogged.slices += slices
    this.#unlogged.rows += rows
    if (nowMs - this.#unlogged.sinceMs < LOG_EVERY_MS) return
    const { slices: slicesWritten, rows: rowsWritten, sinceMs } = this.#unlogged
    this.#options.logger.info(
      { ...this.#labels, ledger: to.ledger, slices: slicesWritten, rows: rowsWritten, durationSeconds: (nowMs - sinceMs) / 1000 },
      'Wrote rows',
    )
    this.#unlogged = { slices: 0, rows: 0, sinceMs: nowMs }
  }
}
