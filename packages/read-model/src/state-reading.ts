// Statements that read state, and those that read what newer ledgers changed in it.

import type { ClickHouseSettings } from '@clickhouse/client'
import type { ProtocolId, StateRow } from '@orrery/protocol-kit'
import { mapInPieces, turnOfEventLoop } from '@orrery/service-kit'
import type { ClickHouseConnection } from './connection.ts'
import type { IndexTip } from './index-tip.ts'
import { quarantineSettings } from './quarantine.ts'
import { prioritySettings, type QueryOptions } from './run-query.ts'
import { type ContractChange, MOST_CHANGED_ROWS, type ReadChanges } from './state-changes.ts'
import { NON_ACCOUNT_KEYS } from './state-request.ts'
import { decodeStateRow, type StateCells, stateColumns } from './state-rows.ts'

export interface Reading {
  readonly connection: ClickHouseConnection
  readonly tip: IndexTip
  readonly options: QueryOptions
}

interface Statement {
  readonly query: string
  readonly query_params: { readonly ledger: number; readonly [name: string]: unknown }
  readonly clickhouse_settings?: ClickHouseSettings
}

export async function select(
  { connection, tip, options }: Reading,
  name: string,
  statement: Statement,
  retryForMs?: number,
): Promise<StateRow[]> {
  const { readSettings, sharedContracts } = connection
  const { tag, signal, asOf } = options
  const { ledger } = statement.query_params
  const request = {
    ...statement,
    clickhouse_settings: {
      ...readSettings,
      ...statement.clickhouse_settings,
      ...prioritySettings(options),
      ...quarantineSettings(statement.query, tip, Math.min(ledger, asOf ?? ledger), sharedContracts),
      log_comment: JSON.stringify({ query: name, route: tag.route, request_id: tag.requestId }),
    },
    ...(signal === undefined ? {} : { abort_signal: signal }),
  }
  if (options.yields) await turnOfEventLoop()
  const rows = await connection.attempt(name, () => connection.client.select<StateCells>({ ...request, format: 'JSONCompactEachRow' }), {
    signal,
    tag,
    ...(retryForMs !== undefined && { retryForMs }),
  })
  return await mapInPieces(rows, decodeStateRow)
}

/**
 * `state_latest` has an index of the ledgers in its granules: only those that changed lately are read. A row that is inferred is of the ledger before
 * the one that wrote it.
 */
const CHANGED = `FROM state_latest_v1
  WHERE protocol = {protocol:String} AND adapter_version = {version:UInt16} AND ledger >= {after:UInt32} AND ledger + inferred > {after:UInt32}`
const CHANGES_SQL = `SELECT contract, toUInt32(max(ledger + inferred)) AS last_ledger ${CHANGED}
  GROUP BY contract ORDER BY contract`
const CHANGED_ROWS_SQL = `SELECT ${stateColumns(`if(key >= '${NON_ACCOUNT_KEYS.keyFrom}', value, '') AS value_of_all`)} ${CHANGED}
  ORDER BY contract, key, ledger DESC LIMIT 1 BY contract, key LIMIT ${MOST_CHANGED_ROWS + 1}`
/** A reading that takes longer saves nothing. */
const CHANGES_SECONDS = 2

/** They run for all requests that wait for them: one that is given up does not end them. */
export function changesOf(
  { connection, options: { tag } }: Reading,
  of: { readonly protocol: ProtocolId; readonly version: number },
): ReadChanges {
  const read = async <Row>(after: number, query: string, format: 'JSONEachRow' | 'JSONCompactEachRow'): Promise<Row[]> => {
    const log_comment = JSON.stringify({ query: 'state_changes', route: tag.route, request_id: tag.requestId })
    const clickhouse_settings = { ...connection.readSettings, max_execution_time: CHANGES_SECONDS, log_comment }
    // A server that does not answer at all is waited for no longer either.
    const abort_signal = AbortSignal.timeout(1000 * CHANGES_SECONDS)
    const request = { query, query_params: { ...of, after }, clickhouse_settings, abort_signal, format }
    return connection.attempt('state_changes', () => connection.client.select<Row>(request), { tag, retryForMs: 0 })
  }
  return {
    contracts: (after) => read<ContractChange>(after, CHANGES_SQL, 'JSONEachRow'),
    rows: async (after) => mapInPieces(await read<StateCells>(after, CHANGED_ROWS_SQL, 'JSONCompactEachRow'), decodeStateRow),
  }
}
