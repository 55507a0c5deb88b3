// Starts ingest: checks its options, then reads the source to the end or until it is stopped.
// Ingest has no state of its own. Everything that it must remember is in the log, so a restart after any failure continues by itself.

import { controlTopic, controlValues, type EventLog, sliceTopic } from '@orrery/event-log'
import { defaultPartitions, type Network, type ProtocolId, type ProtocolRouting } from '@orrery/protocol-kit'
import { type Clock, type Logger, type Metrics, systemClock } from '@orrery/service-kit'
import { BootstrapEntries } from './bootstrap-entries.ts'
import { checkPassphrase, checkRange, firstLedgerOf } from './check-source.ts'
import type { EntryReader } from './entry-reader.ts'
import type { ReadGaps } from './gap-repair.ts'
import { IngestRun, type WatchdogTime } from './ingest-run.ts'
import type { LedgerSource } from './ledger-source.ts'
import { spanText } from './out-of-range.ts'
import { planRegistry, type RegistryPlan } from './plan-registry.ts'
import { checkFirstLedger, planResume, recoverPositions } from './resume.ts'
import type { RunningIngest } from './running-ingest.ts'
import { ProtocolTracking, Tracking } from './tracking.ts'

/** How often the gaps that adapters report are read. */
const GAPS_EVERY_MS = 5_000

type PartitionCounts = Readonly<Partial<Record<ProtocolId, number>>>

export interface IngestOptions {
  readonly network: Network
  /** The registry that the log began with, where it is known: a log of an older build does not record it. */
  readonly begunWith?: Network | undefined
  readonly routings: readonly ProtocolRouting[]
  /** Partitions of each protocol's topic; the protocol's `defaultPartitions` where not given. A log keeps its first number of partitions. */
  readonly partitions?: PartitionCounts
  readonly source: LedgerSource
  readonly log: EventLog
  /** Reads bootstrap entries: the source's own reader when not given. Without one, only the registry's hints are known. */
  readonly entries?: EntryReader | undefined
  /** First ledger of a new index. An existing index accepts only its own. */
  readonly fromLedger?: number | undefined
  /** How long the log keeps slices. The default keeps all, so that an adapter can read them again without the source. */
  readonly retention?: { readonly seconds: number | null; readonly bytes: number | null }
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock?: Clock
  readonly watchdog?: WatchdogTime
  /**
   * Reads the gaps that adapters report. When given, ingest resends the missing ranges, and runs until it is stopped: a gap may be reported
   * after the source's end.
   */
  readonly gaps?: ReadGaps
  readonly gapsEveryMs?: number
  /** Bytes of the control topic after which a snapshot of it is written. */
  readonly snapshotAfterBytes?: number
}

/**
 * @throws OrreryError `invalid`: `wrong_network`, `log_other_registry`, `topic_mismatch`, `first_ledger_mismatch`, `ledgers_out_of_range`;
 *   `corrupt`: `control_topic_lost`, and the errors of log and source. `ended` and `finished` reject with `corrupt`/`ledger_chain_broken` likewise,
 *   and with `invalid`/`log_registry_grown` when another ingest records a larger registry.
 */
