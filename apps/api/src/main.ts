// The process `orrery api`: environment -> logger -> ports -> app -> listen -> drain. Decisions are elsewhere.

import { openIdentity } from '@orrery/identity'
import { openClickHouse, openReadModel } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics, onStopSignals, type Readiness, startInternalServer } from '@orrery/service-kit'
import { soroswap } from '@orrery/soroswap'
import { apiEnv } from './env.ts'
import { startApi } from './start-api.ts'

/** Runs until a stop signal ends the process. What is thrown before that is for the command line to print. */
export async function runApi(given?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const env = apiEnv(given)
  const logger = createLogger({ name: 'api', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const metrics = createMetrics({ ofProcess: true })
  const network = await loadNetwork(env.ORRERY_NETWORK)

  const identity = await openIdentity(env.ORRERY_IDENTITY)
  const connection = openClickHouse({
    url: env.ORRERY_CLICKHOUSE_URL,
    user: env.ORRERY_CLICKHOUSE_USER,
    password: env.ORRERY_CLICKHOUSE_PASSWORD,
    database: env.ORRERY_CLICKHOUSE_DATABASE,
  })
  const readModel = openReadModel(connection)

  const ready = async (): Promise<Readiness> => {
    const tip = await readModel.tip()
    return tip === null ? { ok: false, why: 'Nothing is indexed yet.' } : { ok: true, why: '' }
  }
  const internal = await startInternalServer({ port: env.ORRERY_INTERNAL_PORT, host: env.ORRERY_INTERNAL_HOST, ready, metrics })
  const api = await startApi({
    network,
    protocols: [soroswap],
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
  logger.info({ url: api.url, internalUrl: internal.url, network: network.name }, 'Started the API')

  onStopSignals(async () => {
    await api.stop()
    await connection.close()
    await identity[Symbol.asyncDispose]()
    await internal.stop()
  }, logger)
}
