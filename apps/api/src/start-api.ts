// The API of one network with all its routes: what `orrery api` and `orrery up` both start.

import { BlockList } from 'node:net'
import type { Network, Protocol } from '@orrery/protocol-kit'
import { PROTOCOLS, protocolsOf } from '@orrery/protocols'
import type { ReadModel } from '@orrery/read-model'
import { type Clock, type Logger, type Metrics, systemClock } from '@orrery/service-kit'
import { openRpc, rpcAddresses } from '@orrery/stellar-rpc'
import type { Access } from './access.ts'
import { managementRoutes } from './management/index.ts'
import { NodeReadThrough, READ_THROUGH_LIMITS, type ReadThrough, type ReadThroughLimits } from './read-through/read-through.ts'
import { type AnswerStore, memoryStore } from './response-cache/answer-store.ts'
import { openResponseCache } from './response-cache/response-cache.ts'
import { indexState } from './routes/basis.ts'
import { routesOf } from './routes/index.ts'
import { type RunningApi, serve } from './serve.ts'
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
  /** `127.0.0.1` unless told otherwise: being reachable from outside is a decision. */
  readonly host?: string
  readonly clock?: Clock
  /** Origins whose pages may read answers, exactly as a browser writes them. None: CORS is off. */
  readonly corsOrigins?: readonly string[]
  /** Whose `X-Forwarded-For` is believed. Nobody's unless told otherwise. */
  readonly trustedProxies?: BlockList
  readonly deadlineMs?: number
  readonly drainMs?: number
  /** Addresses of Stellar RPC, separated by commas, and how much it is asked about accounts that are older than the index. Not given: nobody is. */
  readonly readThrough?: Partial<ReadThroughLimits> & { readonly rpc: string }
  /** Where answers are kept. In memory unless told otherwise; `scope` names the index where several share a store. */
  readonly answers?: { readonly store: AnswerStore; readonly scope: string }
}

/** An answer that has to do without the node must still be in time. */
const READ_THROUGH_PART = 4

/** Errors: `invalid`/`port_taken`, `rpc_address_invalid`. Ports that were handed in stay open after `stop`: who opened them closes them. */
export function startApi(options: ApiOptions): Promise<RunningApi> {
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
  return serve(
    {
      routes: routesOf(shipped),
      managementRoutes,
      shared: { network, shipped, protocols, readModel, views: openViews(network, shipped), clock, readThrough, cache, cursorKey },
      access,
      logger,
      metrics,
      corsOrigins: options.corsOrigins ?? [],
      trustedProxies: options.trustedProxies ?? new BlockList(),
      deadlineMs,
    },
    { port, host, drainMs: options.drainMs ?? 10_000 },
  )
}

function openReadThrough({ readThrough, ...options }: ApiOptions, clock: Clock, deadlineMs: number): ReadThrough | null {
  if (readThrough === undefined) return null
  const { network, protocols: shipped = PROTOCOLS, readModel, metrics, logger } = options
  const protocols = protocolsOf(network, shipped)
  const { rpc: addresses, ...limits } = readThrough
  const rpc = openRpc({ urls: rpcAddresses(addresses), passphrase: network.passphrase })
  const timeoutMs = deadlineMs / READ_THROUGH_PART
  return new NodeReadThrough({ ...READ_THROUGH_LIMITS, ...limits, rpc, protocols, readModel, timeoutMs, clock, metrics, logger })
}
