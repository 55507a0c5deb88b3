// Resends ledgers of a partition when its adapter reports a gap in the log. Ingest of new ledgers continues: a second loop reads the source
// from the gap on, and the partition's one slice builder takes its next ledger from whichever loop brings it.

import { OrreryError } from '@orrery/errors'
import type { EventLog } from '@orrery/event-log'
import type { ProtocolId, RegistryHistory } from '@orrery/protocol-kit'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import type { BootstrapEntries } from './bootstrap-entries.ts'
import type { ControlHistory } from './control-history.ts'
import { readControl } from './control-snapshots.ts'
import { IngestLoop } from './ingest-loop.ts'
import type { LedgerSource } from './ledger-source.ts'
import type { Outbox, Outlet } from './outbox.ts'
import { emptyPosition, readPositionUpTo } from './recover-log.ts'
import type { Resume } from './resume.ts'
import type { PartitionPosition, SliceBuilder } from './slice-builder.ts'
import type { Tracking } from './tracking.ts'

/** The ledgers (after, before] of a partition that its adapter waits for. */
export interface Gap {
  readonly protocol: ProtocolId
  readonly partition: number
  readonly after: number
  readonly before: number
}

/** Reads the gaps that adapters report. */
export type ReadGaps = () => Promise<readonly Gap[]>

export interface GapRepairParts {
  readonly readGaps: ReadGaps
  readonly source: LedgerSource
  readonly log: EventLog
  readonly outbox: Outbox
  readonly resume: Resume
  readonly bootstrapped: BootstrapEntries
  readonly registry: RegistryHistory
  /** A new, empty tracking. */
  readonly newTracking: () => Tracking
  /** Newest ledger that the main loop has given to the outbox. */
  readonly frontLedger: () => number
  readonly onSignOfLife: () => void
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}

/** An adapter needs time to read a resent range, and its report is some seconds old. A gap is not repaired twice within this time. */
const RETRY_AFTER_MS = 60_000

export class GapRepair {
  readonly #parts: GapRepairParts
  /** Gap -> when it was last resent, or found to be beyond repair. */
  readonly #tried = new Map<string, number>()
  #running: Promise<void> | null = null

  constructor(parts: GapRepairParts) {
    this.#parts = parts
  }

  /** Whether a range is being resent now. */
  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Resolves when no repair runs. Errors of a run go to the caller of `look`. */
  get settled(): Promise<void> {
    return this.#running?.catch(() => undefined) ?? Promise.resolve()
  }

  /**
   * Reads the gaps and repairs them, one after the other. While an earlier call runs, returns that one.
   * @throws errors of reading and appending: a restart continues from the partition's last slice.
   */
  look(signal: AbortSignal): Promise<void> {
    this.#running ??= this.#repairAll(signal).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #repairAll(signal: AbortSignal): Promise<void> {
    for (const gap of await this.#readGaps()) {
      const key = `${gap.protocol}/${gap.partition} ${gap.after}`
      const triedMs = this.#tried.get(key) ?? Number.NEGATIVE_INFINITY
      if (signal.aborted || this.#parts.clock.nowMs() - triedMs < RETRY_AFTER_MS) continue
      await this.#repair(gap, signal)
      this.#tried.set(key, this.#parts.clock.nowMs())
    }
  }

  async #readGaps(): Promise<readonly Gap[]> {
    try {
      return await this.#parts.readGaps()
    } catch (error) {
      // The next call reads them again. Adapters wait at a gap, so no wrong answer is served until then.
      this.#parts.logger.warn({ err: error }, 'Could not read the gaps that adapters report; ingest continues')
      return []
    }
  }

  async #repair(gap: Gap, signal: AbortSignal): Promise<void> {
    const { source, log, resume, logger, metrics } = this.#parts
    const builder = resume.builders.find(({ protocol, at }) => protocol === gap.protocol && at.partition === gap.partition)
    if (!builder) return // another ingest writes this topic
    const position = await this.#positionBefore(gap, builder)
    const first = await this.#oldest(source, position.ledger + 1)
    if (first === null) return
    if (first > position.ledger + 1) {
      const fields = { ...gap, code: 'log_gap', sourceFirst: first, neededFrom: position.ledger + 1 }
      logger.error(
        fields,
        `Cannot resend ledgers ${gap.after + 1} to ${gap.before}, which the source does not have: the partition cannot advance`,
      )
      return
    }
    logger.warn({ ...gap }, 'Resending a range of ledgers to close a gap')
    metrics.ingestGapRepairs.inc({ protocol: gap.protocol })
    const { history: control } = await readControl(log, resume.start.network, { fromLedger: position.ledger })
    builder.rewind(position)
    await this.#resendFrom(builder, control, signal)
    logger.info({ ...gap, resentUpTo: builder.next - 1 }, 'Resent the missing ledgers')
  }

  /** Oldest ledger of the source when ledger `needed` is requested. Null while it does not answer: the next look tries again. */
  async #oldest(source: LedgerSource, needed: number): Promise<number | null> {
    try {
      return (await source.range(needed)).first
    } catch (error) {
      if (!(error instanceof OrreryError) || error.kind !== 'unavailable') throw error
      this.#parts.logger.warn({ err: error }, 'Could not read the range of the source for a gap repair; trying again')
      return null
    }
  }

  /** The last stored position before the gap. Where retention has removed all slices before it: the first ledger of the index. */
  async #positionBefore({ after }: Gap, { at }: SliceBuilder): Promise<PartitionPosition> {
    const { log, resume } = this.#parts
    return (await readPositionUpTo(log, at, after)) ?? emptyPosition(resume.start.firstLedger)
  }

  /** Reads the source from the builder's position until the builder has reached the main loop. */
  async #resendFrom(builder: SliceBuilder, control: ControlHistory, signal: AbortSignal): Promise<void> {
    const { outbox, resume, newTracking, frontLedger, onSignOfLife } = this.#parts
    const reached = new AbortController()
    const loop = new IngestLoop({
      ...this.#parts,
      resume: { ...resume, builders: [builder], nextLedger: builder.next, previous: control.ledgers.get(builder.next - 1) ?? null },
      control,
      tracking: newTracking(),
      outbox: slicesOnly(outbox),
      registryRecords: [],
      reader: null, // the log has the bootstrap entries of these ledgers
      isNewest: () => false,
      onSignOfLife: () => {
        onSignOfLife()
        if (builder.next > frontLedger()) reached.abort()
      },
    })
    await loop.run(AbortSignal.any([signal, reached.signal]))
    await loop.flush()
    await outbox.sent()
  }
}

/** The control topic has these ledgers and contracts already, and the main loop reports the tip. */
function slicesOnly(outbox: Outbox): Outlet {
  return {
    get isFull() {
      return outbox.isFull
    },
    control: () => undefined,
    ledgerDone: () => undefined,
    slice: (protocol, at, values) => outbox.slice(protocol, at, values),
    flush: () => outbox.flush(),
  }
}
