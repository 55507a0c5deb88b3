// The API of one network with all its routes. `orrery api` and `orrery up` both start it.

import { BlockList } from 'node:net'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { PROTOCOLS, protocolsOf } from '@orrery/protocols'
import type { ReadModel } from '@orrery/read-model'
import { type Clock, type Logger, type Metrics, type Readiness, systemClock } from '@orrery/service-kit'
import { openRpc, rpcAddresses } from '@orrery/stellar-rpc'
import type { Access } from './access.ts'
import { reportIndexMetrics } from './index-metrics.ts'
import { openKeptDays } from './kept-days.ts'
import { openKeptFeeds } from './kept-feeds.ts'
import { managementRoutes } from './management/index.ts'
import { READ_THROUGH_LIMITS, type ReadThrough, type ReadThroughLimits, RpcReadThrough } from './read-through/read-through.ts'
import { watchReadiness } from './readiness.ts'
import { type AnswerStore, memoryStore } from './response-cache/answer-store.ts'
import { openResponseCache } from './response-cache/response-cache.ts'
import { indexState } from './routes/basis.ts'
import { type Health, readHealth } from './routes/get-health.ts'
import { routesOf } from './routes/index.ts'
import { type RunningApi, serve } from './serve.ts'
import type { CodeOffer } from './sign-in/exchange-code.ts'
import { streamRoute } from './stream/stream-route.ts'
import { openStreams } from './stream/streams.ts'
import { watchVerdict } from './verdict-metric.ts'
import { openViews } from './views.ts'

export interface ApiOptions {
  readonly network: Network
  /** The protocols that the network was read with: routes, texts and parameters name them all. Default: all of this build. */
  readonly protocols?: readonly Protocol<unknown>[] | undefined
  readonly readModel: ReadModel
  readonly access: Access
  /** 32 bytes, the same in every instance of a deployment. */
  readonly cursorKey: Uint8Array
  readonly logger: Logger
  readonly metrics: Metrics
  /** 0 lets the system choose. */
  readonly port: number
  /** Default: `127.0.0.1`, which is not reachable from other machines. */
  readonly host?: string
  readonly clock?: Clock
  /** Origins whose pages may read answers, exactly as a browser sends them. Default: none, CORS is off. */
  readonly corsOrigins?: readonly string[]
  /** Proxies whose `X-Forwarded-For` is trusted. Default: none. */
  readonly trustedProxies?: BlockList
  /** What the explorer exchanges a one-time code for. Default: nothing, and no code is taken. */
  readonly codeOffer?: CodeOffer | undefined
  readonly deadlineMs?: number
  readonly drainMs?: number
  /** Addresses of Stellar RPC servers, separated by commas, for positions that predate the index, and limits. Default: no RPC is asked. */
  readonly readThrough?: Partial<ReadThroughLimits> & { readonly rpc: string }
  /** Store of the response cache. Default: memory. `scope` identifies the index if several share a store. */
  readonly answers?: { readonly store: AnswerStore; readonly scope: string }
}

export interface StartedApi extends RunningApi {
  /** What `/v1/health` shows, for `/status` on the internal port. */
  health(): Promise<Health>
  /** Whether the read model answers and a ledger is complete. */
  readiness(): Promise<Readiness>
}

/** The part of the deadline that RPC calls may take: an answer without the RPC must still be in time. */
const READ_THROUGH_PART = 4

/** Errors: `invalid`/`port_taken`, `rpc_address_invalid`. The read model, access and store stay open after `stop`: the code that opened them closes them. */
export async function startApi(options: ApiOptions): Promise<StartedApi> {
  const {
    network,
    protocols: shipped = PROTOCOLS,
    readModel,
    access,
    cursorKey,
    logger,
    metrics,
    port,
    host = '127.0.0.1',
    clock = systemClock,
  } = options
  const protocols = protocolsOf(network, shipped)
  const { store, scope } = options.answers ?? { store: memoryStore(), scope: '' }
  const deadlineMs = options.deadlineMs ?? 10_000
  const readThrough = openReadThrough(options, clock, deadlineMs)
  const cache = openResponseCache({ store, scope, stateOf: indexState, metrics, logger })
  const views = openViews(network, shipped)
  const shared = {
    network,
    shipped,
    protocols,
    readModel,
    views,
    clock,
    readThrough,
    cache,
    keptFeeds: openKeptFeeds(),
    keptDays: openKeptDays(),
    cursorKey,
  }
  const streams = openStreams({ readModel, authenticator: access.authenticator, logger, metrics })
  const running = await serve(
    {
      routes: routesOf(shipped),
      managementRoutes,
      streamRoute: streamRoute(shipped),
      streams,
      shared,
      access,
      logger,
      metrics,
      corsOrigins: options.corsOrigins ?? [],
      trustedProxies: options.trustedProxies ?? new BlockList(),
      deadlineMs,
      codeOffer: options.codeOffer,
    },
    { port, host, drainMs: options.drainMs ?? 10_000 },
  )
  const verdict = watchVerdict(readModel, metrics, logger)
  const forgetIndex = reportIndexMetrics({ readModel, clock, metrics })
  return {
    url: running.url,
    health: () =>
      readHealth({ ...shared, call: { tag: { route: '/status', requestId: 'status' }, signal: AbortSignal.timeout(deadlineMs) } }),
    readiness: watchReadiness({ readModel, clock }),
    stop: () => {
      verdict[Symbol.dispose]()
      forgetIndex()
      // Their clients go on at another instance at once; requests would wait for them otherwise.
      streams.close()
      return running.stop()
    },
  }
}

function openReadThrough({ readThrough, ...options }: ApiOptions, clock: Clock, deadlineMs: number): ReadThrough | null {
  if (readThrough === undefined) return null
  const { network, protocols: shipped = PROTOCOLS, readModel, metrics, logger } = options
  const protocols = protocolsOf(network, shipped)
  const { rpc: addresses, ...limits } = readThrough
  const rpc = openRpc({ urls: rpcAddresses(addresses), passphrase: network.passphrase })
  const timeoutMs = deadlineMs / READ_THROUGH_PART
  return new RpcReadThrough({ ...READ_THROUGH_LIMITS, ...limits, rpc, protocols, readModel, timeoutMs, clock, metrics, logger })
}
