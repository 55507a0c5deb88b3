// The process `orrery api`: environment -> logger -> ports -> app -> listen -> drain. Decisions are elsewhere.

import { openIdentity } from '@orrery/identity'
import { protocolsOf } from '@orrery/protocols'
import { type ClickHouseAddress, openClickHouse, openReadModel } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics, onStopSignals, startInternalServer, systemClock } from '@orrery/service-kit'
import { apiEnv, type Env } from './env.ts'
import { watchReadiness } from './readiness.ts'
import { startApi } from './start-api.ts'

/** Runs until a stop signal ends the process. What is thrown before that is for the command line to print. */
export async function runApi(given?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const env = apiEnv(given)
  const logger = createLogger({ name: 'api', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const metrics = createMetrics({ ofProcess: true })
  const network = await loadNetwork(env.ORRERY_NETWORK)
  const protocols = protocolsOf(network)

  // A start that fails half-way gives back what it had opened; a stop does so in the opposite order.
  await using starting = new AsyncDisposableStack()
  const readModel = starting.use(openReadModel(openClickHouse(clickhouseOf(env))))
  const internal = await startInternalServer({
    port: env.ORRERY_INTERNAL_PORT,
    host: env.ORRERY_INTERNAL_HOST,
    ready: watchReadiness({ readModel, network, protocols, clock: systemClock }),
    metrics,
  })
  starting.defer(() => internal.stop())
  const identity = starting.use(await openIdentity(env.ORRERY_IDENTITY))
  const api = await startApi({
    network,
    protocols,
    readModel,
    identity,
    cursorKey: Buffer.from(env.ORRERY_CURSOR_KEY, 'hex'),
    logger,
    metrics,
    port: env.ORRERY_PORT,
    host: env.ORRERY_HOST,
    corsOrigins: env.ORRERY_CORS_ORIGINS,
    trustProxy: env.ORRERY_TRUST_PROXY,
    deadlineMs: env.ORRERY_DEADLINE_SECONDS * 1000,
    drainMs: env.ORRERY_DRAIN_SECONDS * 1000,
  })
  starting.defer(() => api.stop())
  logger.info({ url: api.url, internalUrl: internal.url, network: network.name }, 'Started the API')

  const running = starting.move()
  onStopSignals(() => running.disposeAsync(), logger)
}

function clickhouseOf(env: Env): ClickHouseAddress {
  return {
    url: env.ORRERY_CLICKHOUSE_URL,
    user: env.ORRERY_CLICKHOUSE_USER,
    password: env.ORRERY_CLICKHOUSE_PASSWORD,
    database: env.ORRERY_CLICKHOUSE_DATABASE,
  }
}
