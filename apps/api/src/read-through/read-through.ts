// What a node says of accounts in pools that are older than the index, where the index has no row of the account: it did nothing since.
// Never written, kept for a minute, and limited in keys and calls. Whatever goes wrong, the answer is the one without it, and who asks next does
// not wait for the same trouble.

import type { Address, ContractId } from '@orrery/ledger'
import type { Network, Protocol, ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { LedgerTime, QueryOptions, ReadModel } from '@orrery/read-model'
import type { Clock, Logger, Metrics } from '@orrery/service-kit'
import { KEYS_AT_ONCE, type Rpc, readContractData } from '@orrery/stellar-rpc'
import { LRUCache } from 'lru-cache'
import { type Ask, askNode, type PoolReading } from './ask-node.ts'
import { FairBudget } from './fair-budget.ts'
import { OlderPools } from './older-pools.ts'

const KEPT_MS = 60_000
/** A node that could not be asked is left alone for so long: an answer that has to do without it should not wait for it as well. */
const REST_MS = 10_000
/** Accounts, once for each protocol. */
const KEPT_ACCOUNTS = 10_000

export interface ReadThroughLimits {
  /** Entries that one request may ask for. What needs more is not read. */
  readonly keysPerRequest: number
  /** Calls of up to 200 entries, of all requests together. Organizations that ask have equal parts of them. */
  readonly callsPerSecond: number
}

/** Ten calls for an account in a thousand pools, and no more than what a public endpoint bears. */
export const READ_THROUGH_LIMITS: ReadThroughLimits = { keysPerRequest: 2_000, callsPerSecond: 5 }

export interface ReadThroughOptions extends ReadThroughLimits {
  readonly rpc: Rpc
  readonly protocols: readonly Protocol<unknown>[]
  readonly readModel: ReadModel
  /** For all calls of a request together. Less than the request may take. */
  readonly timeoutMs: number
  readonly clock: Clock
  readonly metrics: Metrics
  readonly logger: Logger
}

export interface AccountQuestion {
  readonly address: Address
  /** Who asks: its part of the calls is used. */
  readonly organizationId: string
  /** Those whose index begins late. */
  readonly protocols: readonly ProtocolId[]
  /** What the index has of the account: pools of these rows are not asked about. */
  readonly own: readonly StateRow[]
  readonly at: LedgerTime
  /** The registry as of `at`: entries are read as the fold of that ledger reads them. */
  readonly network: Network
  readonly tag: QueryOptions['tag']
}

export interface AccountReading extends PoolReading {
  readonly protocol: ProtocolId
  readonly pool: ContractId
}

export interface ReadThrough {
  /** Nothing where the node has nothing, and where it could not be asked. Rows are of the ledger `at`. Errors: those of the read model. */
  account(question: AccountQuestion): Promise<readonly AccountReading[]>
}

type Readings = ReadonlyMap<ContractId, PoolReading>

interface Kept {
  /** The registry that entries were read with: another one may read them otherwise. */
  readonly network: Network
  /** Null: the node could not be asked. */
  readonly readings: Promise<Readings | null>
}

/** More was needed than is allowed, or too much is asked for by all. */
class LimitReached extends Error {
  override readonly name = 'LimitReached'
}

export class NodeReadThrough implements ReadThrough {
  readonly #options: ReadThroughOptions
  readonly #budget: FairBudget
  /** By protocol and account. */
  readonly #kept: LRUCache<string, Kept>
  /** Unix milliseconds; null: the last reading went well. */
  #failedAtMs: number | null = null

  constructor(options: ReadThroughOptions) {
    const { callsPerSecond: perSecond, keysPerRequest, clock } = options
    this.#options = options
    // The largest request must pass when nobody else asks.
    this.#budget = new FairBudget({ capacity: Math.max(perSecond, Math.ceil(keysPerRequest / KEYS_AT_ONCE)), perSecond, clock })
    this.#kept = new LRUCache({ max: KEPT_ACCOUNTS, ttl: KEPT_MS, ttlResolution: 0, perf: { now: () => clock.nowMs() } })
  }

  async account(question: AccountQuestion): Promise<readonly AccountReading[]> {
    const { address, protocols, own, at, network } = question
    const isKnown = this.#knownPools(own)
    const kept = protocols.map((protocol) => {
      const one = this.#kept.get(`${protocol} ${address}`)
      return { protocol, readings: one?.network === network ? one.readings : undefined }
    })
    const missing = kept.flatMap(({ protocol, readings }) => (readings === undefined ? protocol : []))
    if (missing.length === 0) this.#options.metrics.apiReadThrough.inc({ outcome: 'kept' })
    const read = missing.length === 0 ? null : this.#read(question, missing, isKnown)
    const found = kept.map(async ({ protocol, readings = read?.get(protocol) }) => {
      // It did something since it was read: the index knows more.
      const older = [...((await readings) ?? [])].filter(([pool]) => !isKnown(protocol, pool))
      return older.map(([pool, { rows, asOfLedger }]) => {
        return { protocol, pool, asOfLedger, rows: rows.map((row) => ({ ...row, ledger: at.ledger })) }
      })
    })
    return (await Promise.all(found)).flat()
  }

  /** Begins to read, once for everybody who asks in the meantime. */
  #read(question: AccountQuestion, protocols: readonly ProtocolId[], isKnown: IsKnown): ReadonlyMap<ProtocolId, Promise<Readings | null>> {
    const reading = this.#outcome(question, protocols, isKnown)
    return new Map(
      protocols.map((protocol) => {
        const key = `${protocol} ${question.address}`
        const ofProtocol = reading.then((readings) => readings?.get(protocol) ?? null)
        this.#kept.set(key, { network: question.network, readings: ofProtocol })
        const forget = (): void => {
          if (this.#kept.peek(key)?.readings === ofProtocol) this.#kept.delete(key)
        }
        // What could not be asked is asked again by the next; a failure of the read model is thrown to everybody who waits.
        ofProtocol.then((readings) => readings === null && forget(), forget)
        return [protocol, ofProtocol]
      }),
    )
  }

  async #outcome(
    question: AccountQuestion,
    protocols: readonly ProtocolId[],
    isKnown: IsKnown,
  ): Promise<ReadonlyMap<ProtocolId, Readings> | null> {
    const { metrics, readModel } = this.#options
    if (this.#isResting() || !this.#budget.has(question.organizationId, 1)) return this.#limited()
    // Without a signal of a request: who asked first may leave, and the others still wait.
    const older = await Promise.all(
      this.#options.protocols
        .filter(({ id }) => protocols.includes(id))
        .map((protocol) => OlderPools.load(protocol, { network: question.network, readModel }, question.at, { tag: question.tag })),
    )
    try {
      const readings = await askNode(question.address, older, ({ protocol }, pool) => !isKnown(protocol, pool), this.#ask(question))
      this.#tellWhetherItFails(null)
      metrics.apiReadThrough.inc({ outcome: 'read' })
      return new Map([...readings].map(([{ protocol }, ofProtocol]) => [protocol, ofProtocol]))
    } catch (error) {
      if (error instanceof LimitReached) return this.#limited()
      metrics.apiReadThrough.inc({ outcome: 'failed' })
      this.#tellWhetherItFails(error)
      return null // the answer is partial in any case, and it is better than none
    }
  }

  #limited(): null {
    this.#options.metrics.apiReadThrough.inc({ outcome: 'limited' })
    return null
  }

  /** Asks within the limits of one request. */
  #ask({ organizationId }: AccountQuestion): Ask {
    const { rpc, timeoutMs, keysPerRequest } = this.#options
    const signal = AbortSignal.timeout(timeoutMs)
    let left = keysPerRequest
    return (names) => {
      left -= names.length
      if (left < 0 || !this.#budget.take(organizationId, Math.ceil(names.length / KEYS_AT_ONCE))) throw new LimitReached()
      // No second attempt at the same endpoint: somebody is waiting for an answer that does not need this.
      return readContractData(rpc, names, { signal, retryForMs: 0 })
    }
  }

  #knownPools(own: readonly StateRow[]): IsKnown {
    const entries = new Map(this.#options.protocols.map(({ id, accountEntries }) => [id, accountEntries]))
    const known = new Set(own.map((row) => `${row.protocol} ${entries.get(row.protocol)?.poolOf(row)}`))
    return (protocol, pool) => known.has(`${protocol} ${pool}`)
  }

  #isResting(): boolean {
    if (this.#failedAtMs === null) return false
    const sinceMs = this.#options.clock.nowMs() - this.#failedAtMs
    return sinceMs >= 0 && sinceMs < REST_MS // a clock that was set back makes it no longer
  }

  #tellWhetherItFails(error: unknown): void {
    const { logger, rpc, clock } = this.#options
    const wasFailing = this.#failedAtMs !== null
    if (error !== null && !wasFailing)
      logger.warn({ err: error, rpc: rpc.describe }, 'Positions that are older than the index are left out: the RPC cannot be asked')
    if (error === null && wasFailing) logger.info({ rpc: rpc.describe }, 'Positions that are older than the index are read again')
    this.#failedAtMs = error === null ? null : clock.nowMs()
  }
}

type IsKnown = (protocol: ProtocolId, pool: ContractId) => boolean
