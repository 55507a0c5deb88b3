// `orrery up`: everything in one process, from a lake to /v1. The first result names the addresses; indexing continues after it.

import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { isLoopback, OneTimeCode, proxyList } from '@orrery/api'
import { OrreryError } from '@orrery/errors'
import { reportTrouble } from '@orrery/ingest'
import type { Network } from '@orrery/protocol-kit'
import { PROTOCOLS } from '@orrery/protocols'
import type { ClickHouseHost } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics, type Logger, onStopSignals, reportTraceProblem, systemClock } from '@orrery/service-kit'
import { startTracing } from '@orrery/tracing'
import { Announcer } from '../announcer.ts'
import type { CliContext } from '../cli-context.ts'
import type { UP_OPTIONS } from '../command-options.ts'
import { openDataFolder } from '../data-folder.ts'
import { DEMO, DEMO_PARTITIONS } from '../demo.ts'
import { demoRequestsOf } from '../demo-requests.ts'
import { EngineRestarts, isRestartable, MAX_RESTARTS, RESTARTS_WITHIN_MS } from '../engine-restarts.ts'
import { firstFailure } from '../exit.ts'
import { isDemo, sourceOf } from '../ledger-source.ts'
import type { OptionValues } from '../options.ts'
import { startProgress } from '../progress.ts'
import { endedUncleanly, keepRunning } from '../running-file.ts'
import { causeOf, type RunningSystem, startSystem } from '../start-system.ts'
import { verifyAfterCrash } from '../verify/verify-after-crash.ts'
import { withCredentials } from '../with-credentials.ts'

type UpOptions = OptionValues<typeof UP_OPTIONS>

const PROGRESS_EVERY_MS = 250

/** Runs until a signal stops it, a part fails, or, with `--exit-when-caught-up`, everything is indexed. */
export async function up(options: UpOptions, context: CliContext): Promise<void> {
  const logger = createLogger({ name: 'up', level: options.logLevel ?? (options.json ? 'info' : 'warn'), json: options.json })
  const announcer = new Announcer(options.json, context)
  const stop = new AbortController()
  const ended = Promise.withResolvers<void>()
  const forget = onStopSignals(async () => {
    announcer.stopping()
    stop.abort()
    await ended.promise
    announcer.stopped()
  }, logger)
  try {
    await serveTraced(options, context, announcer, logger, stop.signal)
    ended.resolve()
  } catch (error) {
    if (error === stop.signal.reason) return ended.resolve() // stopped while it started
    ended.promise.catch(() => undefined) // awaited only after a signal
    ended.reject(error)
    throw error
  } finally {
    if (!stop.signal.aborted) forget()
  }
}

/** The last spans are sent before the process ends. */
async function serveTraced(...session: Parameters<typeof serveUntilStopped>): Promise<void> {
  const [, , , logger] = session
  await using stack = new AsyncDisposableStack()
  stack.use(await startTracing({ service: 'orrery', onProblem: reportTraceProblem(logger) }))
  await serveUntilStopped(...session)
}

/** Values that stay the same when the system restarts within one process. */
interface Session {
  readonly options: UpOptions
  readonly context: CliContext
  readonly announcer: Announcer
  readonly logger: Logger
  readonly network: Network
  readonly stop: AbortSignal
  readonly restarts: EngineRestarts
  /** Those of the first start, once it is known which ones were free. */
  ports: { readonly port: number; readonly internalPort: number; readonly clickhousePort: number }
  isReady: boolean
  isCaughtUp: boolean
  /** Of the first start: it stays valid when the system restarts. Null: none is printed. */
  readonly code: OneTimeCode | null
}

/**
 * Serves until it is stopped, is done, or a part fails. When the embedded engine ends by itself, everything starts again on the same ports, with
 * the same keys and passwords, from the last checkpoint: exactly what another start of the process would do.
 */
