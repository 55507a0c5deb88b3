// One ledger after the other: check, extract, discover, route, tell. Deciding is in the files it calls; what waits is the outbox, and rarely
// the reading of entries that are older than the index.

import { OrreryError } from '@orrery/errors'
import type { AdoptedControl, RegistryControl, TrackedControl } from '@orrery/event-log'
import { type ContractId, type LedgerExtract, type LedgerHeaderFacts, readLedgerHeader } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network, ProtocolId, RegistryHistory, TrackedContract } from '@orrery/protocol-kit'
import { type Clock, type Logger, type Metrics, yieldToEventLoop } from '@orrery/service-kit'
import { Adopter, type LedgerFindings } from './adopt.ts'
import { type AdoptedEntries, adoptedRecord } from './adopted-entries.ts'
import type { EntryReader } from './entry-reader.ts'
import { checkToldLedger, type LedgerFacts, nextLedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceLedger } from './ledger-source.ts'
import type { Outlet } from './outbox.ts'
import { ProtocolWatch } from './protocol-watch.ts'
import type { Resume } from './resume.ts'
import { type PartitionShare, routeLedger } from './route.ts'
import type { ToldControl } from './told-log.ts'
import type { Tracking } from './tracking.ts'

type Shares = ReadonlyMap<ProtocolId, readonly PartitionShare[]>

/** What is told of a ledger, beside its facts. */
interface Findings extends Pick<LedgerFindings, 'read'> {
  readonly tracked: readonly TrackedContract[]
  readonly shares: Shares
}

export interface LoopParts {
  readonly source: LedgerSource
  readonly resume: Resume
  readonly control: ToldControl
  readonly tracking: Tracking
  readonly registry: RegistryHistory
  /** Records of the control topic that stand behind a new log's start. */
  readonly registryRecords: readonly RegistryControl[]
  readonly outbox: Outlet
  readonly adopted: AdoptedEntries
  /** Who is asked for entries that are older than the index. Null: nobody. */
  readonly reader: EntryReader | null
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** Whether the source has nothing newer, as far as is known: then nothing waits to be coalesced. */
  readonly isNewest: (ledger: number) => boolean
  /** The loop has come round. */
  readonly onSignOfLife: () => void
}

/** What is followed from a ledger on. */
interface Followed {
  readonly again: readonly TrackedContract[]
  readonly roots: readonly TrackedContract[]
  readonly priced: readonly ContractId[]
}

