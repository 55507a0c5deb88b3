// The process `orrery ingest`: environment -> logger -> ports -> ingest -> drain. Decisions are elsewhere.

import { openLog } from '@orrery/event-log'
import { protocolsOf } from '@orrery/protocols'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics, logOptionsOf, onStopSignals, type Readiness, startInternalServer } from '@orrery/service-kit'
import { ingestEnv, partitionsOf } from './env.ts'
import { lakeSource } from './lake-source.ts'
import { startIngest } from './start-ingest.ts'

const DAY_SECONDS = 86_400

/** Runs until its source ends or a stop signal ends the process. What is thrown is for the command line to print. */
export async function runIngest(given?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const env = ingestEnv(given)
  const logger = createLogger({ name: 'ingest', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const metrics = createMetrics({ ofProcess: true })
  const network = await loadNetwork(env.ORRERY_NETWORK)

  await using stack = new AsyncDisposableStack()
  let ready: () => Readiness = () => ({ ok: false, why: 'The event log is being read.' })
  const internal = await startInternalServer({
    port: env.ORRERY_INTERNAL_PORT,
    host: env.ORRERY_INTERNAL_HOST,
    ready: () => ready(),
    metrics,
  })
  stack.defer(() => internal.stop())
  const log = stack.use(await openLog(env.ORRERY_LOG, logOptionsOf(env)))
  const ingest = await startIngest({
    network,
    routings: protocolsOf(network).map(({ routing }) => routing),
    partitions: partitionsOf(env),
    source: lakeSource(env.ORRERY_LAKE),
    log,
    fromLedger: env.ORRERY_FROM_LEDGER,
    retention: {
      seconds: env.ORRERY_LOG_RETENTION_DAYS === undefined ? null : env.ORRERY_LOG_RETENTION_DAYS * DAY_SECONDS,
      bytes: env.ORRERY_LOG_RETENTION_BYTES ?? null,
    },
    logger,
    metrics,
  })
  ready = () => ingest.readiness()
  logger.info({ internalUrl: internal.url, network: network.name }, 'Started ingest')

  const forget = onStopSignals(async () => {
    await ingest.stop()
    await stack.disposeAsync()
  }, logger)
  await ingest.finished
  forget()
}
