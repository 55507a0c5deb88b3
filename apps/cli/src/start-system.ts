// Everything in one process: the same ingest, adapters and API that run as separate processes, on embedded engines.
// Parts start in the order of their dependencies; a stack stops them in the reverse order.

import type { BlockList } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiOptions, type OneTimeCode, startApi } from '@orrery/api'
import { assert, OrreryError } from '@orrery/errors'
import type { Embedded } from '@orrery/identity'
import { checkPassphrase, isDamagedCopy, type LedgerSource } from '@orrery/ingest'
import { startNotify } from '@orrery/notify'
import type { Network, Protocol } from '@orrery/protocol-kit'
import type { ClickHouseHost, ReadModel } from '@orrery/read-model'
import { type Logger, type Metrics, type Readiness, startInternalServer } from '@orrery/service-kit'
import type { DataFolder } from './data-folder.ts'
import { isEngineFailure } from './engine-restarts.ts'
import { openEngines } from './open-engines.ts'
import type { ChosenPartitions } from './partition-numbers.ts'
import { type RunningIndex, startIndex } from './start-index.ts'
import { isTemporary } from './supervised-part.ts'

export interface SystemOptions {
  readonly network: Network
  /** The list that the network was read with. Default: all of this build. */
  readonly protocols?: readonly Protocol<unknown>[]
  readonly source: LedgerSource
  /** The RPC from which the API reads entries that predate the index. Not given: none. */
  readonly readThrough?: ApiOptions['readThrough']
  /** First ledger of a new index; undefined: the network's, or the source's if that begins later. */
  readonly fromLedger: number | undefined
  /** As in `IndexOptions`. */
  readonly partitions?: ChosenPartitions
  readonly folder: DataFolder
  readonly host: string
  readonly port: number
  /** Proxies whose `X-Forwarded-For` is trusted. None when not given. */
  readonly trustedProxies?: BlockList
  /** Of /livez, /readyz and /metrics: 127.0.0.1 when not given, whatever `host` is. These pages need no credential. */
  readonly internalHost?: string
  readonly internalPort: number
  /** Open the analyst's address of ClickHouse also where its process cannot be confined. Default false. */
  readonly allowUnconfinedAnalyst?: boolean
  /** Leave it to the OS when ClickHouse's inserted rows reach the disk. Default false. */
  readonly unsyncedClickhouse?: boolean
  /** Statements of requests that take at least so long are logged. Default 1,000; 0: none. */
  readonly slowStatementMs?: number | undefined
  /** Webhooks may point to http, other ports and addresses that are not public. Default false. */
  readonly webhookAllowPrivate?: boolean
  readonly webhookRequests?: number
  /** Port of the analyst's address of ClickHouse. 0 (default): any free one. */
  readonly clickhousePort?: number
  /** Start ingest and adapters again when they fail, while the API goes on. Default: the first failure ends all. */
  readonly isolatesFailures?: boolean
  /** What the explorer exchanges for a key. None when not given. */
  readonly code?: OneTimeCode | null
  readonly logger: Logger
  readonly metrics: Metrics
  /** Aborts the start: the parts that have started are on the stack. */
  readonly stop: AbortSignal
}

export interface RunningSystem extends Omit<RunningIndex, 'parts'> {
  readonly url: string
  readonly internalUrl: string
  readonly clickhouse: ClickHouseHost
  readonly readModel: ReadModel
  readonly secrets: Embedded
  /** Resolves when a part failed by itself, with what it threw. */
  readonly failed: Promise<unknown>
}

/** @throws OrreryError of the part that could not start; `engine_failed` or `engine_not_listening` when that is because the engine ended meanwhile. */
export async function startSystem(options: SystemOptions, stack: AsyncDisposableStack): Promise<RunningSystem> {
  const { promise: failed, resolve: onFailed } = Promise.withResolvers<unknown>()
  try {
    return await startParts(options, stack, { failed, onFailed })
  } catch (error) {
    throw await causeOf(error, failed)
  }
}

/** The end of the engine may be noticed this much later than the failure of a part that used it. */
const ENGINE_ENDS_WITHIN_MS = 1_000

/** What `ended` resolves with, where the engine's end is why a part could not go on; else `error`. */
export async function causeOf(error: unknown, ended: Promise<unknown>): Promise<unknown> {
  if (!(error instanceof OrreryError && error.kind === 'unavailable')) return error
  const failure = await Promise.race([ended, delay(ENGINE_ENDS_WITHIN_MS, null)])
  return isEngineFailure(failure) ? failure : error
}

