// Maps a failed statement to an OrreryError by the server's error code, never by its message.
// The server's message may quote a row, so it stays in a property that neither logs nor JSON show.

import { ClickHouseError } from '@clickhouse/client'
import { type ErrorContext, OrreryError, reasonOf } from '@orrery/errors'

/** Temporary error codes of the server: overload, network, a full disk, an absent shard or replica, a statement killed by a stop. */
const PASSING = new Set([
  '3', // UNEXPECTED_END_OF_FILE
  '32', // ATTEMPT_TO_READ_AFTER_EOF: the connection to another server of its cluster ended while the statement ran
  '198', // DNS_ERROR
  '202', // TOO_MANY_SIMULTANEOUS_QUERIES
  '209', // SOCKET_TIMEOUT
  '210', // NETWORK_ERROR
  '236', // ABORTED
  '241', // MEMORY_LIMIT_EXCEEDED
  '242', // TABLE_IS_READ_ONLY
  '243', // NOT_ENOUGH_SPACE
  '252', // TOO_MANY_PARTS
  '279', // ALL_CONNECTION_TRIES_FAILED
  '285', // TOO_FEW_LIVE_REPLICAS
  '286', // UNSATISFIED_QUORUM_FOR_PREVIOUS_WRITE
  '289', // REPLICA_IS_NOT_IN_QUORUM
  '319', // UNKNOWN_STATUS_OF_INSERT
  '394', // QUERY_WAS_CANCELLED
  '425', // SYSTEM_ERROR
  '439', // CANNOT_SCHEDULE_TASK
  '745', // SERVER_OVERLOADED
  '999', // KEEPER_EXCEPTION
])
/** NETWORK_ERROR, ALL_CONNECTION_TRIES_FAILED: the server that was asked cannot reach another one of its cluster. */
const OTHER_SERVER_AWAY = new Set(['210', '279'])
const TOO_SLOW = new Set(['159', '160']) // TIMEOUT_EXCEEDED, TOO_SLOW
const REFUSED = new Set(['192', '193', '194', '516']) // UNKNOWN_USER, WRONG_PASSWORD, REQUIRED_PASSWORD, AUTHENTICATION_FAILED
const DENIED = '497' // ACCESS_DENIED
const OVER_READ_LIMIT = '158' // TOO_MANY_ROWS
const MISSING = new Set(['60', '81']) // UNKNOWN_TABLE, UNKNOWN_DATABASE

/** The server's message of `error`, for developers: it may quote data. '' when there is none. */
export function serverText(error: unknown): string {
  const text = (error as { serverText?: unknown } | null)?.serverText
  return typeof text === 'string' ? text : ''
}

/** The server refused to read more rows than the statement's own `max_rows_to_read`. */
export function isOverReadLimit(error: unknown): boolean {
  return error instanceof OrreryError && error.context.serverCode === OVER_READ_LIMIT
}

/** Turns an error of the client into an OrreryError. `context` names the statement. */
export function classify(error: unknown, where: string, context: ErrorContext = {}): OrreryError {
  if (error instanceof OrreryError) return error
  const code = String((error as { code?: unknown } | null)?.code ?? '')
  const reason = reasonOf(error)
  if (error instanceof ClickHouseError) return withServerText(ofServer(error, code, where, context), reason)
  // Network errors without a code are the client's own timeout, and a refusal whose text did not come: the server began it, and closed the connection of a
  // client that was suspended while it sent rows.
  if (code !== '' || reason === 'Timeout error.' || reason === '') return ofNetwork(code, where, context)
  const text = 'The ClickHouse client failed in a way that neither the network nor a statement explains.'
  return withServerText(new OrreryError('bug', 'read_model_statement_failed', text, { context }), reason)
}

function withServerText(error: OrreryError, text: string): OrreryError {
  return Object.defineProperty(error, 'serverText', { value: text, enumerable: false })
}

function ofServer(error: ClickHouseError, code: string, where: string, context: ErrorContext): OrreryError {
  const facts = { ...context, serverCode: code, serverType: error.type }
  const reason = `${error.type ?? 'error'} (${code})`
  if (TOO_SLOW.has(code)) {
    return new OrreryError('unavailable', 'timeout', 'The query exceeded its time limit. Request less data, or try again.', {
      context: facts,
    })
  }
  if (OTHER_SERVER_AWAY.has(code)) {
    const text = `ClickHouse at ${where} cannot reach another server that the statement needs: ${reason}. What was written is safe, and nothing is answered without it. Start the server of that shard, or check the network between the servers.`
    return new OrreryError('unavailable', 'read_model_unreachable', text, { context: facts })
  }
  if (PASSING.has(code)) {
    return new OrreryError(
      'unavailable',
      'read_model_unreachable',
      `ClickHouse at ${where} cannot run this statement at the moment: ${reason}. Nothing is lost.`,
      {
        context: facts,
      },
    )
  }
  if (REFUSED.has(code)) {
    return new OrreryError(
      'unavailable',
      'read_model_refused',
      `ClickHouse at ${where} refused the user or its password. What was written is safe. Check both.`,
      {
        context: facts,
      },
    )
  }
  if (code === DENIED) {
    const needs = 'To migrate it has to make tables, an adapter inserts and selects, the API selects'
    const text = `ClickHouse at ${where} does not let this user do that: ${reason}. What was written is safe. ${needs}. Name another user, or grant it what it lacks.`
    return new OrreryError('unavailable', 'read_model_refused', text, { context: facts })
  }
  if (MISSING.has(code)) {
    return new OrreryError(
      'bug',
      'read_model_not_migrated',
      `ClickHouse at ${where} lacks a table or the database: ${reason}. Run \`orrery migrate\`.`,
      { context: facts },
    )
  }
  return new OrreryError('bug', 'read_model_statement_failed', `ClickHouse refused a statement: ${reason}.`, { context: facts })
}

// Every other error is a connection that failed, broke or timed out.
function ofNetwork(code: string, where: string, context: ErrorContext): OrreryError {
  const why = code === '' ? 'no whole answer in time' : code
  return new OrreryError(
    'unavailable',
    'read_model_unreachable',
    `Cannot reach ClickHouse at ${where} (${why}). What was written is safe. Start it, or check its address.`,
    {
      context: { ...context, networkCode: why },
    },
  )
}