async function serveUntilStopped(
  options: UpOptions,
  context: CliContext,
  announcer: Announcer,
  logger: Logger,
  stop: AbortSignal,
): Promise<void> {
  const { port, internalPort, clickhousePort } = options
  const session: Session = {
    ...{ options, context, announcer, logger, stop },
    network: await loadNetwork(PROTOCOLS, options.network ?? DEMO),
    restarts: new EngineRestarts(),
    ports: { port, internalPort, clickhousePort: clickhousePort ?? 0 },
    isReady: false,
    isCaughtUp: false,
    code: offersCode(options, context) ? new OneTimeCode(systemClock) : null,
  }
  for (;;) {
    try {
      return await serve(session)
    } catch (error) {
      await restartAfter(session, error)
    }
  }
}

/** Waits until the next restart is due. @throws `error`, or that there were too many restarts, when there shall be none. */
async function restartAfter({ isReady, restarts, announcer, logger, stop }: Session, error: unknown): Promise<void> {
  const failure = firstFailure(error)
  if (!isReady || stop.aborted || !isRestartable(failure, restarts.count)) throw error
  const pauseMs = restarts.grant()
  if (pauseMs === null) throw tooManyRestarts(failure)
  logger.warn({ code: failure.code, restarts: restarts.count }, 'Restarting everything with a new ClickHouse engine')
  announcer.restarting(failure.code, restarts.count)
  await delay(pauseMs, undefined, { signal: stop }).catch(() => stop.throwIfAborted())
}

function tooManyRestarts(failure: OrreryError): OrreryError {
  const minutes = RESTARTS_WITHIN_MS / 60_000
  const message = `${failure.message}\nIt was restarted ${MAX_RESTARTS} times within ${minutes} minutes, so this process does not restart it again.`
  return new OrreryError('unavailable', 'engine_failed', message, { context: failure.context, cause: failure })
}

/** From the start of the engines to the end of the system. */
async function serve(session: Session): Promise<void> {
  const { options, announcer, logger, network, stop } = session
  const {
    network: networkName = DEMO,
    lake,
    lakeRequests,
    rpc,
    follow,
    fromLedger,
    host,
    internalHost,
    allowUnconfinedAnalyst,
    unsyncedClickhouse,
    slowStatementMs,
    webhookAllowPrivate,
    webhookRequests,
    partitions,
  } = options
  const metrics = createMetrics({ ofProcess: true })
  metrics.engineRestarts.inc(session.restarts.count)
  const onTrouble = reportTrouble(logger.child({ part: 'ingest' }), metrics)
  const source = sourceOf(networkName, { network, lake, lakeRequests, rpc, follows: follow, fromLedger, onTrouble })
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(openDataFolder(options.data, network))
  const wasUnclean = endedUncleanly(folder.path)
  if (!session.isReady) {
    if (folder.warning !== null) announcer.note(folder.warning)
    announcer.starting(network.name, source.describe, folder.path)
  }

  const readThrough = rpc === undefined ? {} : { readThrough: { rpc } }
  // The option's schema has refused what is no list of addresses.
  const trustedProxies = options.trustedProxies === undefined ? null : proxyList(options.trustedProxies.split(',').map((it) => it.trim()))
  const optional = {
    ...readThrough,
    ...(trustedProxies !== null && { trustedProxies }),
    allowUnconfinedAnalyst,
    unsyncedClickhouse,
    slowStatementMs,
    webhookAllowPrivate,
    partitions: { wanted: partitions ?? null, ofNewFolder: isDemo(networkName, { lake, rpc }) ? DEMO_PARTITIONS : null },
    ...(webhookRequests !== undefined && { webhookRequests }),
  }
  const system = await startSystem(
    {
      code: session.code,
      ...{ network, source, ...optional, ...session.ports, fromLedger, folder, host, internalHost, logger, metrics, stop },
      // A run that ends by itself ends at a failure as well.
      isolatesFailures: !options.exitWhenCaughtUp,
    },
    stack,
  )
  const { url, internalUrl, clickhouse, secrets } = system
  const clickhouseUrl = analystUrl(clickhouse)
  const addressOf = (user: 'status' | 'admin') => ({ headers: {}, ...clickhouse.address(user) })
  const analystsUrl = clickhouse.analyst?.url ?? null
  stack.use(keepRunning(folder.path, { url, internalUrl, analystsUrl, status: addressOf('status'), admin: addressOf('admin') }))
  session.ports = { port: portOf(url), internalPort: portOf(internalUrl), clickhousePort: analystsUrl === null ? 0 : portOf(analystsUrl) }
  if (session.isReady) announcer.restarted(session.restarts.count)
  else {
    const ready = { url, internalUrl, clickhouseUrl, clickhouseRefusal: refusalOf(clickhouse), secrets }
    announcer.ready({ ...ready, folder: folder.path, isDemo: isDemo(networkName, { lake, rpc }), code: session.code?.text ?? null })
  }
  session.isReady = true
  stop.throwIfAborted()
  if (wasUnclean && !options.skipVerify) {
    const ending = new AbortController()
    const { readModel } = system
    const verifying = verifyAfterCrash({ folder: folder.path, readModel, logger, stop: AbortSignal.any([stop, ending.signal]) })
    stack.defer(async () => {
      ending.abort()
      await verifying
    })
  }
  try {
    await run(system, session)
  } catch (error) {
    throw await causeOf(error, clickhouse.ended)
  }
}

