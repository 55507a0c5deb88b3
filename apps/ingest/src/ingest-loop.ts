// The loop over ledgers: check, extract, discover, route, append. It awaits the outbox, and now and then the reading of bootstrap entries;
// the steps themselves are pure functions of other files.

import { OrreryError } from '@orrery/errors'
import type { BootstrapControl, RegistryControl, TrackedControl } from '@orrery/event-log'
import { type ContractId, type LedgerExtract, type LedgerHeaderFacts, readLedgerHeader } from '@orrery/ledger'
import { pricesOf } from '@orrery/pricing'
import type { Network, ProtocolId, RegistryHistory, TrackedContract } from '@orrery/protocol-kit'
import { type Clock, type Logger, type Metrics, yieldToEventLoop } from '@orrery/service-kit'
import { Bootstrapper, type LedgerFindings } from './bootstrap.ts'
import { type BootstrapEntries, bootstrapRecord } from './bootstrap-entries.ts'
import type { ControlHistory } from './control-history.ts'
import type { EntryReader } from './entry-reader.ts'
import { checkRecordedLedger, type LedgerFacts, nextLedgerFacts } from './ledger-facts.ts'
import type { LedgerSource, SourceLedger } from './ledger-source.ts'
import type { Outlet } from './outbox.ts'
import { ProtocolWatch } from './protocol-watch.ts'
import type { Resume } from './resume.ts'
import { type PartitionShare, routeLedger } from './route.ts'
import type { Tracking } from './tracking.ts'
import { unreadableLedger } from './unreadable-ledger.ts'

type Shares = ReadonlyMap<ProtocolId, readonly PartitionShare[]>

/** What is appended for a ledger, in addition to its facts. */
interface Findings extends Pick<LedgerFindings, 'read'> {
  readonly tracked: readonly TrackedContract[]
  readonly shares: Shares
}

export interface LoopParts {
  readonly source: LedgerSource
  readonly resume: Resume
  readonly control: ControlHistory
  readonly tracking: Tracking
  readonly registry: RegistryHistory
  /** Registry records to append to the control topic before the first ledger. */
  readonly registryRecords: readonly RegistryControl[]
  readonly outbox: Outlet
  readonly bootstrapped: BootstrapEntries
  /** Reads bootstrap entries. Null: there is no RPC. */
  readonly reader: EntryReader | null
  readonly clock: Clock
  readonly logger: Logger
  readonly metrics: Metrics
  /** Whether the source is known to have no newer ledger: then slices are not held back for coalescing. */
  readonly isNewest: (ledger: number) => boolean
  /** Called after each ledger. */
  readonly onSignOfLife: () => void
}

/** Contracts that are tracked from a ledger on. */
interface Followed {
  readonly again: readonly TrackedContract[]
  readonly roots: readonly TrackedContract[]
  readonly priced: readonly ContractId[]
}

export class IngestLoop {
  readonly #parts: LoopParts
  /** Contracts that the log names, in the order of their ledgers: each is tracked from the ledger that made it known, so a resend is identical. */
  readonly #scheduled: TrackedControl[]
  readonly #bootstrapper: Bootstrapper
  readonly #protocolWatch: ProtocolWatch
  #previous: LedgerFacts | null
  #areRootsFollowed = false
  #records = 0

  constructor(parts: LoopParts) {
    this.#parts = parts
    this.#previous = parts.resume.previous
    this.#scheduled = parts.control.tracked.toSorted((a, b) => a.ledger - b.ledger)
    this.#protocolWatch = new ProtocolWatch(parts.control.protocolVersion, parts)
    this.#bootstrapper = new Bootstrapper({ ...parts, bootstrapFrom: firstNewLedgers(parts.resume) })
  }

  /** Newest ledger that was given to the outbox. */
  get lastLedger(): number {
    return this.#previous?.ledger ?? this.#parts.resume.nextLedger - 1
  }

  /** Records extracted so far. */
  get records(): number {
    return this.#records
  }

  /** Appends the records that precede the first ledger. */
  begin(): void {
    const { outbox, resume, registryRecords } = this.#parts
    if (resume.isStartNew) outbox.control([resume.start])
    outbox.control(registryRecords)
  }

  /** Reads until the source ends or `signal` aborts. What was read is in the outbox, and most of it is sent. */
  async run(signal: AbortSignal): Promise<void> {
    const { source, outbox, metrics, clock, resume, onSignOfLife } = this.#parts
    const giveWay = yieldToEventLoop()
    let requestedAtMs = clock.nowMs()
    for await (const ledger of source.read(resume.nextLedger, signal)) {
      metrics.fetchSeconds.observe((clock.nowMs() - requestedAtMs) / 1000)
      metrics.fetchLedgers.inc()
      metrics.fetchBytes.inc(ledger.bytes.length)
      const isNewest = await inLedger(ledger, source, () => this.#take(ledger, signal))
      if (isNewest === null) return
      // What was found in it has been encoded.
      ledger.release?.()
      if (isNewest || outbox.isFull) await outbox.flush()
      onSignOfLife()
      await giveWay()
      requestedAtMs = clock.nowMs()
    }
  }

  /** Covers the quiet ledgers that wait to be coalesced, and appends everything. */
  async flush(): Promise<void> {
    const { outbox, resume } = this.#parts
    for (const builder of resume.builders) outbox.slice(builder.protocol, builder.at, builder.cover())
    await outbox.flush()
  }

  /** Returns whether the ledger is the source's newest. Null when reading was stopped: then nothing of the ledger is appended. */
  async #take({ sequence, bytes }: SourceLedger, signal: AbortSignal): Promise<boolean | null> {
    const header = readLedgerHeader(bytes)
    const facts = this.#check(header)
    const findings = await this.#find(sequence, bytes, signal)
    if (findings === null) return null
    this.#send(facts, findings, header)
    return this.#parts.isNewest(sequence)
  }

