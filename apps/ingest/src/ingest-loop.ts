// One ledger after the other: check, extract, discover, route, tell. Deciding is in the files it calls; what waits is the outbox.

import { setImmediate as turn } from 'node:timers/promises'
import { OrreryError } from '@orrery/errors'
import type { TrackedControl } from '@orrery/event-log'
import { readLedgerHeader } from '@orrery/ledger'
import type { ProtocolId, TrackedContract } from '@orrery/protocol-kit'
import type { Clock, Metrics } from '@orrery/service-kit'
import { extractAndDiscover } from './discover.ts'
import { checkToldLedger, type LedgerFacts, nextLedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceLedger } from './ledger-source.ts'
import type { Outlet } from './outbox.ts'
import type { Resume } from './resume.ts'
import { type PartitionShare, routeLedger } from './route.ts'
import type { ToldControl } from './told-log.ts'
import type { Tracking } from './tracking.ts'

/** Work between two turns of the event loop: others in this process (the API of `orrery up`) answer in between. */
const WORK_MS = 10

type Shares = ReadonlyMap<ProtocolId, readonly PartitionShare[]>

export interface LoopParts {
  readonly source: LedgerSource
  readonly resume: Resume
  readonly control: ToldControl
  readonly tracking: Tracking
  readonly outbox: Outlet
  readonly clock: Clock
  readonly metrics: Metrics
  /** Whether the source has nothing newer, as far as is known: then nothing waits to be coalesced. */
  readonly isNewest: (ledger: number) => boolean
  /** The loop has come round. */
  readonly onSignOfLife: () => void
}

export class IngestLoop {
  readonly #parts: LoopParts
  /** Contracts that the log names, in the order of their ledgers: each is followed from its own ledger on, as when it was first told. */
  readonly #scheduled: TrackedControl[]
  #previous: LedgerFacts | null
  #areRootsFollowed = false
  #records = 0

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#previous = parts.resume.previous
    this.#scheduled = parts.control.tracked.toSorted((a, b) => a.ledger - b.ledger)
  }

  /** Newest ledger that was handed to the outbox. */
  get lastLedger(): number {
    return this.#previous?.ledger ?? this.#parts.resume.nextLedger - 1
  }

  /** Records extracted so far. */
  get records(): number {
    return this.#records
  }

  /** What is told before the first ledger. */
  begin(): void {
    const { outbox, resume } = this.#parts
    if (resume.isStartNew) outbox.control([resume.start])
  }

  /** Reads until the source ends or `signal` aborts. What was read is in the outbox, and most of it is sent. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, outbox, metrics, clock, resume, onSignOfLife } = this.#parts
    let workedSinceMs = clock.nowMs()
    let askedAtMs = workedSinceMs
    for await (const ledger of source.read(resume.nextLedger, signal)) {
      metrics.fetchSeconds.observe((clock.nowMs() - askedAtMs) / 1000)
      metrics.fetchLedgers.inc()
      metrics.fetchBytes.inc(ledger.bytes.length)
      const isNewest = inLedger(ledger.sequence, () => this.#tell(ledger))
      if (isNewest || outbox.isFull) await outbox.flush()
      onSignOfLife()
      if (clock.nowMs() - workedSinceMs >= WORK_MS) {
        await turn()
        workedSinceMs = clock.nowMs()
      }
      askedAtMs = clock.nowMs()
    }
  }

  /** Covers what waits to be coalesced and sends everything. */
  async flush(): Promise<void> {
    const { outbox, resume } = this.#parts
    for (const teller of resume.tellers) outbox.slice(teller.protocol, teller.at, teller.cover())
    await outbox.flush()
  }

  /** Synchronous, so that a flush by the clock meets whole ledgers only. Returns whether the ledger is the source's newest. */
  #tell({ sequence, bytes }: SourceLedger): boolean {
    const { control, outbox, isNewest } = this.#parts
    const facts = this.#check(bytes)
    const { tracked, shares } = this.#extract(sequence, bytes)
    outbox.control(tracked.map((contract) => ({ kind: 'tracked', ledger: sequence, contract })))
    if (sequence > control.lastLedger) outbox.control([{ kind: 'ledger', ...facts }])
    this.#tellPartitions(facts, shares, isNewest(sequence))
    outbox.ledgerDone(facts)
    this.#previous = facts
    return isNewest(sequence)
  }

  /** The ledger follows its predecessor, and is the one that the log knows when it is read again. */
  #check(bytes: Uint8Array): LedgerFacts {
    const header = readLedgerHeader(bytes)
    const facts = nextLedgerFacts(header, this.#previous)
    const told = this.#parts.control.ledgers.get(header.sequence)
    if (told) checkToldLedger(header, told)
    return facts
  }

  /** What becomes tracked with this ledger, and what it has for every partition of every protocol. */
  #extract(ledger: number, bytes: Uint8Array): { readonly tracked: readonly TrackedContract[]; readonly shares: Shares } {
    const { tracking, metrics } = this.#parts
    const stopExtract = metrics.extractSeconds.startTimer()
    const roots = this.#follow(ledger)
    const { extract, found } = extractAndDiscover(bytes, tracking)
    stopExtract()
    metrics.extractRecords.inc(extract.records.length)
    this.#records += extract.records.length
    const stopRoute = metrics.routeSeconds.startTimer()
    const shares = new Map(
      tracking.protocols.map((protocol) => [protocol.routing.protocol, routeLedger(extract, protocol, tracking.network)]),
    )
    stopRoute()
    return { tracked: [...roots, ...found], shares }
  }

  #tellPartitions(facts: LedgerFacts, shares: Shares, atOnce: boolean): void {
    const { resume, outbox, metrics } = this.#parts
    for (const teller of resume.tellers) {
      const share = shares.get(teller.protocol)?.[teller.at.partition]
      if (!share) continue
      outbox.slice(teller.protocol, teller.at, teller.tell(facts, share, atOnce))
      if (share.records.length > 0) metrics.routeRecords.inc({ protocol: teller.protocol }, share.records.length)
    }
  }

  /** Follows what the log names at or before `ledger`, then, once, the roots that it does not name. Returns the latter as news. */
  #follow(ledger: number): readonly TrackedContract[] {
    const { tracking } = this.#parts
    while ((this.#scheduled[0]?.ledger ?? Number.POSITIVE_INFINITY) <= ledger) {
      const next = this.#scheduled.shift()
      if (next) tracking.add(next.contract)
    }
    if (this.#areRootsFollowed) return []
    this.#areRootsFollowed = true
    return tracking.protocols.flatMap(({ routing }) => routing.roots(tracking.network)).flatMap((root) => tracking.add(root) ?? [])
  }
}

/** What goes wrong inside of a ledger names it. */
function inLedger<T>(ledger: number, tell: () => T): T {
  try {
    return tell()
  } catch (error) {
    throw error instanceof OrreryError ? error.with({ ledger }) : error
  }
}
