// Reads a range of the source a second time and compares what ingest would append with what the log has. The loop is that of ingest, with the
// contracts, registries and bootstrap entries of the log, as for a gap repair; nothing is appended.

import { OrreryError } from '@orrery/errors'
import { controlTopic, decodeControl, type EventLog, sliceTopic, storedRecords } from '@orrery/event-log'
import type { Network, ProtocolId, ProtocolRouting, RegistryHistory } from '@orrery/protocol-kit'
import { type Logger, type Metrics, systemClock } from '@orrery/service-kit'
import { BootstrapEntries } from '../bootstrap-entries.ts'
import { checkPassphrase } from '../check-source.ts'
import { type ControlHistory, ControlHistoryBuilder } from '../control-history.ts'
import { IngestLoop } from '../ingest-loop.ts'
import type { LedgerFacts } from '../ledger-facts.ts'
import type { LedgerSource } from '../ledger-source.ts'
import type { Outlet } from '../outbox.ts'
import { emptyPosition, readPositionUpTo } from '../recover-log.ts'
import { SliceBuilder } from '../slice-builder.ts'
import { ProtocolTracking, Tracking } from '../tracking.ts'
import { ComparedPartition, type SliceDifference } from './compared-partition.ts'

export interface ExtractAgainOptions {
  readonly network: Network
  readonly routings: readonly ProtocolRouting[]
  readonly registry: RegistryHistory
  readonly source: LedgerSource
  readonly log: EventLog
  /** The ledgers to compare. The log has them without a gap. */
  readonly from: number
  readonly to: number
  readonly onDifference: (difference: SliceDifference) => void
  /** Called with the newest ledger that was compared. */
  readonly onProgress: (ledger: number) => void
  readonly logger: Logger
  readonly metrics: Metrics
}

/** What was compared; null where the source has none of the ledgers. */
export interface ExtractedAgain {
  readonly from: number
  readonly to: number
  /** Slices with records, or of the first ledger of an hour. */
  readonly slices: number
}

/** Slices and ledgers that wait to be compared. */
const COMPARE_AT_ONCE = 1_024

/**
 * Compares the hash chain of the source, its ledgers with those of the control topic, the tracked contracts and every slice.
 * @throws OrreryError `invalid`/`wrong_network`, errors of source and log. A break of the hash chain is a difference, and ends the comparison.
 */
export async function extractAgain(options: ExtractAgainOptions): Promise<ExtractedAgain | null> {
  const { network, source, log, registry, routings } = options
  await checkPassphrase(source, network)
  const range = await source.range(options.from)
  const from = Math.max(options.from, range.first)
  const to = Math.min(options.to, range.last ?? options.to)
  if (from > to) return null
  const control = await wholeHistory(log, network.name)
  const { start } = control
  if (start === null) throw new OrreryError('unavailable', 'log_not_started', 'The event log holds no index yet. Nothing was compared.')
  const recorded = new RecordedLedgers(log, network.name)
  const previous = from > start.firstLedger ? await recorded.at(from - 1) : null

  const builders: SliceBuilder[] = []
  const partitions: ComparedPartition[] = []
  for (const { protocol } of routings) {
    for (let partition = 0; partition < (start.partitions[protocol] ?? 0); partition++) {
      const at = { topic: sliceTopic(network.name, protocol), partition }
      const before = (await readPositionUpTo(log, at, from - 1)) ?? emptyPosition(start.firstLedger)
      // Quiet ledgers between the last slice and the range are covered already: the builder begins with the range.
      builders.push(new SliceBuilder(network.name, protocol, partition, { ...before, ledger: from - 1 }))
      partitions.push(new ComparedPartition(log, protocol, at, { ledger: before.ledger, offset: 0n }, { from, to }))
    }
  }
  const outlet = new ComparingOutlet(options, partitions, recorded)
  const reached = new AbortController()
  const loop = new IngestLoop({
    ...{ source, control: { ...control, ledgers: new Map() }, registry, registryRecords: [], outbox: outlet },
    resume: { start, isStartNew: false, nextLedger: from, previous, builders },
    tracking: new Tracking(
      registry.at(from),
      routings.map((routing) => new ProtocolTracking(routing, start.partitions[routing.protocol] ?? 1)),
    ),
    bootstrapped: new BootstrapEntries(control.bootstrapped),
    reader: null, // the log has the bootstrap entries of these ledgers
    clock: systemClock,
    logger: options.logger,
    metrics: options.metrics,
    isNewest: () => false,
    onSignOfLife: () => {
      if (outlet.ledger >= to) reached.abort()
    },
  })
  try {
    await loop.run(reached.signal)
  } catch (error) {
    if (!(error instanceof OrreryError) || error.kind !== 'corrupt') throw error
    const ledger = Number(error.context.ledger ?? outlet.ledger + 1)
    options.onDifference({ topic: source.describe, partition: 0, ledger, message: error.message })
  }
  await outlet.flush()
  return { from, to: outlet.ledger, slices: partitions.reduce((sum, { compared }) => sum + compared, 0) }
}