export async function startIngest(options: IngestOptions): Promise<RunningIngest> {
  const { network, routings, source, log, fromLedger, logger, metrics, clock = systemClock } = options
  const partitions = partitionCounts(options)
  const reader = options.entries ?? source.entries ?? null
  await checkPassphrase(source, network)
  const recovered = await recoverPositions(log, { network, partitions }, options.snapshotAfterBytes)
  const { start } = recovered.control
  if (start) checkFirstLedger(start, fromLedger)
  const known = start?.firstLedger ?? fromLedger
  // Without a first ledger the source's range decides it; otherwise the needed ledger is requested from the source.
  const window = known === undefined ? await source.range() : null
  const firstLedger = known ?? firstLedgerOf(network, window?.first ?? 0)
  const resume = planResume({ network, partitions }, recovered, firstLedger)
  const range = window === null || window.gap ? await source.range(resume.nextLedger) : window
  checkRange(source, range, resume.nextLedger, start === null)
  const plan = planRegistry({ given: network, before: options.begunWith ?? null, firstLedger }, recovered.control)
  await makeTopics(options, partitions)
  if (start !== null) await recordRegistry(plan, options, reader)

  if (start === null && fromLedger === undefined && firstLedger > network.firstLedger) {
    logger.warn({ firstLedger, networkFirstLedger: network.firstLedger }, coverage(source, network, firstLedger))
  }
  logger.info({ source: source.describe, firstLedger, nextLedger: resume.nextLedger, sourceLast: range.last }, 'Started reading ledgers')
  if (start === null && firstLedger > network.firstLedger && reader === null) {
    logger.warn(
      { firstLedger },
      'The index begins in the middle of history without an RPC: pools are unknown until a ledger or the registry names them',
    )
  }
  const newTracking = () =>
    new Tracking(
      plan.history.at(resume.nextLedger),
      routings.map((routing) => new ProtocolTracking(routing, partitions[routing.protocol] ?? 1)),
    )
  const { watchdog = {}, gaps, gapsEveryMs = GAPS_EVERY_MS } = options
  const run = new IngestRun({
    source,
    log,
    logger,
    metrics,
    clock,
    resume,
    tracking: newTracking(),
    registry: plan.history,
    registryRecords: start === null ? plan.records : [],
    newTracking,
    control: recovered.control,
    follower: recovered.follower,
    bootstrapped: new BootstrapEntries(recovered.control.bootstrapped),
    reader,
    range,
    gaps: gaps === undefined ? null : { read: gaps, everyMs: gapsEveryMs },
    watchdog,
  })
  run.begin()
  return run
}

/** Appended before the first ledger is read: an adapter that reads a slice finds the registry for it in the control topic. */
async function recordRegistry(
  { records, additions, history }: RegistryPlan,
  { log, network, logger }: IngestOptions,
  reader: EntryReader | null,
) {
  if (records.length > 0) await log.append({ topic: controlTopic(network.name), partition: 0 }, controlValues(records))
  if (additions.length === 0) return
  const { fromLedger } = history.newest
  const hasContracts = additions.some((place) => place.startsWith('oracles[') || place.startsWith('price_pools['))
  const values =
    reader === null
      ? '. Without an RPC an added oracle or pool has no price until it is written next, and what needs it is unpriced and partial until then'
      : '. Entries of added oracles and pools are read from the RPC once, with that ledger'
  logger.warn(
    { fromLedger, additions },
    `The registry has grown: its additions apply from ledger ${fromLedger}, and rows of earlier ledgers stay as they are${hasContracts ? values : ''}`,
  )
}

/** States what a new index covers and what it lacks, where the source begins late. */
function coverage({ describe, ends }: LedgerSource, network: Network, firstLedger: number): string {
  const before = spanText({ first: network.firstLedger, last: firstLedger - 1 })
  const way = ends ? 'To index them, use a source that has them' : 'To index them, name a lake that has them with --lake'
  return `The index begins at ledger ${firstLedger}, the oldest that ${describe} has, and covers everything from there on. It does not cover ${before}. ${way} and a new data folder`
}

function partitionCounts({ network, routings, partitions }: IngestOptions): PartitionCounts {
  return Object.fromEntries(routings.map(({ protocol }) => [protocol, partitions?.[protocol] ?? defaultPartitions(network, protocol)]))
}

async function makeTopics({ network, log, retention }: IngestOptions, partitions: PartitionCounts): Promise<void> {
  const kept = { retentionSeconds: retention?.seconds ?? null, retentionBytes: retention?.bytes ?? null }
  for (const [protocol, count] of Object.entries(partitions) as [ProtocolId, number][]) {
    await log.ensureTopic(sliceTopic(network.name, protocol), { partitions: count, ...kept })
  }
}
