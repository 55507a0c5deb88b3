// The reading side: named queries, the tip of the index, and state as of a ledger. Readers see only the active adapter versions.

import { isDeepStrictEqual } from 'node:util'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { z } from 'zod'
import { type ClickHouseConnection, type QueryTag, readSettings, type SharedContracts } from './connection.ts'
import { cachedFor, type IndexTip, type LedgerTime, readTip, watermarkOf, withoutSteppingBack } from './index-tip.ts'
import { openLedgerTimes } from './ledger-times.ts'
import { readOwnerState } from './owner-state.ts'
import { OwnerStateCache } from './owner-state-cache.ts'
import { readPartitionHealth } from './partition-health.ts'
import type { PartitionHealth } from './partition-status.ts'
import type { Query } from './query.ts'
import { type QueryOptions, type RunQuery, runQuery, streamQuery } from './run-query.ts'
import { readState } from './state-as-of.ts'
import { StateCache } from './state-cache.ts'
import type { OwnerStateRequest, StateRequest } from './state-request.ts'
import { WholeReads } from './whole-reads.ts'

export interface ReadModel extends AsyncDisposable {
  readonly query: RunQuery
  /** The rows of a query as they arrive, for answers without a bound. */
  stream<Params extends z.ZodObject, Row extends z.ZodType>(
    query: Query<Params, Row>,
    params: z.input<Params>,
    options: QueryOptions,
  ): AsyncIterable<z.output<Row>>
  /** Active adapters with their checkpoints, at most a quarter of a second old. The same object until they change: what depends on it can be kept with it. */
  tip(): Promise<IndexTip>
  /**
   * The last report of each partition of the active adapters, in the order of protocols and partitions: at most a second old, of reports that are
   * written every five.
   */
  partitionHealth(): Promise<readonly PartitionHealth[]>
  /** The next question reads the tip and the reports again: for a caller that knows of newer ones. */
  forgetTip(): void
  /** The ledger up to which everything of `protocols` (default: all) is written, and its close time. 0 before the first. */
  watermark(protocols?: readonly ProtocolId[]): Promise<LedgerTime>
  /** Newest row at or before the ledger of every requested entry, without removed and expired ones. Ordered by contract and key. */
  stateAsOf(request: StateRequest, options: QueryOptions): Promise<StateRow[]>
  /** The same for all entries of some accounts. Ordered by account, protocol, contract and key. */
  ownerStateAsOf(request: OwnerStateRequest, options: QueryOptions): Promise<StateRow[]>
  /** The last ledger that closed at or before `closeTimeSeconds`; null when the index begins later. */
  ledgerAtOrBefore(closeTimeSeconds: number, options: QueryOptions): Promise<LedgerTime | null>
  /** Close time of the newest indexed ledger at or before `ledger`, unix seconds; null when the index begins later. */
  closeTimeOf(ledger: number, options: QueryOptions): Promise<number | null>
  /** Whether the engine answers. Never throws. */
  answers(): Promise<boolean>
}

/** A statement that took long, with the waiting for its turn and for an engine that did not answer. */
export interface SlowStatement {
  readonly statement: string
  readonly seconds: number
  /** Of the request for which it ran; null of one that serves all requests. */
  readonly tag: QueryTag | null
  /** False where it failed, or its request was cancelled. */
  readonly succeeded: boolean
}

export interface ReadModelOptions {
  /** How long a tip is cached, and a fourth of how long reports of partitions are, up to a second. Default 250 ms. */
  readonly tipForMs?: number
  /** The longest that one statement may run, seconds. Default 10. */
  readonly statementSeconds?: number
  /** The most memory that one statement may take, bytes. Default 1 GiB. It must not exceed the limit of the user. */
  readonly statementBytes?: number
  /** Called for each statement that took at least `fromMs`. Default: for none. */
  readonly slow?: { readonly fromMs: number; readonly report: (statement: SlowStatement) => void }
  /**
   * State that requests have in common is read for all contracts of a protocol at once, in the background: for a process of many requests. Answers are the same.
   * Default: false.
   */
  readonly readsWholeState?: boolean
  /** What answers need of a protocol with a quarantined partition all the same. Default: nothing of the partition. */
  readonly sharedContracts?: SharedContracts
}

/** Requests share what is read with it. */
const OF_ALL_REQUESTS = { route: 'every route', requestId: '' }
/** A reader waits for an answer: the error of an unreachable engine comes within its deadline. A writer can wait longer. */
const RETRY_FOR_MS = 1_000
/** Reports of partitions are written every five seconds. */
const REPORTS_FOR_MS = 1_000

/** A read model on the connection `own`, whose user only needs to read. Closing it closes the connection. */
export function openReadModel(
  own: ClickHouseConnection,
  {
    tipForMs = 250,
    statementSeconds = 10,
    statementBytes = 1024 ** 3,
    slow,
    sharedContracts,
    readsWholeState = false,
  }: ReadModelOptions = {},
): ReadModel {
  const connection: ClickHouseConnection = {
    ...own,
    readSettings: readSettings(statementSeconds, statementBytes),
    ...(sharedContracts !== undefined && { sharedContracts }),
    attempt: (name, work, options) =>
      timed(slow, name, options?.tag ?? null, () => own.attempt(name, work, { retryForMs: RETRY_FOR_MS, ...options })),
  }
  let seen: IndexTip | undefined
  const tip = cachedFor(async () => {
    const read = withoutSteppingBack(await readTip(connection), seen)
    if (!isDeepStrictEqual(read, seen)) seen = read
    return seen ?? read
  }, tipForMs)
  const ledgerTimes = openLedgerTimes(connection, tip)
  const stateCache = new StateCache()
  const ownerCaches = { owners: new OwnerStateCache(), changes: stateCache.changes }
  const wholeReads = readsWholeState ? new WholeReads() : undefined
  const query: RunQuery = (query, params, options) => runQuery(connection, query, params, tip, options)
  const partitionHealth = cachedFor(() => readPartitionHealth({ query }, { tag: OF_ALL_REQUESTS }), Math.min(4 * tipForMs, REPORTS_FOR_MS))
  return {
    query,
    stream: (query, params, options) => streamQuery(connection, query, params, tip, options),
    tip,
    partitionHealth,
    forgetTip: () => {
      if (seen !== undefined) seen = { ...seen }
      for (const cached of [tip, partitionHealth]) cached.forget()
    },
    watermark: async (protocols) => watermarkOf(await tip(), protocols),
    stateAsOf: async (request, options) => readState(connection, await tip(), stateCache, request, options, wholeReads),
    ownerStateAsOf: async (request, options) => readOwnerState({ connection, tip: await tip(), options }, ownerCaches, request),
    ledgerAtOrBefore: ledgerTimes.atOrBefore,
    closeTimeOf: ledgerTimes.closeTimeOf,
    answers: async () => (await connection.client.ping({ select: true })).success,
    [Symbol.asyncDispose]: () => {
      wholeReads?.close()
      return connection.close()
    },
  }
}

async function timed<T>(slow: ReadModelOptions['slow'], statement: string, tag: QueryTag | null, run: () => Promise<T>): Promise<T> {
  if (slow === undefined) return run()
  const startedMs = performance.now()
  let succeeded = false
  try {
    const result = await run()
    succeeded = true
    return result
  } finally {
    const seconds = (performance.now() - startedMs) / 1000
    if (seconds * 1000 >= slow.fromMs) slow.report({ statement, seconds, tag, succeeded })
  }
}
