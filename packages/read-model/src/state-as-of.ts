// State as of a ledger. Most entries' newest row is old enough already: one statement reads these from `state_latest`, and one more
// the few entries that have changed since. Neither depends on the other having seen the same moment, so rows that arrive between the
// two change nothing.

import type { StateRow } from '@orrery/protocol-kit'
import type { ClickHouseConnection } from './connection.ts'
import type { IndexTip } from './index-tip.ts'
import type { OwnerStateQuestion, StateQuestion } from './read-model.ts'
import { activeParam, type QueryOptions } from './run-query.ts'
import { decodeStateRow, parameterChunks, type StateCells, standsAt, stateColumns, stateOfKeys } from './state-rows.ts'

/** Newest rows of the entries asked for, without their value where they are newer than the ledger. */
function latest({ protocol, contracts, keyFrom, keys, ledger }: StateQuestion, version: number) {
  const query = `SELECT ${stateColumns("if(ledger > {ledger:UInt32}, '', value) AS value_then")} FROM state_latest_v1
    WHERE protocol = {protocol:String} AND contract IN {contracts:Array(String)} AND adapter_version = {version:UInt16}
      ${keyFrom === undefined ? '' : 'AND key >= {keyFrom:String}'} ${keys === undefined ? '' : 'AND key IN {keys:Array(String)}'}
    ORDER BY contract, key, ledger DESC LIMIT 1 BY contract, key`
  const optional = { ...(keyFrom === undefined ? {} : { keyFrom }), ...(keys === undefined ? {} : { keys }) }
  return { query, query_params: { protocol, contracts, ledger, version, ...optional } }
}

export async function readState(
  connection: ClickHouseConnection,
  tip: IndexTip,
  question: StateQuestion,
  options: QueryOptions,
): Promise<StateRow[]> {
  const version = tip.adapters.find(({ protocol }) => protocol === question.protocol)?.version
  if (version === undefined || question.contracts.length === 0) return []
  const { ledger } = question
  const newest: StateRow[] = []
  for (const contracts of parameterChunks(question.contracts, (contract) => contract)) {
    newest.push(...(await select(connection, 'state_latest', latest({ ...question, contracts }, version), options)))
  }
  const earlier: StateRow[] = []
  const changedSince = newest.filter((row) => row.ledger > ledger)
  for (const statement of stateOfKeys(question.protocol, version, ledger, changedSince)) {
    earlier.push(...(await select(connection, 'state_of_keys', statement, options)))
  }
  const rows = [...newest.filter((row) => row.ledger <= ledger), ...earlier].filter((row) => standsAt(row, ledger))
  return rows.sort(byContractAndKey)
}

const OWNER_STATE_SQL = `SELECT ${stateColumns()} FROM state_by_owner_v1
  WHERE owner = {owner:String} AND protocol IN {protocols:Array(String)} AND ledger <= {ledger:UInt32}
    AND (protocol, adapter_version) IN {active:Array(Tuple(String, UInt16))}
  ORDER BY protocol, contract, key, ledger DESC LIMIT 1 BY protocol, contract, key`

/** Reads what ever changed of the account: bounded by what the account did, not by the index. */
export async function readOwnerState(
  connection: ClickHouseConnection,
  tip: IndexTip,
  { owner, protocol, ledger }: OwnerStateQuestion,
  options: QueryOptions,
): Promise<StateRow[]> {
  const protocols = protocol === undefined ? tip.adapters.map((adapter) => adapter.protocol) : [protocol]
  const query_params = { owner, protocols, ledger, active: activeParam(tip) }
  const rows = await select(connection, 'owner_state', { query: OWNER_STATE_SQL, query_params }, options)
  return rows.filter((row) => standsAt(row, ledger))
}

async function select(
  connection: ClickHouseConnection,
  name: string,
  statement: { readonly query: string; readonly query_params: Record<string, unknown> },
  { tag, signal }: QueryOptions,
): Promise<StateRow[]> {
  const request = {
    ...statement,
    clickhouse_settings: { log_comment: JSON.stringify({ query: name, route: tag.route, request_id: tag.requestId }) },
    ...(signal === undefined ? {} : { abort_signal: signal }),
  }
  const rows = await connection.attempt(
    name,
    async () => (await connection.client.query({ ...request, format: 'JSONCompactEachRow' })).json<StateCells>(),
    { signal },
  )
  return rows.map(decodeStateRow)
}

function byContractAndKey(a: StateRow, b: StateRow): number {
  if (a.contract !== b.contract) return a.contract < b.contract ? -1 : 1
  return a.key < b.key ? -1 : 1
}