  /** Synchronous, so that a timed flush only sees whole ledgers. */
  #send(facts: LedgerFacts, { tracked, read, shares }: Findings, header: LedgerHeaderFacts): void {
    const { control, outbox, isNewest } = this.#parts
    const { ledger } = facts
    outbox.control(tracked.map((contract) => ({ kind: 'tracked', ledger, contract })))
    outbox.control(read)
    if (ledger > control.lastLedger) outbox.control([...this.#protocolWatch.next(header), { kind: 'ledger', ...facts }])
    this.#sendToPartitions(facts, shares, isNewest(ledger))
    outbox.ledgerDone(facts)
    this.#previous = facts
  }

  /** Checks that the ledger follows its predecessor and, when it is read again, that it is the one in the log. */
  #check(header: LedgerHeaderFacts): LedgerFacts {
    const facts = nextLedgerFacts(header, this.#previous)
    const recorded = this.#parts.control.ledgers.get(header.sequence)
    if (recorded) checkRecordedLedger(header, recorded)
    return facts
  }

  /** Contracts that become tracked with this ledger, its bootstrap entries, and its records for every partition of every protocol. */
  async #find(ledger: number, bytes: Uint8Array, signal: AbortSignal): Promise<Findings | null> {
    const { metrics } = this.#parts
    const stopExtract = metrics.extractSeconds.startTimer()
    const { again, roots, priced } = this.#follow(ledger)
    const findings = await this.#bootstrapper.discover(ledger, bytes, [...again, ...roots], priced, signal)
    stopExtract()
    if (findings === null) return null
    const { extract, found, bootstrapped, read } = findings
    metrics.extractRecords.inc(extract.records.length)
    this.#records += extract.records.length
    return { tracked: [...roots, ...found], read, shares: this.#route(extract, bootstrapped) }
  }

  /** Bootstrap entries precede the other records of each protocol. */
  #route(extract: LedgerExtract, bootstrapped: readonly BootstrapControl[]): Shares {
    const { tracking, metrics } = this.#parts
    const stopRoute = metrics.routeSeconds.startTimer()
    const shares = new Map(
      tracking.protocols.map((protocol) => {
        const ofProtocol = bootstrapped.filter((entry) => entry.protocol === protocol.routing.protocol).map(bootstrapRecord)
        const records = ofProtocol.length === 0 ? extract.records : [...ofProtocol, ...extract.records]
        return [protocol.routing.protocol, routeLedger({ ...extract, records }, protocol, tracking.network)]
      }),
    )
    stopRoute()
    return shares
  }

  #sendToPartitions(facts: LedgerFacts, shares: Shares, atOnce: boolean): void {
    const { resume, outbox, metrics } = this.#parts
    for (const builder of resume.builders) {
      const share = shares.get(builder.protocol)?.[builder.at.partition]
      if (!share) continue
      outbox.slice(builder.protocol, builder.at, builder.add(facts, share, atOnce))
      if (share.records.length > 0) metrics.routeRecords.inc({ protocol: builder.protocol }, share.records.length)
    }
  }

  /**
   * Tracks the contracts that the log names at or before `ledger`. `again`: those that it names with this ledger. `roots`: root contracts that
   * the log does not name yet, on the first call and where the registry grows. `priced`: contracts that become price sources with this ledger.
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

/** Price sources of `now` that `before` does not have. */
function addedSources(before: Network, now: Network): readonly ContractId[] {
  const known = pricesOf(before).sources()
  return [...pricesOf(now).sources()].filter((contract) => !known.has(contract))
}

/** First ledger of each protocol that none of its partitions has. */
function firstNewLedgers({ builders }: Resume): ReadonlyMap<ProtocolId, number> {
  const next = new Map<ProtocolId, number>()
  for (const builder of builders) next.set(builder.protocol, Math.max(builder.next, next.get(builder.protocol) ?? 0))
  return next
}

/** Adds the ledger to the context of errors; those about its bytes name it and the source in their message as well. */
async function inLedger<T>(ledger: SourceLedger, source: LedgerSource, take: () => Promise<T>): Promise<T> {
  try {
    return await take()
  } catch (error) {
    const unreadable = unreadableLedger(error, ledger, source.describe)
    if (unreadable !== null) throw unreadable
    throw error instanceof OrreryError ? error.with({ ledger: ledger.sequence }) : error
  }
}