/** Until it is stopped or, with `--exit-when-caught-up`, everything is indexed. */
async function run(system: RunningSystem, session: Session): Promise<void> {
  const { options, context, announcer, stop } = session
  if (!session.isCaughtUp) {
    const outcome = await index(system, context, announcer, stop)
    session.isCaughtUp = true
    if (outcome === 'stopped' || options.exitWhenCaughtUp) return
    const requests = options.json ? [] : await demoRequestsOf(system.readModel, session.logger)
    announcer.invite(system.url, system.secrets.apiKeyFile, requests)
  }
  await untilStopped(system, stop)
}

/** Only a terminal shows the code: journals and logs of containers keep what they get. The explorer takes it from its own machine alone. */
function offersCode({ network = DEMO, lake, rpc, json, host }: UpOptions, { stdout }: CliContext): boolean {
  return isDemo(network, { lake, rpc }) && !json && stdout.isTTY === true && isLoopback(host)
}

/** A URL omits the default port of its scheme. */
function portOf(url: string): number {
  return Number(new URL(url).port || 80)
}

/** Shows progress until everything that the source has is stored. */
async function index(
  system: RunningSystem,
  context: CliContext,
  announcer: Announcer,
  stop: AbortSignal,
): Promise<'caught up' | 'stopped'> {
  const startedMs = performance.now()
  const progress = startProgress({ title: 'Indexing', stream: context.stderr, isColourWanted: context.isColourWanted })
  const timer = setInterval(() => {
    const { done, total, ledger } = system.progress()
    progress.update(done, total, ledger)
  }, PROGRESS_EVERY_MS)
  try {
    const ledger = await Promise.race([system.caughtUp, untilStopped(system, stop)])
    if (ledger === 'stopped') return ledger
    progress.end()
    announcer.caughtUp({
      ledger,
      firstLedger: system.firstLedger,
      rows: system.rowsStored(),
      durationSeconds: (performance.now() - startedMs) / 1000,
    })
    return 'caught up'
  } finally {
    clearInterval(timer)
    progress.end()
  }
}

async function untilStopped(system: RunningSystem, stop: AbortSignal): Promise<'stopped'> {
  const stopped = stop.aborted ? Promise.resolve() : once(stop, 'abort')
  const failure = await Promise.race([stopped.then(() => null), system.failed.then((error) => ({ error }))])
  if (failure !== null) throw failure.error
  return 'stopped'
}

function analystUrl({ analyst }: ClickHouseHost): string | null {
  return analyst === null ? null : withCredentials(analyst.url, analyst)
}

function refusalOf({ analyst, unconfined }: ClickHouseHost): string | null {
  if (analyst !== null) return null
  return `the engine's process cannot be confined to its own files, because ${unconfined}. A client could read every file of this user. \`--allow-unconfined-analyst\` opens the address despite that.`
}
