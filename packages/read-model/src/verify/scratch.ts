// A database beside the verified one, with the same tables and materialized views, for the rows of the second fold. It is dropped at the end.

import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse, urlsOf } from '../connection.ts'
import { migrate } from '../schema/migrate.ts'

export interface Scratch extends AsyncDisposable {
  /** As a user that may create databases. Its database is the scratch database. */
  readonly connection: ClickHouseConnection
}

/** A run that was killed leaves its database behind. One of this age belongs to no run any more. */
const LEFT_OVER_AFTER_MS = 7 * 24 * 3_600_000

/**
 * Creates an empty database with the schema of this build, named after the verified one (`orrery_verify_<milliseconds>`), and drops those that
 * earlier runs left behind.
 * @param verified Address of the verified database, as a user that may create databases whose names begin with its name.
 */
export async function openScratch(verified: ClickHouseAddress, nowMs: number): Promise<Scratch> {
  // Other servers do not have it: of several addresses the first one is used.
  const [url = verified.url] = urlsOf(verified)
  const address = { ...verified, url }
  const prefix = `${address.database}_verify_`
  await dropLeftOvers(address, prefix, nowMs)
  const database = `${prefix}${nowMs}`
  await migrate({ ...address, database })
  const connection = openClickHouse({ ...address, database })
  return {
    connection,
    async [Symbol.asyncDispose]() {
      await drop(connection, database)
      await connection.close()
    },
  }
}

async function dropLeftOvers(address: ClickHouseAddress, prefix: string, nowMs: number): Promise<void> {
  await using connection = openClickHouse({ ...address, database: 'system' })
  const query = 'SELECT name FROM system.databases WHERE startsWith(name, {prefix:String})'
  const found = await connection.attempt('scratch_databases', async () =>
    (await connection.client.query({ query, query_params: { prefix }, format: 'JSONEachRow' })).json<{ name: string }>(),
  )
  for (const { name } of found) {
    const madeAtMs = Number(name.slice(prefix.length))
    if (Number.isSafeInteger(madeAtMs) && nowMs - madeAtMs > LEFT_OVER_AFTER_MS) await drop(connection, name)
  }
}

async function drop(connection: ClickHouseConnection, database: string): Promise<void> {
  // The engine would try a deletion that reads the database for ever, and none behind it in its table.
  const query = 'KILL MUTATION WHERE NOT is_done AND position(command, {database:String}) > 0 SYNC'
  await connection.attempt('kill_repairs', () => connection.client.command({ query, query_params: { database } }))
  await connection.attempt('drop_scratch', () => connection.client.command({ query: `DROP DATABASE IF EXISTS \`${database}\` SYNC` }))
}
