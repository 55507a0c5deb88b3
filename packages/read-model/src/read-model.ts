// The reading side: named queries, how far the index is, and state as of a ledger. What a reader sees is of the active adapter versions.

import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import type { z } from 'zod'
import { CommonState } from './common-state.ts'
import { type ClickHouseConnection, readSettings } from './connection.ts'
import { type IndexTip, type LedgerTime, readTip, remembered, watermarkOf } from './index-tip.ts'
import { openLedgerTimes } from './ledger-times.ts'
import type { Query } from './query.ts'
import { type QueryOptions, runQuery, streamQuery } from './run-query.ts'
import { readOwnerState, readState } from './state-as-of.ts'
import type { OwnerStateQuestion, StateQuestion } from './state-question.ts'

export interface ReadModel extends AsyncDisposable {
  /** All rows of a query. @throws OrreryError `unavailable`/`timeout`, `unavailable`/`read_model_unreachable`, or the signal's reason. */
  query<Params extends z.ZodObject, Row extends z.ZodType>(
    query: Query<Params, Row>,
    params: z.input<Params>,
    options: QueryOptions,
  ): Promise<z.output<Row>[]>
  /** The rows of a query as they arrive, for answers without a bound. */
  stream<Params extends z.ZodObject, Row extends z.ZodType>(
    query: Query<Params, Row>,
    params: z.input<Params>,
    options: QueryOptions,
  ): AsyncIterable<z.output<Row>>
  /** Active adapters with their checkpoints, at most a quarter of a second old. */
  tip(): Promise<IndexTip>
  /** The ledger up to which everything of `protocols` (default: all) is written, and its close time. 0 before the first. */
  watermark(protocols?: readonly ProtocolId[]): Promise<LedgerTime>
  /** Newest row at or before the ledger of every entry asked for, without removed and expired ones. Ordered by contract and key. */
  stateAsOf(question: StateQuestion, options: QueryOptions): Promise<StateRow[]>
  /** The same for everything that belongs to an account. Ordered by protocol, contract and key. */
  ownerStateAsOf(question: OwnerStateQuestion, options: QueryOptions): Promise<StateRow[]>
  /** The last ledger that closed at or before `closeTimeSeconds`; null when the index begins later. */
  ledgerAtOrBefore(closeTimeSeconds: number, options: QueryOptions): Promise<LedgerTime | null>
  /** Close time of the newest indexed ledger at or before `ledger`, unix seconds; null when the index begins later. */
  closeTimeOf(ledger: number, options: QueryOptions): Promise<number | null>
  /** Whether the engine answers. Never throws. */
  answers(): Promise<boolean>
}

export interface ReadModelOptions {
  /** How long a tip is believed. Default 250 ms. */
  readonly tipForMs?: number
  /** The longest that one statement may run, seconds. Default 10. */
  readonly statementSeconds?: number
  /** The most memory that one statement may take, bytes. Default 1 GiB. A user that may take less must be given less. */
  readonly statementBytes?: number
}

/** A reader waits for an answer: an engine that is away is told within its deadline. A writer can wait longer. */
const RETRY_FOR_MS = 1_000

/** A read model on the connection `own`, whose user only needs to read. Closing it closes the connection. */
export function openReadModel(
  own: ClickHouseConnection,
  { tipForMs = 250, statementSeconds = 10, statementBytes = 1024 ** 3 }: ReadModelOptions = {},
): ReadModel {
  const connection: ClickHouseConnection = {
    ...own,
    readSettings: readSettings(statementSeconds, statementBytes),
    attempt: (name, work, options) => own.attempt(name, work, { retryForMs: RETRY_FOR_MS, ...options }),
  }
  const tip = remembered(() => readTip(connection), tipForMs)
  const ledgerTimes = openLedgerTimes(connection, tip)
  const common = new CommonState()
  return {
    query: (query, params, options) => runQuery(connection, query, params, tip, options),
    stream: (query, params, options) => streamQuery(connection, query, params, tip, options),
    tip,
    watermark: async (protocols) => watermarkOf(await tip(), protocols),
    stateAsOf: async (question, options) => readState(connection, await tip(), common, question, options),
    ownerStateAsOf: async (question, options) => readOwnerState(connection, await tip(), question, options),
    ledgerAtOrBefore: ledgerTimes.atOrBefore,
    closeTimeOf: ledgerTimes.closeTimeOf,
    answers: async () => (await connection.client.ping({ select: true })).success,
    [Symbol.asyncDispose]: () => connection.close(),
  }
}
