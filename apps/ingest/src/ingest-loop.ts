// One ledger after the other: check, extract, discover, route, tell. Deciding is in the files it calls; what waits is the outbox.

import { setImmediate as turn } from 'node:timers/promises'
import type { TrackedControl } from '@orrery/event-log'
import { readLedgerHeader } from '@orrery/ledger'
import type { TrackedContract } from '@orrery/protocol-kit'
import type { Clock, Metrics } from '@orrery/service-kit'
import { extractAndDiscover } from './discover.ts'
import { checkToldLedger, type LedgerFacts, nextLedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceLedger } from './ledger-source.ts'
import type { Outbox } from './outbox.ts'
import type { PartitionTeller } from './partition-teller.ts'
import type { Resume } from './resume.ts'
import { routeLedger } from './route.ts'
import type { ToldControl } from './told-log.ts'
import type { Tracking } from './tracking.ts'

/** Work between two turns of the event loop: others in this process (the API of `orrery up`) answer in between. */
const WORK_MS = 10

export interface LoopParts {
  readonly source: LedgerSource
  readonly resume: Resume
  readonly control: ToldControl
  readonly tracking: Tracking
  readonly roots: readonly TrackedContract[]
  readonly outbox: Outbox
  readonly clock: Clock
  readonly metrics: Metrics
  /** Newest ledger of the source as far as is known: from there on nothing waits to be coalesced. */
  readonly tip: () => number | null
}

export class IngestLoop {
  readonly #parts: LoopParts
  readonly #tellers: ReadonlyMap<string, readonly PartitionTeller[]>
  /** Contracts that the log names, in the order of their ledgers: each is followed from its own ledger on, as when it was first told. */
  readonly #scheduled: TrackedControl[]
  #previous: LedgerFacts | null
  /** Roots that the log does not name yet: told with the first ledger. */
  #newRoots: readonly TrackedContract[] | null = null
  records = 0

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#previous = parts.resume.previous
    this.#scheduled = parts.control.tracked.toSorted((a, b) => a.ledger - b.ledger)
    this.#tellers = Map.groupBy(parts.resume.tellers, ({ protocol }) => protocol)
  }

  /** Newest ledger that was handed to the outbox. */
  get lastLedger(): number {
    return this.#previous?.ledger ?? this.#parts.resume.nextLedger - 1
  }

  /** Reads until the source ends or `signal` aborts. What was read is in the outbox, and most of it sent. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, outbox, metrics, clock, resume } = this.#parts
    let workedSinceMs = clock.nowMs()
    let askedAtMs = workedSinceMs
    for await (const ledger of source.read(resume.nextLedger, signal)) {
      metrics.fetchSeconds.observe((clock.nowMs() - askedAtMs) / 1000)
      metrics.fetchLedgers.inc()
      metrics.fetchBytes.inc(ledger.bytes.length)
      const isAtTip = this.#tell(ledger)
      if (isAtTip || outbox.isFull) await outbox.flush()
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
    const { control, tracking, outbox, metrics, tip } = this.#parts
    const facts = nextLedgerFacts(readLedgerHeader(bytes), this.#previous)
    const told = control.ledgers.get(sequence)
    if (told) checkToldLedger(readLedgerHeader(bytes), told)

    const stopExtract = metrics.extractSeconds.startTimer()
    const roots = this.#follow(sequence)
    const { extract, found } = extractAndDiscover(bytes, tracking)
    stopExtract()
    metrics.extractRecords.inc(extract.records.length)
    this.records += extract.records.length

    outbox.control([...roots, ...found].map((contract) => ({ kind: 'tracked', ledger: sequence, contract })))
    if (sequence > control.lastLedger) outbox.control([{ kind: 'ledger', ...facts }])
    const newest = tip()
    const isAtTip = newest === null || sequence >= newest
    this.#route(extract, facts, isAtTip)
    outbox.ledgerDone(sequence)
    this.#previous = facts
    return isAtTip
  }

  #route(extract: Parameters<typeof routeLedger>[0], facts: LedgerFacts, atOnce: boolean): void {
    const { tracking, outbox, metrics } = this.#parts
    const stopRoute = metrics.routeSeconds.startTimer()
    for (const protocol of tracking.protocols) {
      const id = protocol.routing.protocol
      const shares = routeLedger(extract, protocol, tracking.network)
      for (const teller of this.#tellers.get(id) ?? []) {
        const share = shares[teller.at.partition]
        if (!share) continue
        outbox.slice(id, teller.at, teller.tell(facts, share, atOnce))
        if (share.records.length > 0) metrics.routeRecords.inc({ protocol: id }, share.records.length)
      }
    }
    stopRoute()
  }

  /** Follows what the log names at or before `ledger`, then, once, the roots that it does not name. Returns the latter as news. */
  #follow(ledger: number): readonly TrackedContract[] {
    const { tracking, roots } = this.#parts
    while ((this.#scheduled[0]?.ledger ?? Number.POSITIVE_INFINITY) <= ledger) {
      const next = this.#scheduled.shift()
      if (next) tracking.add(next.contract)
    }
    if (this.#newRoots) return []
    this.#newRoots = roots.flatMap((root) => tracking.add(root) ?? [])
    return this.#newRoots
  }
}
