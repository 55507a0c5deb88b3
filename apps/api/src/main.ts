// The process `orrery api`: environment -> logger -> ports -> app -> listen -> drain.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { keptTokenKeys, openIdentity, openRedis, readTokenKeys } from '@orrery/identity'
import type { Network } from '@orrery/protocol-kit'
import { PROTOCOLS, sharedContractsOf } from '@orrery/protocols'
import { type ClickHouseAddress, openClickHouse, openReadModel } from '@orrery/read-model'
import { loadNetwork, registryText } from '@orrery/registry'
import {
  createLogger,
  createMetrics,
  type Logger,
  onStopSignals,
  reportTraceProblem,
  startInternalServer,
  systemClock,
} from '@orrery/service-kit'
import { startTracing } from '@orrery/tracing'
import { openAccess } from './access.ts'
import { apiEnv, type Env, tokenKeysFile, webhookKey } from './env.ts'
import { watchReadiness } from './readiness.ts'
import { redisStore } from './response-cache/answer-store.ts'
import { slowStatements } from './slow-statements.ts'
import { startApi } from './start-api.ts'

/** Runs until a stop signal ends the process. The command line prints errors that are thrown before. */
export async function runApi(given?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const env = apiEnv(given)
  const logger = createLogger({ name: 'api', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const metrics = createMetrics({ of: 'api', ofProcess: true })
  const network = await loadNetwork(PROTOCOLS, env.ORRERY_NETWORK)

  // A start that fails closes what it has opened; a stop closes everything in reverse order.
  await using starting = new AsyncDisposableStack()
  starting.use(await startTracing({ service: 'orrery-api', onProblem: reportTraceProblem(logger) }))
  const readModel = starting.use(
    openReadModel(openClickHouse({ ...clickhouseOf(env), onRetry: () => metrics.storeRetries.inc() }), {
      statementSeconds: env.ORRERY_DEADLINE_SECONDS,
      sharedContracts: sharedContractsOf(network),
      readsWholeState: true,
      ...slowStatements(env.ORRERY_SLOW_STATEMENT_MS, logger, systemClock),
    }),
  )
  let status = (): unknown => ({ status: 'starting' })
  const internal = await startInternalServer({
    port: env.ORRERY_INTERNAL_PORT,
    host: env.ORRERY_INTERNAL_HOST,
    ready: watchReadiness({ readModel, clock: systemClock, maxLagSeconds: env.ORRERY_READY_MAX_LAG_SECONDS }),
    status: () => status(),
    metrics,
  })
  starting.defer(() => internal.stop())
  const identity = starting.use(await openIdentity(env.ORRERY_IDENTITY))
  const tokenKeys = await (env.ORRERY_TOKEN_KEYS === undefined ? keptTokenKeys : readTokenKeys)(tokenKeysFile(env))
  const redis =
    env.ORRERY_REDIS === undefined ? null : starting.adopt(await openRedis(env.ORRERY_REDIS, lostRedis(logger)), (r) => r.disconnect())
  const adminToken = env.ORRERY_ADMIN_TOKEN ?? null
  const webhooks = { key: await webhookKey(env), allowPrivate: env.ORRERY_WEBHOOK_ALLOW_PRIVATE }
  const access = starting.use(openAccess({ identity, tokenKeys, adminToken, webhooks, redis, clock: systemClock, logger, metrics }))
  const api = await startApi({
    network,
    readModel,
    access,
    cursorKey: Buffer.from(env.ORRERY_CURSOR_KEY, 'hex'),
    logger,
    metrics,
    port: env.ORRERY_PORT,
    host: env.ORRERY_HOST,
    corsOrigins: env.ORRERY_CORS_ORIGINS,
    trustedProxies: env.ORRERY_TRUSTED_PROXIES,
    deadlineMs: env.ORRERY_DEADLINE_SECONDS * 1000,
    drainMs: env.ORRERY_DRAIN_SECONDS * 1000,
    ...(env.ORRERY_RPC !== undefined && { readThrough: readThroughOf(env.ORRERY_RPC, env) }),
    ...(redis !== null && { answers: { store: redisStore(redis), scope: answerScope(env, network) } }),
  })
  starting.defer(() => api.stop())
  status = () => api.health()
  logger.info({ url: api.url, internalUrl: internal.url, network: network.name }, 'Started the API')

  const running = starting.move()
  onStopSignals(() => running.disposeAsync(), logger)
}

function readThroughOf(rpc: string, env: Env) {
  return {
    rpc,
    keysPerRequest: env.ORRERY_READ_THROUGH_KEYS,
    callsPerSecond: env.ORRERY_READ_THROUGH_CALLS_PER_SECOND,
  }
}

/** One Redis may serve several indexes and, during an update, two releases: an answer belongs to one network, database and release. */
function answerScope(env: Env, network: Network): string {
  const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const index = [version, registryText(network), env.ORRERY_CLICKHOUSE_URL, env.ORRERY_CLICKHOUSE_DATABASE]
  return createHash('sha256').update(JSON.stringify(index)).digest('base64url')
}

function lostRedis(logger: Logger) {
  return (reason: string) =>
    logger.warn(
      { reason },
      'Lost Redis: requests are not limited, answers are not cached, and revocations by other instances take effect within five seconds',
    )
}

function clickhouseOf(env: Env): ClickHouseAddress {
  return {
    url: env.ORRERY_CLICKHOUSE_URL,
    user: env.ORRERY_CLICKHOUSE_USER,
    password: env.ORRERY_CLICKHOUSE_PASSWORD,
    database: env.ORRERY_CLICKHOUSE_DATABASE,
  }
}
