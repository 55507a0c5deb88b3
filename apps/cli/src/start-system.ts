// Everything in one process: the same ingest, adapters and API that run as separate processes, on embedded engines.
// Parts start in the order of their needs and are handed to a stack that stops them in the opposite one.

import { setTimeout as delay } from 'node:timers/promises'
import { type RunningAdapter, startAdapter, startControlFollower } from '@orrery/adapter'
import { type ApiOptions, openAccess, startApi } from '@orrery/api'
import { openLog } from '@orrery/event-log'
import { type Embedded, keptTokenKeys, openEmbedded, openIdentity } from '@orrery/identity'
import { type LedgerSource, startIngest } from '@orrery/ingest'
import { DEFAULT_PARTITIONS, type Network } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import {
  type ClickHouseHost,
  migrate,
  openClickHouse,
  openReadModel,
  openStore,
  type ReadModel,
  startClickHouseHost,
} from '@orrery/read-model'
import { type Logger, type Metrics, type Readiness, startInternalServer, systemClock } from '@orrery/service-kit'
import type { DataFolder } from './data-folder.ts'
import { reportedGaps } from './reported-gaps.ts'

const LOOK_AGAIN_MS = 20

/** How long a word that is in the log may take to be read: it is one LMDB look-up. */
const FIRST_WORD_WITHIN_MS = 2_000

export interface SystemOptions {
  readonly network: Network
  readonly source: LedgerSource
  /** Who the API asks about accounts that are older than the index. Not given: nobody. */
  readonly readThrough?: ApiOptions['readThrough']
  /** First ledger of a new index; undefined: the network's, or the source's if that begins later. */
  readonly fromLedger: number | undefined
  readonly folder: DataFolder
  readonly host: string
  readonly port: number
  readonly internalPort: number
  readonly logger: Logger
  readonly metrics: Metrics
  /** Aborted when the start shall not go on: what has been started is on the stack. */
  readonly stop: AbortSignal
}

/** Of `total` ledgers `done` are readable on /v1; `ledger` is the newest of them. */
export interface IndexProgress {
  readonly done: number
  readonly total: number
  readonly ledger: number
}

export interface RunningSystem {
  readonly url: string
  readonly internalUrl: string
  readonly clickhouse: ClickHouseHost
  readonly readModel: ReadModel
  readonly secrets: Embedded
  progress(): IndexProgress
  /** Resolves with the newest ledger when everything that the source had at the start is told, every partition has stored it, and /v1 answers as of it. */
  readonly caughtUp: Promise<number>
  /** Resolves when a part failed by itself, with what it threw. */
  readonly failed: Promise<unknown>
  /** First ledger of the index. */
  readonly firstLedger: number
  /** Since the start. */
  rowsStored(): number
}

