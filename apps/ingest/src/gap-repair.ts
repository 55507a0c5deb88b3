// Tells a partition again from a hole on, when its adapter says that ledgers are missing in the log. Reading goes on meanwhile:
// a second loop reads the source from the hole, and the partition's one teller hears whoever has its next ledger.

import { OrreryError } from '@orrery/errors'
import type { EventLog } from '@orrery/event-log'
import type { ProtocolId, RegistryHistory } from '@orrery/protocol-kit'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import type { AdoptedEntries } from './adopted-entries.ts'
import { IngestLoop } from './ingest-loop.ts'
import type { LedgerSource } from './ledger-source.ts'
import type { Outbox, Outlet } from './outbox.ts'
import type { PartitionTeller, Told } from './partition-teller.ts'
import type { Resume } from './resume.ts'
import { readToldControl, readToldUpTo, toldNothing } from './told-log.ts'
import type { Tracking } from './tracking.ts'

/** The ledgers (after, before] of a partition, which its adapter waits for. */
export interface Gap {
  readonly protocol: ProtocolId
  readonly partition: number
  readonly after: number
  readonly before: number
}

/** What adapters wait for, by their own word. */
export type ReadGaps = () => Promise<readonly Gap[]>

export interface GapRepairParts {
  readonly readGaps: ReadGaps
  readonly source: LedgerSource
  readonly log: EventLog
  readonly outbox: Outbox
  readonly resume: Resume
  readonly adopted: AdoptedEntries
  readonly registry: RegistryHistory
  /** Follows nothing yet. */
  readonly newTracking: () => Tracking
  /** Newest ledger that the loop at the front has handed over. */
  readonly frontLedger: () => number
  readonly onSignOfLife: () => void
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock: Clock
}

/** An adapter needs a while to read what was told again, and its word is some seconds old. The same hole is not filled twice within this time. */
const PATIENCE_MS = 60_000

export class GapRepair {
  readonly #parts: GapRepairParts
  /** Hole -> when it was last told again, or found to be beyond repair. */
  readonly #tried = new Map<string, number>()
  #running: Promise<void> | null = null

  constructor(parts: GapRepairParts) {
    this.#parts = parts
  }

  /** Whether a partition is being told again now. */
  get isRunning(): boolean {
    return this.#running !== null
  }

  /** Resolves when nothing runs. What a run throws is for whoever called `look`. */
  get settled(): Promise<void> {
    return this.#running?.catch(() => undefined) ?? Promise.resolve()
  }

  /**
   * Asks for holes and tells the partitions again, one after the other. Does nothing while an earlier call does.
   * @throws what reading and telling throw: a restart goes on from where the partition was told to.
   */
  look(signal: AbortSignal): Promise<void> {
    this.#running ??= this.#repairAll(signal).finally(() => {
      this.#running = null
    })
    return this.#running
  }

  async #repairAll(signal: AbortSignal): Promise<void> {
    for (const gap of await this.#ask()) {
      const key = `${gap.protocol}/${gap.partition} ${gap.after}`
      const triedMs = this.#tried.get(key) ?? Number.NEGATIVE_INFINITY
      if (signal.aborted || this.#parts.clock.nowMs() - triedMs < PATIENCE_MS) continue
      await this.#repair(gap, signal)
      this.#tried.set(key, this.#parts.clock.nowMs())
    }
  }

  async #ask(): Promise<readonly Gap[]> {
    try {
      return await this.#parts.readGaps()
    } catch (error) {
      // Whoever cannot say where the holes are can say it later. Adapters wait, and nothing wrong is served meanwhile.
      this.#parts.logger.warn({ err: error }, 'Could not ask the adapters for missing ledgers; reading goes on')
      return []
    }
  }

  async #repair(gap: Gap, signal: AbortSignal): Promise<void> {
    const { source, log, resume, logger, metrics } = this.#parts
    const teller = resume.tellers.find(({ protocol, at }) => protocol === gap.protocol && at.partition === gap.partition)
    if (!teller) return // another ingest writes that topic
    const told = await this.#toldBefore(gap, teller)
    const first = await this.#oldest(source, told.ledger + 1)
    if (first === null) return
    if (first > told.ledger + 1) {
      const fields = { ...gap, code: 'log_gap', sourceFirst: first, neededFrom: told.ledger + 1 }
      logger.error(fields, `Cannot tell ledgers ${gap.after + 1} to ${gap.before} again: the partition stays where it is`)
      return
    }
    logger.warn({ ...gap }, 'Tells a partition again from the hole that its adapter found')
    metrics.ingestRetold.inc({ protocol: gap.protocol })
    const control = await readToldControl(log, resume.start.network, told.ledger)
    teller.rewind(told)
    await this.#tellFrom(teller, control, signal)
    logger.info({ ...gap, toldUpTo: teller.next - 1 }, 'Told the missing ledgers again')
  }

  /** Oldest ledger of the source when `needed` is asked of it, or null while it does not answer: gaps are looked for again, and reading has its own retries. */
  async #oldest(source: LedgerSource, needed: number): Promise<number | null> {
    try {
      return (await source.range(needed)).first
    } catch (error) {
      if (!(error instanceof OrreryError) || error.kind !== 'unavailable') throw error
      this.#parts.logger.warn({ err: error }, 'Could not ask the source for what a partition misses; it is asked again')
      return null
    }
  }

  /** Where to begin: as near to the hole as slices are still stored. Where retention took them all, at the first ledger of the index. */
  async #toldBefore({ after }: Gap, { at }: PartitionTeller): Promise<Told> {
    const { log, resume } = this.#parts
    return (await readToldUpTo(log, at, after)) ?? toldNothing(resume.start.firstLedger)
  }

  /** Reads the source from the teller's place until the teller has met the loop at the front. */
  async #tellFrom(teller: PartitionTeller, control: Awaited<ReturnType<typeof readToldControl>>, signal: AbortSignal): Promise<void> {
    const { outbox, resume, newTracking, frontLedger, onSignOfLife } = this.#parts
    const met = new AbortController()
    const loop = new IngestLoop({
      ...this.#parts,
      resume: { ...resume, tellers: [teller], nextLedger: teller.next, previous: control.ledgers.get(teller.next - 1) ?? null },
      control,
      tracking: newTracking(),
      outbox: slicesOnly(outbox),
      registryRecords: [],
      reader: null, // what these ledgers were told with stands in the log
      isNewest: () => false,
      onSignOfLife: () => {
        onSignOfLife()
        if (teller.next > frontLedger()) met.abort()
      },
    })
    await loop.run(AbortSignal.any([signal, met.signal]))
    await loop.flush()
    await outbox.sent()
  }
}

/** The control topic knows those ledgers and contracts, and the tip is the front's to say. */
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