interface Failures {
  readonly failed: Promise<unknown>
  readonly onFailed: (error: unknown) => void
}

async function startParts(options: SystemOptions, stack: AsyncDisposableStack, { failed, onFailed }: Failures): Promise<RunningSystem> {
  const { network, readThrough, trustedProxies, folder, host, port, logger, metrics, stop } = options
  // A source that cannot be reached, or is of another network, is refused before the engines start, and the folder stays free.
  await checkSource(options)
  folder.claim()

  let readiness = (): Readiness | Promise<Readiness> => ({ ok: false, why: 'the engines are being started' })
  let status = (): unknown => ({ status: 'starting' })
  const internal = await startInternalServer({
    host: options.internalHost ?? '127.0.0.1',
    port: options.internalPort,
    metrics,
    ready: () => readiness(),
    status: () => status(),
  })
  stack.defer(() => internal.stop())
  const { clickhouse, store, readModel, secrets, access } = await openEngines(options, stack, onFailed)

  const { cursorKey } = secrets
  const { code = null } = options
  const codeOffer = code === null ? undefined : { code, organization: secrets.organization }
  const optional = { codeOffer, ...(readThrough !== undefined && { readThrough }), ...(trustedProxies !== undefined && { trustedProxies }) }
  const api = await startApi({
    ...{ network, protocols: options.protocols, readModel, access, cursorKey, host, port, logger, metrics },
    ...optional,
  })
  stack.defer(() => api.stop())
  const { key: webhookKey, allowPrivate } = access.webhooks
  assert(webhookKey !== null, 'A data folder has no key for the secrets of webhooks.')
  // The same connection to the database of organizations: a second one in this process would wait for the first one's transactions.
  const notify = startNotify({
    ...{ readModel, webhooks: access.identity.webhooks, webhookKey, allowPrivate, logger, metrics },
    ...(options.webhookRequests !== undefined && { requestsAtOnce: options.webhookRequests }),
  })
  stack.defer(() => notify.stop())
  readiness = () => {
    const engine = clickhouse.readiness()
    return engine.ok ? api.readiness() : engine
  }
  status = () => api.health()

  const index = await startIndex(
    { ...options, heldRegistry: folder.heldRegistry, logUrl: folder.logUrl, store, readModel, stop },
    stack,
    onFailed,
  )
  folder.keepRegistry()
  status = async () => ({ ...(await api.health()), parts: index.parts() })
  return {
    ...{ url: api.url, internalUrl: internal.url, clickhouse, readModel, secrets, failed },
    ...{ firstLedger: index.firstLedger, caughtUp: index.caughtUp },
    progress: () => index.progress(),
    rowsStored: () => index.rowsStored(),
  }
}

/** How long a source may take to answer before the start goes on without it, where it can. */
const SOURCE_WITHIN_MS = 5_000

/**
 * Of a folder that holds this network, the index is served also while the source is away: ingest requests it again and again.
 * @throws OrreryError of a source of another network; for a new folder, also that the source cannot be reached, or that its oldest or newest ledger
 * cannot be read.
 */
async function checkSource({ source, network, folder, isolatesFailures = false, logger }: SystemOptions): Promise<void> {
  const check = async (): Promise<void> => {
    await checkPassphrase(source, network)
    await source.range()
  }
  if (!isolatesFailures || folder.heldRegistry === null) return check()
  const answered = check().then(
    () => null,
    (error: unknown) => {
      if (isTemporary(error) || isDamagedCopy(error)) return { err: error, isDamaged: isDamagedCopy(error) }
      throw error
    },
  )
  // Requests are repeated for a minute: by then the index could have been served for long.
  const away = await Promise.race([answered, delay(SOURCE_WITHIN_MS, { afterSeconds: SOURCE_WITHIN_MS / 1_000 }, { ref: false })])
  if (away === null) return
  const { isDamaged = false, ...fields } = { isDamaged: false, ...away }
  const problem = isDamaged ? 'The newest ledgers of the source cannot be read' : 'The source cannot be reached'
  const next = 'the index is served as it is, and ingest requests the source again'
  logger.warn({ source: source.describe, ...fields }, `${problem}; ${next}`)
}
