// Ingest as a running thing: refuses what cannot work, then reads its source to the end or until it is stopped.
// It owns no state of its own. Everything it must remember is in the log, so a restart after any death goes on by itself.

import type { EventLog } from '@orrery/event-log'
import { sliceTopic } from '@orrery/event-log'
import { DEFAULT_PARTITIONS, type Network, type ProtocolId, type ProtocolRouting } from '@orrery/protocol-kit'
import { type Clock, type Logger, type Metrics, systemClock } from '@orrery/service-kit'
import { checkPassphrase, checkRange, firstLedgerOf } from './check-source.ts'
import { IngestLoop } from './ingest-loop.ts'
import type { LedgerSource } from './ledger-source.ts'
import { Outbox } from './outbox.ts'
import { type IngestProgress, Speed } from './progress.ts'
import { checkFirstLedger, planResume, type Resume, readEverythingTold } from './resume.ts'
import { ProtocolTracking, Tracking } from './tracking.ts'

/** Quiet ledgers that wait to be coalesced are covered at least this often, so that the watermark keeps moving. */
const FLUSH_EVERY_MS = 1_000
/** How often a live source is asked where its tip is. */
const TIP_EVERY_MS = 5_000

export interface IngestOptions {
  readonly network: Network
  readonly routings: readonly ProtocolRouting[]
  /** Partitions of each protocol's topic; `DEFAULT_PARTITIONS` where nothing is said. A log keeps the number it was begun with. */
  readonly partitions?: Readonly<Partial<Record<ProtocolId, number>>>
  readonly source: LedgerSource
  readonly log: EventLog
  /** First ledger of a new index. An index that has begun only accepts its own. */
  readonly fromLedger?: number
  /** How long the log keeps slices. Keeping all (the default) is what lets an adapter replay without the source. */
  readonly retention?: { readonly seconds: number | null; readonly bytes: number | null }
  readonly logger: Logger
  readonly metrics: Metrics
  readonly clock?: Clock
}

export interface RunningIngest {
  /** Newest ledger that the log holds whole. */
  readonly tip: number
  /** First ledger of the index. */
  readonly firstLedger: number
  progress(): IngestProgress
  /** Resolves when a source that ends was read to its end and the log has all of it. Rejects on failure; pending when stopped before. */
  readonly ended: Promise<void>
  /** Resolves when nothing runs any more: at the source's end or after `stop`. Rejects on failure. */
  readonly finished: Promise<void>
  /** Finishes the ledger in hand, covers what waits, and returns when the log has it. */
  stop(): Promise<void>
}

/**
 * @throws OrreryError `invalid`: `wrong_network`, `topic_mismatch`, `first_ledger_mismatch`, `ledgers_out_of_range`;
 *   `corrupt`: `control_topic_lost`, and those of log and source. `ended` and `finished` reject with `corrupt`/`ledger_chain_broken` likewise.
 */
