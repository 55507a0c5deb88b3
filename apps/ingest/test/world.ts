// The set-up of most tests of ingest: the first 192 ledgers of the shipped recording, where the factory makes five pairs in ledger 1,000,005.

import { controlTopic, type EventLog, type LogPartition, openLog, sliceTopic } from '@orrery/event-log'
import type { Network } from '@orrery/protocol-kit'
import { loadNetwork } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { recording } from '@orrery/testkit'
import { lakeSource } from '../src/lake-source.ts'
import type { SourceLedger } from '../src/ledger-source.ts'
import { type IngestOptions, startIngest } from '../src/start-ingest.ts'
import { lakeWith } from './folders.ts'
import { ledgersOf, memorySource } from './ledgers.ts'
import { type LogContent, readLogContent } from './log-content.ts'

export const PARTITIONS = 4

export interface World {
  readonly network: Network
  readonly ledgers: readonly SourceLedger[]
  /** The content of the log after all ledgers were read in one run. */
  readonly expected: LogContent
  readonly control: LogPartition
  slices(partition: number): LogPartition
  /** A new log. */
  log(): Promise<EventLog>
  /** The options of ingest, unless a test overrides some. */
  optionsFor(log: EventLog, more?: Partial<IngestOptions>): IngestOptions
  /** Reads a source that ends to its end. */
  ingest(log: EventLog, more?: Partial<IngestOptions>): Promise<void>
  contentOf(log: EventLog): Promise<LogContent>
}

export async function aWorld(aFolder: () => string): Promise<World> {
  const network = await loadNetwork(recording().registryFile)
  const ledgers = await ledgersOf(lakeSource(lakeWith(aFolder(), [0, 1, 2])))
  const logger = createLogger({ name: 'test', level: 'silent', json: true })
  const log = (): Promise<EventLog> => openLog(`lmdb:${aFolder()}`)
  const optionsFor: World['optionsFor'] = (into, more = {}) => ({
    network,
    routings: [soroswap.routing],
    source: memorySource(ledgers),
    log: into,
    logger,
    metrics: createMetrics(),
    ...more,
  })
  const ingest: World['ingest'] = async (into, more) => {
    const running = await startIngest(optionsFor(into, more))
    await running.ended
    await running.finished
  }
  const contentOf = (of: EventLog): Promise<LogContent> => readLogContent(of, network.name, 'soroswap', PARTITIONS)

  await using clean = await log()
  await ingest(clean)
  return {
    network,
    ledgers,
    expected: await contentOf(clean),
    control: { topic: controlTopic(network.name), partition: 0 },
    slices: (partition) => ({ topic: sliceTopic(network.name, 'soroswap'), partition }),
    log,
    optionsFor,
    ingest,
    contentOf,
  }
}
