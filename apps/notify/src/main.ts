// The process `orrery notify`: environment -> logger -> ports -> webhooks -> drain.

import { openIdentity } from '@orrery/identity'
import { PROTOCOLS, sharedContractsOf } from '@orrery/protocols'
import { openClickHouse, openReadModel } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics, onStopSignals, type Readiness, reportTraceProblem, startInternalServer } from '@orrery/service-kit'
import { startTracing } from '@orrery/tracing'
import { notifyEnv, webhookKeyOf } from './env.ts'
import { startNotify } from './start-notify.ts'

/** Runs until a stop signal ends the process. The command line prints errors that are thrown before. */
export async function runNotify(given?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const env = notifyEnv(given)
  const logger = createLogger({ name: 'notify', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const metrics = createMetrics({ of: 'notify', ofProcess: true })
  const network = await loadNetwork(PROTOCOLS, env.ORRERY_NETWORK)

  // A start that fails closes what it has opened; a stop closes everything in reverse order.
  await using starting = new AsyncDisposableStack()
  starting.use(await startTracing({ service: 'orrery-notify', onProblem: reportTraceProblem(logger) }))
  const address = {
    url: env.ORRERY_CLICKHOUSE_URL,
    user: env.ORRERY_CLICKHOUSE_USER,
    password: env.ORRERY_CLICKHOUSE_PASSWORD,
    database: env.ORRERY_CLICKHOUSE_DATABASE,
  }
  const readModel = starting.use(
    openReadModel(openClickHouse({ ...address, onRetry: () => metrics.storeRetries.inc() }), {
      sharedContracts: sharedContractsOf(network),
    }),
  )
  let ready = (): Readiness => ({ ok: false, why: 'the process starts' })
  let status = (): unknown => ({ status: 'starting' })
  const internal = await startInternalServer({
    port: env.ORRERY_INTERNAL_PORT,
    host: env.ORRERY_INTERNAL_HOST,
    ready: () => ready(),
    status: () => status(),
    metrics,
  })
  starting.defer(() => internal.stop())
  const identity = starting.use(await openIdentity(env.ORRERY_IDENTITY))
  const webhookKey = await webhookKeyOf(env)
  const allowPrivate = env.ORRERY_WEBHOOK_ALLOW_PRIVATE
  const { ORRERY_WEBHOOK_REQUESTS: requestsAtOnce } = env
  const notify = startNotify({
    ...{ readModel, webhooks: identity.webhooks, webhookKey, allowPrivate, logger, metrics },
    ...(requestsAtOnce !== undefined && { requestsAtOnce }),
  })
  starting.defer(() => notify.stop())
  ready = () => notify.readiness()
  status = () => notify.status()
  const { instance } = notify.status()
  logger.info({ internalUrl: internal.url, network: network.name, allowPrivate, instance }, 'Started the delivery of webhooks')

  const running = starting.move()
  onStopSignals(() => running.disposeAsync(), logger)
}
