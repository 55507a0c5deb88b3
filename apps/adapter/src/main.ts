// The process `orrery adapter <protocol>`: environment -> logger -> ports -> worker -> drain. No decisions are made here.
// Several processes share the partitions of the protocol where the log can divide them (Kafka); with LMDB one follows all.

import { OrreryError } from '@orrery/errors'
import { openLog } from '@orrery/event-log'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import { openClickHouse, openStore } from '@orrery/read-model'
import { compareRegistries, loadNetwork } from '@orrery/registry'
import {
  createLogger,
  createMetrics,
  type Logger,
  logOptionsOf,
  onStopSignals,
  type Readiness,
  reportTraceProblem,
  startInternalServer,
} from '@orrery/service-kit'
import { startTracing } from '@orrery/tracing'
import { startControlFollower } from './control-follower.ts'
import { adapterEnv, type Env } from './env.ts'
import { followShares } from './follow-shares.ts'

/**
 * Runs until a stop signal ends the process, or a partition fails. The command line prints the errors that it throws.
 * @throws OrreryError `invalid`/`unknown_protocol`, and the errors of the ports and of `startAdapter`.
 */
export async function runAdapter(name: string, given?: Readonly<Record<string, string | undefined>>): Promise<void> {
  const protocol = PROTOCOLS.find(({ id }) => id === name)
  if (protocol === undefined) {
    const known = PROTOCOLS.map(({ id }) => id).join(', ')
    throw new OrreryError(
      'invalid',
      'unknown_protocol',
      `There is no adapter for "${name}". Nothing was started. This build has: ${known}.`,
    )
  }
  const env = adapterEnv(given)
  const logger = createLogger({ name: 'adapter', level: env.ORRERY_LOG_LEVEL, json: env.ORRERY_LOG_JSON })
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  ended.promise.catch(() => undefined) // it is only awaited after a signal
  const forget = onStopSignals(async () => {
    stop.abort()
    await ended.promise
  }, logger)
  try {
    await run(protocol, env, logger, stop.signal)
    ended.resolve()
  } catch (error) {
    if (stop.signal.aborted && isNotBegun(error)) return ended.resolve() // following had not begun
    ended.reject(error)
    throw error
  } finally {
    if (!stop.signal.aborted) forget()
  }
}

/** Folds use the log's registry, so rows are right; but an operator should know that the file is not the one in use. */
function warnOfOtherRegistry(recorded: Network, own: Network, logger: Logger): void {
  const { additions, refusals } = compareRegistries(recorded, own)
  if (additions.length + refusals.length === 0) return
  logger.warn(
    { additions, differences: refusals, code: 'registry_differs_from_log' },
    'The registry file is not the one that ingest recorded in the event log. This adapter folds with the recorded one. Start ingest with the larger file first',
  )
}

const isNotBegun = (error: unknown): boolean => error instanceof OrreryError && error.code === 'log_not_started'

async function run(protocol: Protocol<unknown>, env: Env, logger: Logger, stop: AbortSignal): Promise<void> {
  const metrics = createMetrics({ of: 'adapter', ofProcess: true })
  const network = await loadNetwork(PROTOCOLS, env.ORRERY_NETWORK)
  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing({ service: 'orrery-adapter', onProblem: reportTraceProblem(logger) }))
  let ready = (): Readiness => ({ ok: false, why: 'Waiting for the start record of ingest.' })
  const internal = await startInternalServer({
    port: env.ORRERY_INTERNAL_PORT,
    host: env.ORRERY_INTERNAL_HOST,
    ready: () => ready(),
    metrics,
  })
  stack.defer(() => internal.stop())
  const log = stack.use(await openLog(env.ORRERY_LOG, { ...logOptionsOf(env), onRetry: () => metrics.logRetries.inc() }))
  const connection = openClickHouse({
    url: env.ORRERY_CLICKHOUSE_URL,
    user: env.ORRERY_CLICKHOUSE_USER,
    password: env.ORRERY_CLICKHOUSE_PASSWORD,
    database: env.ORRERY_CLICKHOUSE_DATABASE,
    onRetry: () => metrics.storeRetries.inc(),
  })
  const store = stack.use(openStore(connection))

  logger.info({ protocol: protocol.id, internalUrl: internal.url }, 'Reading the control topic; waiting for ingest if it is empty')
  const onUnrecorded = (): void => {
    ready = () => ({ ok: false, why: 'Waiting until ingest has recorded the registry of this log.' })
    logger.warn(
      { code: 'registry_not_recorded' },
      'An older ingest wrote this event log and recorded no registry. This adapter folds nothing until an ingest of this version records it. Start that ingest',
    )
  }
  const control = await startControlFollower({ network, protocols: [protocol.id], log, store, onUnrecorded, signal: stop })
  stack.defer(() => control.stop())
  warnOfOtherRegistry(control.registry.newest.network, network, logger)
  const ending = new AbortController()
  const end = AbortSignal.any([stop, ending.signal])
  logger.info({ protocol: protocol.id, internalUrl: internal.url }, 'Started the adapter')
  const options = { protocol, network, control, log, store, logger, metrics, quarantines: true }
  const following = followShares(options, end, (readiness) => {
    ready = readiness
  })
  following.catch(() => undefined) // thrown below, unless the control topic failed first
  await Promise.race([following, control.finished]).finally(() => ending.abort())
  await following
}
