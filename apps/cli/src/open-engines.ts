// The engines inside of `orrery up`: ClickHouse in a process of its own, SQLite for organizations and keys. Separate processes use servers instead.

import { openAccess, SLOW_STATEMENT_MS, slowStatements } from '@orrery/api'
import { type Embedded, keptTokenKeys, keptWebhookKey, openEmbedded, openIdentity } from '@orrery/identity'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { sharedContractsOf } from '@orrery/protocols'
import {
  assertSpaceForTables,
  assertTablesWritten,
  type ClickHouseHost,
  migrate,
  openClickHouse,
  openReadModel,
  openStore,
  type ReadModel,
  type Store,
  startClickHouseHost,
} from '@orrery/read-model'
import { type Logger, type Metrics, systemClock } from '@orrery/service-kit'
import type { DataFolder } from './data-folder.ts'

export interface EngineOptions {
  readonly network: Network
  /** Default: all of this build. */
  readonly protocols?: readonly Protocol<unknown>[] | undefined
  readonly folder: DataFolder
  readonly logger: Logger
  readonly metrics: Metrics
  /** Open the analyst's address of ClickHouse also where its process cannot be confined. Default false. */
  readonly allowUnconfinedAnalyst?: boolean
  /** Leave it to the OS when ClickHouse's inserted rows reach the disk. Default false. */
  readonly unsyncedClickhouse?: boolean
  /** Statements of readers that take at least so long are logged. Default 1,000; 0: none. */
  readonly slowStatementMs?: number | undefined
  /** Webhooks may point to http, other ports and addresses that are not public. Default false. */
  readonly webhookAllowPrivate?: boolean
  /** Port of the analyst's address. 0 (default): any free one. */
  readonly clickhousePort?: number
  /** Aborted when the start shall not go on. */
  readonly stop: AbortSignal
}

export interface Engines {
  readonly clickhouse: ClickHouseHost
  readonly store: Store
  readonly readModel: ReadModel
  readonly secrets: Embedded
  readonly access: ReturnType<typeof openAccess>
}

/** Longer than an engine may refuse connections before it is replaced, so that the error is the engine's and not that of a failed write. */
const WRITE_WITHIN_MS = 60_000

/** Where this process writes, its readers read again at once: only what other commands change waits as long as this. */
const TIP_FOR_MS = 1_000

/** Opens everything in the data folder but the log, with the tables up to date. @param onFailed Called when ClickHouse ends by itself. */
export async function openEngines(
  {
    network,
    protocols,
    folder,
    logger,
    metrics,
    allowUnconfinedAnalyst = false,
    unsyncedClickhouse = false,
    slowStatementMs = SLOW_STATEMENT_MS,
    webhookAllowPrivate = false,
    clickhousePort = 0,
    stop,
  }: EngineOptions,
  stack: AsyncDisposableStack,
  onFailed: (error: unknown) => void,
): Promise<Engines> {
  const clickhouse = stack.use(
    await startClickHouseHost({ dir: folder.clickhouse, allowUnconfinedAnalyst, analystPort: clickhousePort, syncs: !unsyncedClickhouse }),
  )
  // Writes and reads do not wait for an engine that has ended: they fail at once, and everything starts again with the next engine.
  const ended = new AbortController()
  const gone = ended.signal
  const onRetry = (): void => metrics.storeRetries.inc()
  clickhouse.ended.then((error) => {
    if (error === null) return
    onFailed(error)
    ended.abort(error)
  })
  await makeTables({ ...clickhouse.address('admin'), gone }, folder.clickhouse)
  stop.throwIfAborted()
  const store = stack.use(openStore(openClickHouse({ ...clickhouse.address('writer'), gone, onRetry, retryForMs: WRITE_WITHIN_MS })))
  const readModel = stack.use(
    openReadModel(openClickHouse({ ...clickhouse.address('api'), gone, onRetry }), {
      sharedContracts: sharedContractsOf(network, protocols),
      readsWholeState: true,
      tipForMs: TIP_FOR_MS,
      ...slowStatements(slowStatementMs, logger, systemClock),
    }),
  )
  const identity = stack.use(await openIdentity(folder.identityUrl))
  const secrets = await openEmbedded(identity, folder.path)
  const tokenKeys = await keptTokenKeys(folder.tokenKeysFile)
  const { adminToken } = secrets
  const webhooks = { key: await keptWebhookKey(folder.webhookKeyFile), allowPrivate: webhookAllowPrivate }
  const access = stack.use(openAccess({ identity, tokenKeys, adminToken, webhooks, redis: null, clock: systemClock, logger, metrics }))
  return { clickhouse, store, readModel, secrets, access }
}

/** @throws OrreryError `unavailable`/`data_folder_not_written` where the disk is full, and the errors of `migrate`. */
async function makeTables(address: Parameters<typeof migrate>[0], dir: string): Promise<void> {
  const failed = await migrate(address, { beforeFiles: () => assertSpaceForTables(dir) }).then(
    () => null,
    (error: unknown) => ({ error }),
  )
  // Of a full disk the engine reports nothing, or an error that another statement has because of it.
  assertTablesWritten(dir)
  if (failed !== null) throw failed.error
}