export async function startIngest(options: IngestOptions): Promise<RunningIngest> {
  const { network, routings, source, log, fromLedger, logger, metrics, clock = systemClock } = options
  const partitions = Object.fromEntries(
    routings.map(({ protocol }) => [protocol, options.partitions?.[protocol] ?? DEFAULT_PARTITIONS[protocol]]),
  ) as Partial<Record<ProtocolId, number>>
  const index = { network, partitions }

  await checkPassphrase(source, network)
  const told = await readEverythingTold(log, index)
  if (told.control.start) checkFirstLedger(told.control.start, fromLedger)
  const range = await source.range()
  const firstLedger = told.control.start?.firstLedger ?? firstLedgerOf(network, range, fromLedger)
  const resume = planResume(index, told, firstLedger)
  checkRange(source, range, resume.nextLedger, told.control.start === null)

  const tracking = new Tracking(
    network,
    routings.map((routing) => new ProtocolTracking(routing, partitions[routing.protocol] ?? 1)),
  )
  let sourceTip = range.last
  let tip = resume.nextLedger - 1
  const speed = new Speed(clock, tip)
  const outbox = new Outbox({
    network: network.name,
    log,
    metrics,
    clock,
    onAppended(ledger) {
      tip = ledger
      speed.reached(ledger)
      metrics.ingestLedger.set(ledger)
      metrics.ingestLagLedgers.set(Math.max(0, (sourceTip ?? ledger) - ledger))
    },
  })
  const roots = routings.flatMap((routing) => routing.roots(network))
  const loop = new IngestLoop({ source, resume, control: told.control, tracking, roots, outbox, clock, metrics, tip: () => sourceTip })

  await makeTopics(options, partitions)
  if (resume.isStartNew) {
    outbox.control([resume.start])
    await outbox.flush()
    await outbox.sent()
  }
  logger.info({ source: source.describe, firstLedger, nextLedger: resume.nextLedger, sourceTip }, 'Started to read ledgers')
  if (firstLedger > network.firstLedger && told.control.start === null && fromLedger === undefined) {
    logger.warn(
      { firstLedger, networkFirstLedger: network.firstLedger },
      "Began after the network's first ledger: what happened before is not in this index",
    )
  }

  const stopping = new AbortController()
  let atEnd: () => void = () => undefined
  let failed: (error: unknown) => void = () => undefined
  const ended = new Promise<void>((resolve, reject) => {
    atEnd = resolve
    failed = reject
  })
  ended.catch(() => undefined) // told through `finished` as well: whoever waits for only one of them must not end the process

  const run = async (): Promise<void> => {
    const timers = startTimers()
    try {
      await loop.run(stopping.signal)
      await loop.flush()
      await outbox.sent()
      if (source.ends && !stopping.signal.aborted) await tellSourceEnd()
    } catch (error) {
      // Everything read before the failure is whole: the message says so, and this makes it true. If it cannot be sent, a restart reads it again.
      await loop
        .flush()
        .then(() => outbox.sent())
        .catch(() => undefined)
      throw error
    } finally {
      timers.stop()
    }
  }

  function startTimers(): { stop(): void } {
    const flush = setInterval(() => void loop.flush().catch((error: unknown) => stopping.abort(error)), FLUSH_EVERY_MS)
    const askTip = source.ends
      ? undefined
      : setInterval(() => {
          source.range().then(
            ({ last }) => {
              sourceTip = last
            },
            (error: unknown) => logger.warn({ err: error }, 'Could not ask the source for its tip; reading goes on'),
          )
        }, TIP_EVERY_MS)
    return {
      stop() {
        clearInterval(flush)
        clearInterval(askTip)
      },
    }
  }

  async function tellSourceEnd(): Promise<void> {
    const isTold = told.control.sourceEnded && loop.lastLedger === told.control.lastLedger
    if (!isTold) {
      outbox.control([{ kind: 'source_end', ledger: loop.lastLedger }])
      await outbox.flush()
      await outbox.sent()
    }
    logger.info({ ledger: loop.lastLedger }, 'Reached the end of the source')
    atEnd()
  }

  const finished = run().catch((error: unknown) => {
    failed(error)
    throw error
  })
  finished.catch(() => undefined) // as with `ended`

  return {
    get tip() {
      return tip
    },
    firstLedger,
    progress: () => ({ ledger: tip, tip: sourceTip, firstLedger, ledgersPerSecond: speed.ledgersPerSecond(), records: loop.records }),
    ended,
    finished,
    async stop() {
      stopping.abort()
      await finished
      logger.info({ ledger: tip }, 'Stopped reading ledgers')
    },
  }
}

async function makeTopics({ network, log, retention }: IngestOptions, partitions: Resume['start']['partitions']): Promise<void> {
  for (const [protocol, count] of Object.entries(partitions) as [ProtocolId, number][]) {
    await log.ensureTopic(sliceTopic(network.name, protocol), {
      partitions: count,
      retentionSeconds: retention?.seconds ?? null,
      retentionBytes: retention?.bytes ?? null,
    })
  }
}
