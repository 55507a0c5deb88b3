// PostgreSQL behind kysely's dialect: a pool of connections with typed errors, and bigint columns as numbers.

import { OrreryError, reasonOf } from '@orrery/errors'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { DatabaseError, Pool, types } from 'pg'

/** Of one process. Statements are short; PostgreSQL allows 100 connections by default. */
const CONNECTIONS = 10
/** The longest statement reads one organization's rows. A request is given up after 10 s: the three together are less. */
const WAITS = {
  connectMs: 3_000,
  /** The server's own end of a statement. */
  statementMs: 5_000,
  /** The client's own timeout beyond that: behind a broken network the server's does not arrive, and TCP alone would wait for 15 minutes. */
  graceMs: 500,
} as const
const INT8 = types.builtins.INT8

/**
 * States that time or the operator resolves: connection (08), resources (53), the server's disk (58), shutdown and recovery (57P), a lost race
 * (40), a standby that only reads (25006), a lock or statement that took too long (55P03, 57014).
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const PASSING = /^(08|53|58|57P|40)|^(25006|55P03|57014)$/
/** States that the operator must resolve: login (28), database name (3D000), privileges (42501). */
const REFUSED = /^28|^(3D000|42501)$/

/** Connects when it is first asked. Errors: `unavailable`/`identity_unreachable`, `invalid`/`identity_refused`. */
export function openPostgresPool(
  url: string,
  { connectMs, statementMs, graceMs }: Readonly<Record<keyof typeof WAITS, number>> = WAITS,
): PostgresPool {
  const place = placeOf(url)
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: connectMs,
    statement_timeout: statementMs,
    query_timeout: statementMs + graceMs,
    application_name: 'orrery',
    // bigint columns hold milliseconds, which a number holds exactly for 285,000 years.
    types: { getTypeParser: (oid, format) => (oid === INT8 ? Number : types.getTypeParser(oid, format)) },
  })
  // A connection that breaks while idle. The pool drops it; the next query opens another one or fails with the cause.
  pool.on('error', () => undefined)
  // One that breaks in use reports it twice: to the query, and as an event that ends the process without a listener.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return {
    options: {},
    end: () => pool.end(),
    async connect() {
      const client = await classified(place, () => pool.connect())
      // Kysely queries with text and parameters. Its cursors, for streams, are not used here.
      let isSilent = false
      const query = (sql: string, parameters: unknown[]) =>
        classified(place, () =>
          client.query(sql, parameters).catch((cause: unknown) => {
            isSilent ||= !(cause instanceof DatabaseError)
            throw cause
          }),
        )
      // A connection that timed out is not reused: the next statement would wait behind the one that was given up.
      const release = (destroy?: boolean) => client.release(destroy === true || isSilent)
      return { query: query as unknown as PostgresPoolClient['query'], release }
    },
  }
}

async function classified<T>(place: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (cause) {
    // Without a state the server never answered: the network, the name, the pool's own timeout.
    const state = cause instanceof DatabaseError ? (cause.code ?? '') : '08000'
    if (PASSING.test(state)) throw unreachable(place, cause)
    if (REFUSED.test(state)) throw refused(place, cause)
    throw cause
  }
}

function unreachable(place: string, cause: unknown): OrreryError {
  const message = `The database of organizations and keys at ${place} cannot be used at the moment (${reasonOf(cause)}). A change that was under way was made completely or not at all: check before you repeat it.\nCheck that it runs and can be reached from here.`
  return new OrreryError('unavailable', 'identity_unreachable', message, { cause, context: { place } })
}

function refused(place: string, cause: unknown): OrreryError {
  const message = `The database of organizations and keys at ${place} refuses the connection (${reasonOf(cause)}). Nothing was changed.\nCheck the user, the password and the name of the database in ORRERY_IDENTITY; the user must own its tables.`
  return new OrreryError('invalid', 'identity_refused', message, { cause, context: { place } })
}

/** Host and database: what may be shown of a URL that holds a password. */
function placeOf(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname}`
}
