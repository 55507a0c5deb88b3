// The users of a ClickHouse server that Orrery does not start itself, as SQL: who may do what, and how much of the server a statement may take.
// The embedded engine has the same users in a file of its own (`host/config-files.ts`), because it refuses CREATE USER.

import { createHash } from 'node:crypto'
import { OrreryError } from '@orrery/errors'
import { type ClickHouseAddress, type ClickHouseConnection, openClickHouse } from '../connection.ts'
import { isOnCluster, render, type SchemaTarget } from './render.ts'
import { addressesOf } from './shards.ts'

/** `writer`: adapters. `api`: API and ingest. `analyst`: people and their tools. */
export const SERVER_USERS = ['writer', 'api', 'analyst'] as const
export type ServerUser = (typeof SERVER_USERS)[number]

const GIB = 1024 ** 3

/** A setting of a profile: its value, and what a statement may choose instead. */
export interface Limit {
  readonly value: number | string
  /** `const`: nothing else. A number: from 1 up to it, since 0 means no limit to the server. Not given: anything. */
  readonly most?: number | 'const'
}

/** Readers stop with their request, and take no more than a share of the server. The API sends the same limits with each statement. */
const READER: Readonly<Record<string, Limit>> = {
  readonly: { value: 2 },
  cancel_http_readonly_queries_on_client_close: { value: 1 },
  max_memory_usage: { value: GIB },
}

const PROFILES: Readonly<Record<ServerUser, Readonly<Record<string, Limit>>>> = {
  writer: {},
  api: {
    ...READER,
    max_execution_time: { value: 10 },
    max_threads: { value: 1 },
    output_format_parallel_formatting: { value: 0 },
    priority: { value: 1 },
  },
  analyst: {
    ...READER,
    cancel_http_readonly_queries_on_client_close: { value: 1, most: 'const' },
    max_concurrent_queries_for_user: { value: 4, most: 'const' },
    max_memory_usage_for_user: { value: 2 * GIB, most: 'const' },
    max_temporary_data_on_disk_size_for_user: { value: 2 * GIB, most: 'const' },
    os_threads_nice_value_query: { value: 19, most: 'const' },
    priority: { value: 3, most: 'const' },
    low_priority_query_wait_time_ms: { value: 50, most: 'const' },
    max_memory_usage: { value: 2 * GIB, most: 2 * GIB },
    max_threads: { value: 2, most: 2 },
    max_execution_time: { value: 60, most: 60 },
    max_rows_to_read: { value: 2_000_000_000, most: 2_000_000_000 },
    max_result_rows: { value: 1_000_000, most: 1_000_000 },
    max_temporary_data_on_disk_size_for_query: { value: GIB, most: GIB },
  },
}

/** As `PINNED_SETTINGS`, for statements that Orrery does not send. */
const OF_CLUSTER: Readonly<Record<string, Limit>> = {
  distributed_product_mode: { value: "'global'" },
  skip_unavailable_shards: { value: 0 },
}

/** A shard counts each read of a table that another one asks of it as a statement of the same user: as many may belong to one statement. */
const PARTS_OF_STATEMENT = 16

/** The settings of the user's profile. */
export function settingsOfProfile(user: ServerUser, target: SchemaTarget): Readonly<Record<string, Limit>> {
  const limits = PROFILES[user]
  if (target.kind === 'single') return limits
  // A shard counts the rows that it sends to another one as rows of a result, however few the statement returns.
  const { max_result_rows: _, max_concurrent_queries_for_user: statements, ...ofCluster } = limits
  const parts = statements && { ...statements, value: Number(statements.value) * PARTS_OF_STATEMENT }
  return { ...ofCluster, ...(parts && { max_concurrent_queries_for_user: parts }), ...OF_CLUSTER }
}

/** Names of the settings that the profiles fix. */
export const PROFILE_SETTINGS: readonly string[] = [
  ...new Set([...Object.values(PROFILES), OF_CLUSTER].flatMap((limits) => Object.keys(limits))),
]

export interface UserPlan {
  readonly database: string
  /** Views that the analyst may read. */
  readonly views: readonly string[]
  /** Of a cluster: the tables of a shard. Whichever server the analyst asks, the others read theirs with the rights of the analyst. */
  readonly localTables?: readonly string[]
  /** Stored as SHA-256, so no statement holds one. */
  readonly passwords: Readonly<Record<ServerUser, string>>
  /** Default: one server. */
  readonly target?: SchemaTarget
}

/**
 * The statements that create the users and their profiles, or bring them up to date: running them again changes nothing, and a changed password is
 * taken over. The analyst reads views alone; these read their tables with the rights of `api`. On a cluster it may read the tables of the shards as well.
 */