export async function startSystem(options: SystemOptions, stack: AsyncDisposableStack): Promise<RunningSystem> {
  const { network, source, readThrough, fromLedger, folder, host, logger, metrics, stop } = options
  const protocols = protocolsOf(network)
  const failed = Promise.withResolvers<unknown>()
  const watch = (ended: Promise<unknown>): void => void ended.catch(failed.resolve)
  await source.range() // whoever cannot be reached is told before the engines start

  let readiness = (): Readiness => ({ ok: false, why: 'the engines are being started' })
  const internal = await startInternalServer({ host, port: options.internalPort, metrics, ready: () => readiness() })
  stack.defer(() => internal.stop())

  const clickhouse = stack.use(await startClickHouseHost({ dir: folder.clickhouse }))
  clickhouse.ended.then((error) => error !== null && failed.resolve(error))
  await migrate(clickhouse.address('admin'))
  stop.throwIfAborted()
  const store = stack.use(openStore(openClickHouse(clickhouse.address('writer'))))
  const readModel = stack.use(openReadModel(openClickHouse(clickhouse.address('api'))))
  const identity = stack.use(await openIdentity(folder.identityUrl))
  const secrets = await openEmbedded(identity, folder.path)
  const { adminToken } = secrets
  const tokenKeys = await keptTokenKeys(folder.tokenKeysFile)
  const access = stack.use(openAccess({ identity, tokenKeys, adminToken, redis: null, clock: systemClock, logger, metrics }))

  const api = await startApi({
    network,
    protocols,
    readModel,
    access,
    host,
    port: options.port,
    cursorKey: secrets.cursorKey,
    logger,
    metrics,
    ...(readThrough !== undefined && { readThrough }),
  })
  stack.defer(() => api.stop())

  const log = stack.use(await openLog(folder.logUrl))
  const ingest = await startIngest({
    network,
    routings: protocols.map(({ routing }) => routing),
    partitions: Object.fromEntries(protocols.map(({ id }) => [id, DEFAULT_PARTITIONS[id]])),
    source,
    log,
    fromLedger,
    logger: logger.child({ part: 'ingest' }),
    metrics,
    gaps: reportedGaps(readModel),
  })
  stack.defer(() => ingest.stop())
  watch(ingest.finished)

  stop.throwIfAborted()
  const stopping = new AbortController()
  stack.defer(() => stopping.abort())
  // The follower waits for the first word of ingest. It never comes when ingest has failed, or shall stop, before it could say it. An ingest
  // that fails later, also a moment later, is told beside a running API: so the follower gets the time to find a word that is there.
  const noWord = Promise.withResolvers<never>()
  ingest.finished.catch((error) => delay(FIRST_WORD_WITHIN_MS, undefined, { ref: false }).then(() => noWord.reject(error)))
  stop.addEventListener('abort', () => noWord.reject(stop.reason), { once: true })
  const control = await Promise.race([
    startControlFollower({ network, protocols: protocols.map(({ id }) => id), log, store, signal: stopping.signal }),
    noWord.promise,
  ])
  stack.defer(() => control.stop())
  watch(control.finished)

  const adapters: RunningAdapter[] = []
  for (const protocol of protocols) {
    const partitions = Array.from({ length: DEFAULT_PARTITIONS[protocol.id] }, (_, n) => n)
    const adapter = await startAdapter({ protocol, network, partitions, control, log, store, logger, metrics })
    stack.defer(() => adapter.stop())
    watch(adapter.finished)
    adapters.push(adapter)
  }

  const progress = (): IndexProgress => {
    const partitions = adapters.flatMap((adapter) => adapter.status())
    const ledger = Math.min(control.storedLedger, ...partitions.map(({ checkpointLedger }) => checkpointLedger ?? 0))
    const done = Math.max(0, ledger - ingest.firstLedger + 1)
    return { done, total: Math.max(done, (ingest.progress().tip ?? ingest.tip) - ingest.firstLedger + 1), ledger }
  }
  let isCaughtUp = false
  const caughtUp = (async () => {
    const ledger = await ingest.caughtUp
    await control.atTip(ledger)
    await Promise.all(adapters.map((adapter) => adapter.reached(ledger)))
    await untilReread(readModel)
    isCaughtUp = true
    return ledger
  })()
  caughtUp.catch(() => undefined) // what ended it is told through `failed`
  readiness = () => {
    const { done, total } = progress()
    if (!isCaughtUp) return { ok: false, why: `${done} of ${total} ledgers are indexed` }
    return adapters.map((adapter) => adapter.readiness()).find(({ ok }) => !ok) ?? { ok: true, why: '' }
  }

  return {
    url: api.url,
    internalUrl: internal.url,
    clickhouse,
    readModel,
    secrets,
    firstLedger: ingest.firstLedger,
    caughtUp,
    failed: failed.promise,
    rowsStored: () => adapters.reduce((sum, adapter) => sum + adapter.rowsStored(), 0),
    progress,
  }
}

/** Readers believe a tip for a moment: after this they have looked again. */
async function untilReread(readModel: ReadModel): Promise<void> {
  const believed = await readModel.tip()
  while ((await readModel.tip()) === believed) await delay(LOOK_AGAIN_MS)
}
