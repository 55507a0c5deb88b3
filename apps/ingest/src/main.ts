// The process `orrery ingest`: environment -> logger -> ports -> ingest -> drain. Decisions are elsewhere.

import { openLog } from '@orrery/event-log'
import { PROTOCOLS, protocolsOf } from '@orrery/protocols'
import { loadNetwork } from '@orrery/registry'
import {
  createLogger,
  createMetrics,
  logOptionsOf,
  onStopSignals,
  type Readiness,
  reportTraceProblem,
  startInternalServer,
} from '@orrery/service-kit'
import { startTracing } from '@orrery/tracing'
import { type Env, ingestEnv, partitionsOf } from './env.ts'
import type { ReadGaps } from './gap-repair.ts'
import { openSource } from './open-source.ts'
import { reportTrouble } from './source-trouble.ts'
import { startIngest } from './start-ingest.ts'

const DAY_SECONDS = 86_400

/** Opens the health rows of adapters. Given by the command line, because ingest does not depend on the read model. */
export type OpenGaps = (clickhouse: {
  readonly url: string
  readonly user: string
  readonly password: string
  readonly database: string
  readonly onRetry: () => void
}) => AsyncDisposable & { readonly read: ReadGaps }

/**
 * Runs until its source ends or a stop signal ends the process. With access to reported gaps it keeps running at the source's end.
 * The command line prints the errors that it throws.
 */
export async function runIngest(given?: Readonly<Record<string, string | undefined>>, openGaps?: OpenGaps): Promise<void> {
  const env = ingestEnv(given)
  const logger = createLogger({ name: 'ingest', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const metrics = createMetrics({ of: 'ingest', ofProcess: true })
  const network = await loadNetwork(PROTOCOLS, env.ORRERY_NETWORK)
  const source = openSource({
    network,
    lake: env.ORRERY_LAKE,
    lakeRequests: env.ORRERY_LAKE_REQUESTS,
    rpc: env.ORRERY_RPC,
    follows: env.ORRERY_FOLLOW,
    fromLedger: env.ORRERY_FROM_LEDGER,
    onTrouble: reportTrouble(logger, metrics),
  })

  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing({ service: 'orrery-ingest', onProblem: reportTraceProblem(logger) }))
  let ready: () => Readiness = () => ({ ok: false, why: 'The event log is being read.' })
  const internal = await startInternalServer({
    port: env.ORRERY_INTERNAL_PORT,
    host: env.ORRERY_INTERNAL_HOST,
    ready: () => ready(),
    metrics,
  })
  stack.defer(() => internal.stop())
  const log = stack.use(await openLog(env.ORRERY_LOG, { ...logOptionsOf(env), onRetry: () => metrics.logRetries.inc() }))
  const gaps = gapsOf(env, openGaps, () => metrics.storeRetries.inc())
  if (gaps !== null) stack.use(gaps)
  const ingest = await startIngest({
    network,
    routings: protocolsOf(network).map(({ routing }) => routing),
    partitions: partitionsOf(env),
    source,
    log,
    fromLedger: env.ORRERY_FROM_LEDGER,
    retention: {
      seconds: env.ORRERY_LOG_RETENTION_DAYS === undefined ? null : env.ORRERY_LOG_RETENTION_DAYS * DAY_SECONDS,
      bytes: env.ORRERY_LOG_RETENTION_BYTES ?? null,
    },
    logger,
    metrics,
    ...(gaps && { gaps: gaps.read }),
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

function gapsOf(env: Env, openGaps: OpenGaps | undefined, onRetry: () => void): ReturnType<OpenGaps> | null {
  const { ORRERY_CLICKHOUSE_URL: url, ORRERY_CLICKHOUSE_USER: user, ORRERY_CLICKHOUSE_PASSWORD: password } = env
  if (openGaps === undefined || url === undefined || user === undefined || password === undefined) return null
  return openGaps({ url, user, password, database: env.ORRERY_CLICKHOUSE_DATABASE, onRetry })
}