export function userStatements({ database, views, localTables = [], passwords, target = { kind: 'single' } }: UserPlan): string[] {
  const all = `${quotedName(database)}.*`
  const statements = [
    ...SERVER_USERS.flatMap((user) => [...profileOf(user, target), ...accountOf(user, passwords[user])]),
    `GRANT $ON SELECT, INSERT ON ${all} TO writer`,
    `GRANT $ON SELECT ON ${all} TO api`,
    ...views.flatMap((view) => [
      `ALTER TABLE ${quotedName(database)}.${quotedName(view)} $ON MODIFY DEFINER = api SQL SECURITY DEFINER`,
      `GRANT $ON SELECT ON ${quotedName(database)}.${quotedName(view)} TO analyst`,
    ]),
    ...localTables.map((table) => `GRANT $ON SELECT ON ${quotedName(database)}.${quotedName(table)} TO analyst`),
  ]
  return statements.map((sql) => render(sql, target).replaceAll(/ {2,}/g, ' ').trim())
}

function profileOf(user: ServerUser, target: SchemaTarget): string[] {
  const limits = Object.entries(settingsOfProfile(user, target)).map(([name, { value, most }]) => {
    if (most === undefined) return `${name} = ${value}`
    return most === 'const' ? `${name} = ${value} CONST` : `${name} = ${value} MIN 1 MAX ${most}`
  })
  const create = `CREATE SETTINGS PROFILE IF NOT EXISTS orrery_${user} $ON`
  return limits.length === 0 ? [create] : [create, `ALTER SETTINGS PROFILE orrery_${user} $ON SETTINGS ${limits.join(', ')}`]
}

function accountOf(user: ServerUser, password: string): string[] {
  const identified = `IDENTIFIED WITH sha256_hash BY '${createHash('sha256').update(password).digest('hex')}'`
  return [`CREATE USER IF NOT EXISTS ${user} $ON ${identified}`, `ALTER USER ${user} $ON ${identified} SETTINGS PROFILE 'orrery_${user}'`]
}

/**
 * What the users may read of the database: the names of its views, and on a cluster of the tables of a shard, in order.
 * @throws OrreryError of the connection.
 */
export async function readableNames(
  connection: ClickHouseConnection,
  database: string,
): Promise<Required<Pick<UserPlan, 'views' | 'localTables'>>> {
  const query = `SELECT name, engine = 'View' AS is_view FROM system.tables
    WHERE database = {database:String} AND (engine = 'View' OR match(name, '_v[0-9]+_local$')) ORDER BY name`
  const request = { query, query_params: { database }, format: 'JSONEachRow' } as const
  const rows = await connection.attempt('readable_names', async () =>
    (await connection.client.query(request)).json<{ name: string; is_view: number }>(),
  )
  const named = (isView: boolean): string[] => rows.filter(({ is_view }) => (is_view === 1) === isView).map(({ name }) => name)
  return { views: named(true), localTables: named(false) }
}

/** Server codes of a user that may not do this, and of a server that stores no users. */
const REFUSALS: Readonly<Record<string, string>> = {
  '497':
    'its user may not create users, grant rights on the database and set the definer of views (ACCESS MANAGEMENT, SET DEFINER and GRANT OPTION)',
  '514': 'it has no writable storage for users: add <local_directory> to user_directories',
}

/**
 * Creates the users on a migrated database, or brings them up to date. Returns how many statements ran.
 * @param address Of a user that may manage users; of a cluster with one URL of each shard.
 * @throws OrreryError `invalid`/`users_refused` where the server does not allow it, and those of the connection.
 */
export async function createUsers(
  address: ClickHouseAddress,
  passwords: UserPlan['passwords'],
  target: SchemaTarget = { kind: 'single' },
): Promise<number> {
  let done = 0
  for (const shard of await addressesOf(address, target)) {
    await using connection = openClickHouse(shard)
    const { database } = address
    const statements = userStatements({ database, passwords, ...(await readableNames(connection, database)), target })
    // Another shard has passed those on that name the cluster.
    for (const query of statements.filter((sql) => done === 0 || !isOnCluster(sql))) {
      await connection
        .attempt('create_users', () => connection.client.command({ query }))
        .catch((error: unknown) => {
          throw refusal(error, done)
        })
      done++
    }
  }
  return done
}

function refusal(error: unknown, done: number): unknown {
  if (!(error instanceof OrreryError)) return error
  const why = REFUSALS[String(error.context.serverCode)]
  if (why === undefined) return error
  return new OrreryError(
    'invalid',
    'users_refused',
    `ClickHouse does not let this user create the others: ${why}. The tables are up to date; ${done} of the statements for users have run. ` +
      'Run the command again with such a user, or give the statements that --print-users prints to the administrator of the server.',
    { cause: error },
  )
}

function quotedName(name: string): string {
  return `\`${name.replaceAll('\\', '\\\\').replaceAll('`', '\\`')}\``
}
