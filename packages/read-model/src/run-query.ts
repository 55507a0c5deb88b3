// Runs a query value: checks the parameters, tags the statement, and checks each row.

import { type ClickHouseSettings, TupleParam } from '@clickhouse/client'
import { OrreryError } from '@orrery/errors'
import { mapInPieces, turnOfEventLoop } from '@orrery/service-kit'
import type { z } from 'zod'
import type { ClickHouseConnection, QueryTag } from './connection.ts'
import type { IndexTip } from './index-tip.ts'
import { quarantineSettings } from './quarantine.ts'
import { type Query, statementOf } from './query.ts'

export interface QueryOptions {
  readonly tag: QueryTag
  /**
   * The last ledger that the request asks for: pools of a quarantined partition whose rows are complete up to it are read. Default: the watermark, or
   * the ledger of the state.
   */
  readonly asOf?: number | undefined
  /** The statement is part of a dear answer: it pauses while statements of others run, a little at a time, so that it ends nevertheless. */
  readonly yields?: boolean | undefined
  /** Aborting it cancels the statement on the server and rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined
}

/** All rows of a query. @throws OrreryError `unavailable`/`timeout`, `unavailable`/`read_model_unreachable`, or the signal's reason. */
export type RunQuery = <Params extends z.ZodObject, Row extends z.ZodType>(
  query: Query<Params, Row>,
  params: z.input<Params>,
  options: QueryOptions,
) => Promise<z.output<Row>[]>

/**
 * The engine compares these numbers among the statements that run: one pauses between its blocks while a smaller number runs. Statements of the API have
 * 1 (`YIELDING` 2, those of analysts 3) in the profiles of the engine's users.
 */
const YIELDING: ClickHouseSettings = { priority: '2', low_priority_query_wait_time_ms: '20' }

/** The settings of a statement by its place among others. */
export const prioritySettings = ({ yields = false }: QueryOptions): ClickHouseSettings => (yields ? YIELDING : {})

/** For statements that read no rows of pools. */
const NO_TIP: IndexTip = { adapters: [], ledgers: null }

/** The active pairs as the parameter `{active:Array(Tuple(String, UInt16))}`. */
export function activeParam(tip: IndexTip): TupleParam[] {
  return tip.adapters.map(({ protocol, version }) => new TupleParam([protocol, version]))
}

/** All rows of `query`. For answers of bounded size. */
export async function runQuery<Params extends z.ZodObject, Row extends z.ZodType>(
  connection: ClickHouseConnection,
  query: Query<Params, Row>,
  params: z.input<Params>,
  tip: () => Promise<IndexTip>,
  options: QueryOptions,
): Promise<z.output<Row>[]> {
  const request = await requestOf(connection, query, params, tip, options)
  if (options.yields) await turnOfEventLoop()
  const rows = await connection.attempt(query.name, () => connection.client.select<unknown>({ ...request, format: 'JSONEachRow' }), options)
  return await mapInPieces(rows, (row) => checkedRow(query, row))
}

/** The rows of `query` as they arrive. Leaving the loop early ends the statement. */
export async function* streamQuery<Params extends z.ZodObject, Row extends z.ZodType>(
  connection: ClickHouseConnection,
  query: Query<Params, Row>,
  params: z.input<Params>,
  tip: () => Promise<IndexTip>,
  options: QueryOptions,
): AsyncGenerator<z.output<Row>, void, undefined> {
  const request = await requestOf(connection, query, params, tip, options)
  const result = await connection.attempt(query.name, () => connection.client.query({ ...request, format: 'JSONEachRow' }), options)
  const lines = result.stream<unknown>()[Symbol.asyncIterator]()
  try {
    for (;;) {
      // A stream that breaks is not retried: rows have been passed on already.
      const next = await connection.attempt(query.name, () => lines.next(), { retryForMs: 0, signal: options.signal, isPart: true })
      if (next.done === true) return
      for (const line of next.value) yield checkedRow(query, line.json())
    }
  } finally {
    result.close()
  }
}

async function requestOf(
  connection: ClickHouseConnection,
  query: Query,
  params: unknown,
  tip: () => Promise<IndexTip>,
  options: QueryOptions,
) {
  const { tag, signal, asOf = Number.POSITIVE_INFINITY } = options
  const parsed = query.params.safeParse(params)
  if (!parsed.success)
    throw misuse('query_params_invalid', `The query ${query.name} was called with invalid parameters`, query, parsed.error)
  const isOfIndex = query.watermark === 'required' || query.bound.has('active')
  const now = isOfIndex ? await tip() : NO_TIP
  const filledIn = query.bound.has('active') ? { active: activeParam(now) } : {}
  const { sql, params: sent } = statementOf(query, parsed.data)
  return {
    query: sql,
    query_params: { ...sent, ...filledIn },
    clickhouse_settings: {
      ...connection.readSettings,
      ...query.settings,
      ...prioritySettings(options),
      ...quarantineSettings(sql, now, Math.min(asOf, lastLedgerOf(parsed.data)), connection.sharedContracts),
      log_comment: JSON.stringify({ query: query.name, route: tag.route, request_id: tag.requestId }),
    },
    ...(signal === undefined ? {} : { abort_signal: signal }),
  }
}

/** The last ledger whose rows the statement reads; 0 where no watermark bounds it. */
function lastLedgerOf({ watermark }: Readonly<Record<string, unknown>>): number {
  return typeof watermark === 'number' ? watermark : 0
}

function checkedRow<Row extends z.ZodType>(query: Query<z.ZodObject, Row>, row: unknown): z.output<Row> {
  const parsed = query.row.safeParse(row)
  if (parsed.success) return parsed.data
  throw misuse('query_row_invalid', `The query ${query.name} gave a row that does not have its shape`, query, parsed.error)
}

/** Names the members and the expected types, not the values. */
function misuse(code: string, message: string, query: Query, error: z.ZodError): OrreryError {
  const members = error.issues.map((issue) => `${issue.path.join('.')} (${issue.code})`).join(', ')
  return new OrreryError('bug', code, `${message}: ${members}.`, { context: { query: query.name } })
}