export class IngestLoop {
  readonly #parts: LoopParts
  /** Contracts that the log names, in the order of their ledgers: each is followed from its own ledger on, as when it was first told. */
  readonly #scheduled: TrackedControl[]
  readonly #adopter: Adopter
  readonly #protocolWatch: ProtocolWatch
  #previous: LedgerFacts | null
  #areRootsFollowed = false
  #records = 0

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#previous = parts.resume.previous
    this.#scheduled = parts.control.tracked.toSorted((a, b) => a.ledger - b.ledger)
    this.#protocolWatch = new ProtocolWatch(parts.control.protocolVersion, parts)
    this.#adopter = new Adopter({ ...parts, askFrom: notTold(parts.resume) })
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
    const { outbox, resume, registryRecords } = this.#parts
    if (resume.isStartNew) outbox.control([resume.start])
    outbox.control(registryRecords)
  }

  /** Reads until the source ends or `signal` aborts. What was read is in the outbox, and most of it is sent. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, outbox, metrics, clock, resume, onSignOfLife } = this.#parts
    const giveWay = yieldToEventLoop()
    let askedAtMs = clock.nowMs()
    for await (const ledger of source.read(resume.nextLedger, signal)) {
      metrics.fetchSeconds.observe((clock.nowMs() - askedAtMs) / 1000)
      metrics.fetchLedgers.inc()
      metrics.fetchBytes.inc(ledger.bytes.length)
      const isNewest = await inLedger(ledger.sequence, () => this.#take(ledger, signal))
      if (isNewest === null) return
      if (isNewest || outbox.isFull) await outbox.flush()
      onSignOfLife()
      await giveWay()
      askedAtMs = clock.nowMs()
    }
  }

  /** Covers what waits to be coalesced and sends everything. */
  async flush(): Promise<void> {
    const { outbox, resume } = this.#parts
    for (const teller of resume.tellers) outbox.slice(teller.protocol, teller.at, teller.cover())
    await outbox.flush()
  }

  /** Returns whether the ledger is the source's newest, and null when reading was stopped: then nothing of it is told. */
  async #take({ sequence, bytes }: SourceLedger, signal: AbortSignal): Promise<boolean | null> {
    const header = readLedgerHeader(bytes)
    const facts = this.#check(header)
    const findings = await this.#find(sequence, bytes, signal)
    if (findings === null) return null
    this.#tell(facts, findings, header)
    return this.#parts.isNewest(sequence)
  }

  /** Synchronous, so that a flush by the clock meets whole ledgers only. */
  #tell(facts: LedgerFacts, { tracked, read, shares }: Findings, header: LedgerHeaderFacts): void {
    const { control, outbox, isNewest } = this.#parts
    const { ledger } = facts
    outbox.control(tracked.map((contract) => ({ kind: 'tracked', ledger, contract })))
    outbox.control(read)
    if (ledger > control.lastLedger) outbox.control([...this.#protocolWatch.next(header), { kind: 'ledger', ...facts }])
    this.#tellPartitions(facts, shares, isNewest(ledger))
    outbox.ledgerDone(facts)
    this.#previous = facts
  }

  /** The ledger follows its predecessor, and is the one that the log knows when it is read again. */
  #check(header: LedgerHeaderFacts): LedgerFacts {
    const facts = nextLedgerFacts(header, this.#previous)
    const told = this.#parts.control.ledgers.get(header.sequence)
    if (told) checkToldLedger(header, told)
    return facts
  }

  /** What becomes tracked with this ledger, what was read elsewhere for it, and what it has for every partition of every protocol. */
  async #find(ledger: number, bytes: Uint8Array, signal: AbortSignal): Promise<Findings | null> {
    const { metrics } = this.#parts
    const stopExtract = metrics.extractSeconds.startTimer()
    const { again, roots, priced } = this.#follow(ledger)
    const findings = await this.#adopter.discover(ledger, bytes, [...again, ...roots], priced, signal)
    stopExtract()
    if (findings === null) return null
    const { extract, found, adopted, read } = findings
    metrics.extractRecords.inc(extract.records.length)
    this.#records += extract.records.length
    return { tracked: [...roots, ...found], read, shares: this.#route(extract, adopted) }
  }

  /** What was read elsewhere stands at the head of each protocol's records. */
  #route(extract: LedgerExtract, adopted: readonly AdoptedControl[]): Shares {
    const { tracking, metrics } = this.#parts
    const stopRoute = metrics.routeSeconds.startTimer()
    const shares = new Map(
      tracking.protocols.map((protocol) => {
        const ofProtocol = adopted.filter((entry) => entry.protocol === protocol.routing.protocol).map(adoptedRecord)
        const records = ofProtocol.length === 0 ? extract.records : [...ofProtocol, ...extract.records]
        return [protocol.routing.protocol, routeLedger({ ...extract, records }, protocol, tracking.network)]
      }),
    )
    stopRoute()
    return shares
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

  /**
   * Follows what the log names at or before `ledger`, then, once, the roots that it does not name: these are news. `again` are those that it
   * names with this very ledger. Where the registry grows with this ledger, its additions are news, and `priced` is what prices are made of from
   * here on.
   */
  #follow(ledger: number): Followed {
    const { tracking, registry } = this.#parts
    const again: TrackedContract[] = []
    while ((this.#scheduled[0]?.ledger ?? Number.POSITIVE_INFINITY) <= ledger) {
      const next = this.#scheduled.shift()
      if (next) tracking.add(next.contract)
      if (next?.ledger === ledger) again.push(next.contract)
    }
    const { network, fromLedger } = registry.versionAt(ledger)
    if (this.#areRootsFollowed && tracking.network === network) return { again, roots: [], priced: [] }
    this.#areRootsFollowed = true
    tracking.useRegistry(network)
    const roots = tracking.protocols.flatMap(({ routing }) => routing.roots(network)).flatMap((root) => tracking.add(root) ?? [])
    const isGrowth = ledger === fromLedger && network !== registry.at(ledger - 1)
    return { again, roots, priced: isGrowth ? addedSources(registry.at(ledger - 1), network) : [] }
  }
}

/** Contracts that prices are made of with `now`, and were not with `before`. */
function addedSources(before: Network, now: Network): readonly ContractId[] {
  const known = pricesOf(before).sources()
  return [...pricesOf(now).sources()].filter((contract) => !known.has(contract))
}

/** First ledger of each protocol that none of its partitions was told. */
function notTold({ tellers }: Resume): ReadonlyMap<ProtocolId, number> {
  const next = new Map<ProtocolId, number>()
  for (const teller of tellers) next.set(teller.protocol, Math.max(teller.next, next.get(teller.protocol) ?? 0))
  return next
}

/** What goes wrong inside of a ledger names it. */
async function inLedger<T>(ledger: number, take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (error) {
    throw error instanceof OrreryError ? error.with({ ledger }) : error
  }
}
