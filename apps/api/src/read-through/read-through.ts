// Reads positions that predate the index from an RPC: those of accounts that have no row in a pool, because they did nothing since the index began.
// The results are never written, cached for a minute, and limited in keys and calls. If the RPC fails, the answer is given without them, and
// later requests do not wait for the RPC for a while.

import type { Address, ContractId } from '@orrery/ledger'
import type { Network, Protocol, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime, QueryOptions, ReadModel } from '@orrery/read-model'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import { KEYS_AT_ONCE, type Rpc, readContractData } from '@orrery/stellar-rpc'
import { LRUCache } from 'lru-cache'
import { FairBudget } from './fair-budget.ts'
import { PredatingPools } from './predating-pools.ts'
import { type PoolReading, type ReadEntries, readPools } from './read-pools.ts'

const CACHED_MS = 60_000
/** How long an RPC that failed is not asked again, so that answers do not wait for it. */
const BACK_OFF_MS = 10_000
/** Most cached accounts; an account counts once for each protocol. */
const CACHED_ACCOUNTS = 10_000

export interface ReadThroughLimits {
  /** Most entries that one request may read. A request that needs more reads none. */
  readonly keysPerRequest: number
  /** RPC calls per second, of up to 200 entries each, over all requests. Active organizations have equal parts of them. */
  readonly callsPerSecond: number
}

/** Ten calls suffice for an account in a thousand pools; public endpoints allow five calls per second. */
export const READ_THROUGH_LIMITS: ReadThroughLimits = { keysPerRequest: 2_000, callsPerSecond: 5 }

export interface ReadThroughOptions extends ReadThroughLimits {
  readonly rpc: Rpc
  readonly protocols: readonly Protocol<unknown>[]
  readonly readModel: ReadModel
  /** For all RPC calls of a request together. Less than the deadline of the request. */
  readonly timeoutMs: number
  readonly clock: Clock
  readonly metrics: Metrics
  readonly logger: Logger
}

export interface AccountRequest {
  readonly address: Address
  /** Organization of the request: the calls count against its part of the budget. */
  readonly organizationId: string
  /** Protocols whose index begins after their deployment. */
  readonly protocols: readonly ProtocolId[]
  /** Rows of the account in the index: the pools of these rows are not read from the RPC. */
  readonly own: readonly StateRow[]
  readonly at: LedgerTime
  /** The registry as of `at`: the fold of that ledger reads the entries. */
  readonly network: Network
  readonly tag: QueryOptions['tag']
}

export interface AccountReading extends PoolReading {
  readonly protocol: ProtocolId
  readonly pool: ContractId
}

export interface ReadThrough {
  /** Empty if the RPC has no entries or failed. Rows have the ledger `at`. Errors: those of the read model. */
  account(question: AccountRequest): Promise<readonly AccountReading[]>
}

type Readings = ReadonlyMap<ContractId, PoolReading>

interface Cached {
  /** The registry with which the entries were read: another one may give other rows. */
  readonly network: Network
  /** Null: the RPC failed or a limit was reached. */
  readonly readings: Promise<Readings | null>
}

/** The request needs too many entries, or the budget of calls is used up. */
class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

export class RpcReadThrough implements ReadThrough {
  readonly #options: ReadThroughOptions
  readonly #budget: FairBudget
  /** By protocol and account. */
  readonly #cached: LRUCache<string, Cached>
  /** Time of the last failure, unix milliseconds; null: the last reading succeeded. */
  #failedAtMs: number | null = null

  constructor(options: ReadThroughOptions) {
    const { callsPerSecond: perSecond, keysPerRequest, clock } = options
    this.#options = options
    // The capacity suffices for the largest request of a single organization.
    this.#budget = new FairBudget({ capacity: Math.max(perSecond, Math.ceil(keysPerRequest / KEYS_AT_ONCE)), perSecond, clock })
    this.#cached = new LRUCache({ max: CACHED_ACCOUNTS, ttl: CACHED_MS, ttlResolution: 0, perf: { now: () => clock.nowMs() } })
  }

  async account(question: AccountRequest): Promise<readonly AccountReading[]> {
    const { address, protocols, own, at, network } = question
    const isKnown = this.#knownPools(own)
    const cached = protocols.map((protocol) => {
      const one = this.#cached.get(`${protocol} ${address}`)
      return { protocol, readings: one?.network === network ? one.readings : undefined }
    })
    const missing = cached.flatMap(({ protocol, readings }) => (readings === undefined ? protocol : []))
    if (missing.length === 0) this.#options.metrics.apiReadThrough.inc({ outcome: 'kept' })
    const read = missing.length === 0 ? null : this.#read(question, missing, isKnown)
    const found = cached.map(async ({ protocol, readings = read?.get(protocol) }) => {
      // If the account has done something in a pool since the reading, the rows of the index are newer.
      const current = [...((await readings) ?? [])].filter(([pool]) => !isKnown(protocol, pool))
      return current.map(([pool, { rows, asOfLedger }]) => {
        return { protocol, pool, asOfLedger, rows: rows.map((row) => ({ ...row, ledger: at.ledger })) }
      })
    })
    return (await Promise.all(found)).flat()
  }

