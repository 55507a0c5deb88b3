// `orrery up`: everything in one process, from a lake to /v1. The first result says where; indexing goes on behind it.

import { once } from 'node:events'
import { proxyList } from '@orrery/api'
import { tellTrouble } from '@orrery/ingest'
import type { ClickHouseHost } from '@orrery/read-model'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics, type Logger, onStopSignals } from '@orrery/service-kit'
import { Announcer } from '../announcer.ts'
import type { CliContext } from '../cli-context.ts'
import type { UP_OPTIONS } from '../command-options.ts'
import { openDataFolder } from '../data-folder.ts'
import { DEMO } from '../demo.ts'
import { isDemo, sourceOf } from '../ledger-source.ts'
import type { OptionValues } from '../options.ts'
import { startProgress } from '../progress.ts'
import { keepRunning } from '../running-file.ts'
import { type RunningSystem, startSystem } from '../start-system.ts'
import { storiesOf } from '../story.ts'
import { withCredentials } from '../with-credentials.ts'

type UpOptions = OptionValues<typeof UP_OPTIONS>

const PROGRESS_EVERY_MS = 250

/** Runs until a signal stops it, a part of it fails, or everything is indexed and that was all that was asked. */
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
    await run(options, context, announcer, logger, stop.signal)
    ended.resolve()
  } catch (error) {
    if (error === stop.signal.reason) return ended.resolve() // stopped while it started
    ended.promise.catch(() => undefined) // nobody waits for it unless a signal came
    ended.reject(error)
    throw error
  } finally {
    if (!stop.signal.aborted) forget()
  }
}

async function run(options: UpOptions, context: CliContext, announcer: Announcer, logger: Logger, stop: AbortSignal): Promise<void> {
  const { network: networkName = DEMO, lake, rpc, follow, fromLedger, host, port, internalPort, internalHost } = options
  const { allowUnconfinedAnalyst, clickhousePort } = options
  const network = await loadNetwork(networkName)
  const metrics = createMetrics({ ofProcess: true })
  const onTrouble = tellTrouble(logger.child({ part: 'ingest' }), metrics)
  const source = sourceOf(networkName, { network, lake, rpc, follows: follow, fromLedger, onTrouble })
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(openDataFolder(options.data, network))
  if (folder.warning !== null) announcer.note(folder.warning)
  announcer.starting(network.name, source.describe, folder.path)

  const readThrough = rpc === undefined ? {} : { readThrough: { rpc } }
  // The option's schema has refused what is no list of addresses.
  const trustedProxies = options.trustedProxies === undefined ? null : proxyList(options.trustedProxies.split(',').map((it) => it.trim()))
  const asked = { ...readThrough, ...(trustedProxies !== null && { trustedProxies }), allowUnconfinedAnalyst, clickhousePort }
  const system = await startSystem(
    { network, source, ...asked, fromLedger, folder, host, port, internalHost, internalPort, logger, metrics, stop },
    stack,
  )
  const { url, internalUrl, clickhouse, secrets } = system
  const clickhouseUrl = analystUrl(clickhouse)
  const { headers = {}, ...address } = clickhouse.address('status')
  const analystsUrl = clickhouse.analyst?.url ?? null
  stack.use(keepRunning(folder.path, { url, internalUrl, analystsUrl, status: { ...address, headers } }))
  const ready = { url, internalUrl, clickhouseUrl, clickhouseRefusal: refusalOf(clickhouse), secrets }
  announcer.ready({ ...ready, folder: folder.path, isDemo: isDemo(networkName, { lake, rpc }) })
  stop.throwIfAborted()

  const outcome = await index(system, context, announcer, stop)
  if (outcome === 'stopped' || options.exitWhenCaughtUp) return
  announcer.invite(system.url, system.secrets.apiKeyFile, await storiesOf(system.readModel))
  await untilStopped(system, stop)
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
  return `the engine's process cannot be confined to its own files, because ${unconfined}. A client could read every file of this user. \`--allow-unconfined-analyst\` opens the address anyway.`
}