/** From the topic itself: what is verified is not taken from a snapshot. */
async function wholeHistory(log: EventLog, network: string): Promise<ControlHistory> {
  const builder = new ControlHistoryBuilder(Number.MAX_SAFE_INTEGER)
  for await (const { value } of storedRecords(log, controlAt(network))) builder.add(value)
  return builder.history()
}

/** Takes what ingest would append, and compares it with the log. */
class ComparingOutlet implements Outlet {
  readonly #options: ExtractAgainOptions
  readonly #partitions: ReadonlyMap<string, ComparedPartition>
  readonly #recorded: RecordedLedgers
  #facts: LedgerFacts[] = []
  #waiting = 0
  #ledger: number

  constructor(options: ExtractAgainOptions, partitions: readonly ComparedPartition[], recorded: RecordedLedgers) {
    this.#options = options
    this.#recorded = recorded
    this.#partitions = new Map(partitions.map((one) => [keyOf(one.at), one]))
    this.#ledger = options.from - 1
  }

  /** Newest ledger that was extracted. */
  get ledger(): number {
    return this.#ledger
  }

  get isFull(): boolean {
    return this.#waiting + this.#facts.length >= COMPARE_AT_ONCE
  }

  /** A record that the log does not have: the loop knows all contracts of the control topic. */
  control(records: Parameters<Outlet['control']>[0]): void {
    for (const record of records) {
      if (record.kind !== 'tracked') continue
      const message = `the source announces ${record.contract.contract} (${record.contract.role}), which the log does not track with this ledger`
      this.#options.onDifference({ ...controlAt(this.#options.network.name), ledger: record.ledger, message })
    }
  }

  slice(_: ProtocolId, at: { readonly topic: string; readonly partition: number }, values: readonly Uint8Array[]): void {
    if (values.length === 0) return
    this.#partitions.get(keyOf(at))?.add(values)
    this.#waiting++
  }

  ledgerDone(facts: LedgerFacts): void {
    this.#facts.push(facts)
    this.#ledger = facts.ledger
  }

  async flush(): Promise<void> {
    const facts = this.#facts
    this.#facts = []
    this.#waiting = 0
    for (const one of facts) await this.#compareFacts(one)
    for (const partition of this.#partitions.values()) {
      for await (const difference of partition.differences(this.#ledger)) this.#options.onDifference(difference)
    }
    this.#options.onProgress(Math.min(this.#ledger, this.#options.to))
  }

  async #compareFacts(facts: LedgerFacts): Promise<void> {
    if (facts.ledger > this.#options.to) return
    const stored = await this.#recorded.at(facts.ledger)
    const report = (message: string): void =>
      this.#options.onDifference({ ...controlAt(this.#options.network.name), ledger: facts.ledger, message })
    if (stored === null) return report('the control topic has no record of this ledger')
    for (const member of ['hash', 'closeTimeSeconds', 'hourStart', 'dayStart'] as const) {
      if (stored[member] !== facts[member]) report(`${member} is ${stored[member]}, and the source has ${facts[member]}`)
    }
  }
}

/** The ledgers of the control topic, read once in order. */
class RecordedLedgers {
  readonly #facts: AsyncIterator<LedgerFacts>
  #next: LedgerFacts | null = null

  constructor(log: EventLog, network: string) {
    this.#facts = recordedLedgers(log, network)
  }

  /** Null where the topic has no record of it. Ledgers are requested in order. */
  async at(ledger: number): Promise<LedgerFacts | null> {
    for (;;) {
      this.#next ??= (await this.#facts.next()).value ?? null
      if (this.#next === null || this.#next.ledger > ledger) return null
      const found = this.#next
      this.#next = null
      if (found.ledger === ledger) return found
    }
  }
}

/** A repeated record counts once. */
async function* recordedLedgers(log: EventLog, network: string): AsyncGenerator<LedgerFacts, undefined> {
  let newest = 0
  for await (const { value } of storedRecords(log, controlAt(network))) {
    for (const record of decodeControl(value)) {
      if (record.kind !== 'ledger' || record.ledger <= newest) continue
      newest = record.ledger
      const { kind: _kind, ...facts } = record
      yield facts
    }
  }
}

function controlAt(network: string): { readonly topic: string; readonly partition: number } {
  return { topic: controlTopic(network), partition: 0 }
}

function keyOf({ topic, partition }: { readonly topic: string; readonly partition: number }): string {
  return `${topic} ${partition}`
}