  /** Starts a reading; all requests that arrive in the meantime share it. */
  #read(question: AccountRequest, protocols: readonly ProtocolId[], isKnown: IsKnown): ReadonlyMap<ProtocolId, Promise<Readings | null>> {
    const reading = this.#outcome(question, protocols, isKnown)
    return new Map(
      protocols.map((protocol) => {
        const key = `${protocol} ${question.address}`
        const ofProtocol = reading.then((readings) => readings?.get(protocol) ?? null)
        this.#cached.set(key, { network: question.network, readings: ofProtocol })
        const forget = (): void => {
          if (this.#cached.peek(key)?.readings === ofProtocol) this.#cached.delete(key)
        }
        // After a failure the next request reads again; an error of the read model is thrown to all waiting requests.
        ofProtocol.then((readings) => readings === null && forget(), forget)
        return [protocol, ofProtocol]
      }),
    )
  }

  async #outcome(
    question: AccountRequest,
    protocols: readonly ProtocolId[],
    isKnown: IsKnown,
  ): Promise<ReadonlyMap<ProtocolId, Readings> | null> {
    const { metrics, readModel } = this.#options
    if (this.#isBackingOff() || !this.#budget.has(question.organizationId, 1)) return this.#limited()
    // Without the signal of the request, because other requests wait for the same reading.
    const pools = await Promise.all(
      this.#options.protocols
        .filter(({ id }) => protocols.includes(id))
        .map((protocol) => PredatingPools.load(protocol, { network: question.network, readModel }, question.at, { tag: question.tag })),
    )
    try {
      const readings = await readPools(
        question.address,
        pools,
        ({ protocol }, pool) => !isKnown(protocol, pool),
        this.#entryReader(question),
      )
      this.#setFailure(null)
      metrics.apiReadThrough.inc({ outcome: 'read' })
      return new Map([...readings].map(([{ protocol }, ofProtocol]) => [protocol, ofProtocol]))
    } catch (error) {
      if (error instanceof LimitReached) return this.#limited()
      metrics.apiReadThrough.inc({ outcome: 'failed' })
      this.#setFailure(error)
      return null // the answer is partial in any case, and better than an error
    }
  }

  #limited(): null {
    this.#options.metrics.apiReadThrough.inc({ outcome: 'limited' })
    return null
  }

  /** Reads entries from the RPC within the limits of one request. */
  #entryReader({ organizationId }: AccountRequest): ReadEntries {
    const { rpc, timeoutMs, keysPerRequest } = this.#options
    const signal = AbortSignal.timeout(timeoutMs)
    let left = keysPerRequest
    return (names) => {
      left -= names.length
      if (left < 0 || !this.#budget.take(organizationId, Math.ceil(names.length / KEYS_AT_ONCE))) throw new LimitReached()
      // No retry: a client is waiting for an answer that is useful without these entries.
      return readContractData(rpc, names, { signal, retryForMs: 0 })
    }
  }

  #knownPools(own: readonly StateRow[]): IsKnown {
    const entries = new Map(this.#options.protocols.map(({ id, accountEntries }) => [id, accountEntries]))
    const known = new Set(own.map((row) => `${row.protocol} ${entries.get(row.protocol)?.poolOf(row)}`))
    return (protocol, pool) => known.has(`${protocol} ${pool}`)
  }

  #isBackingOff(): boolean {
    if (this.#failedAtMs === null) return false
    const sinceMs = this.#options.clock.nowMs() - this.#failedAtMs
    return sinceMs >= 0 && sinceMs < BACK_OFF_MS // a clock that is set back does not prolong it
  }

  /** Remembers and logs the begin and the end of a failure of the RPC. Null: a reading succeeded. */
  #setFailure(error: unknown): void {
    const { logger, rpc, clock } = this.#options
    const wasFailing = this.#failedAtMs !== null
    if (error !== null && !wasFailing)
      logger.warn({ err: error, rpc: rpc.describe }, 'The RPC failed: positions that predate the index are left out')
    if (error === null && wasFailing)
      logger.info({ rpc: rpc.describe }, 'The RPC works again: positions that predate the index are included')
    this.#failedAtMs = error === null ? null : clock.nowMs()
  }
}

type IsKnown = (protocol: ProtocolId, pool: ContractId) => boolean
