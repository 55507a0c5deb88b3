// Copies all organizations, users, keys, sessions, usage and the audit log from one database to another, of either kind.
// The target gets all rows in one transaction, in which they are read back and compared, or none.

import { createHash } from 'node:crypto'
import { OrreryError } from '@orrery/errors'
import { type Kysely, sql } from 'kysely'
import { openDatabase } from '../open.ts'
import type { Tables } from './tables.ts'

type TableName = keyof Tables

/** Parents before children, because of foreign keys; each with its primary key, which is the order of its rows. */
const KEYS: { readonly [Name in TableName]: readonly (keyof Tables[Name] & string)[] } = {
  organizations: ['id'],
  users: ['id'],
  api_keys: ['id'],
  login_addresses: ['user_id', 'address'],
  refresh_tokens: ['id'],
  billing: ['organization_id'],
  usage: ['day', 'organization_id', 'api_key_id'],
  audit_log: ['id'],
  webhooks: ['id'],
  webhook_deliveries: ['id'],
  notify_instances: ['id'],
}
const TABLES = Object.keys(KEYS) as TableName[]

const ROWS_A_STATEMENT = 500

export interface CopiedTable {
  readonly table: string
  readonly rows: number
  /** The sum of the SHA-256 of its rows, modulo 2^256, hex: equal in both databases, whose text may sort in different orders. */
  readonly digest: string
}

/**
 * Copies every row of the database `from` into `to`, whose tables are made and must be empty. Other writers of `from` wait until the end.
 * @throws OrreryError `invalid`/`identity_not_empty`, `corrupt`/`identity_copy_differs`; in both cases the target is as it was. The errors of `openIdentity`.
 */
export async function copyIdentity(from: string, to: string): Promise<readonly CopiedTable[]> {
  await using source = await openDatabase(from)
  await using target = await openDatabase(to)
  return await source.whileUnchanged(async (rows) => {
    return await target.db.transaction().execute(async (into) => {
      await refuseRows(into)
      const copied: CopiedTable[] = []
      for (const table of TABLES) {
        const read = await contentsOf(rows, table, (chunk) => insert(into, table, chunk))
        const written = await contentsOf(into, table)
        if (read.rows !== written.rows || read.digest !== written.digest) throw differs(table)
        copied.push({ table, ...read })
      }
      return copied
    })
  })
}

async function refuseRows(db: Kysely<Tables>): Promise<void> {
  for (const table of TABLES) {
    const { rows } = await sql`SELECT 1 FROM ${sql.table(table)} LIMIT 1`.execute(db)
    if (rows.length > 0) throw notEmpty(table)
  }
}

type Row = Readonly<Record<string, unknown>>

/** Reads a table in chunks, in the order of its key. */
async function contentsOf(
  db: Kysely<Tables>,
  table: TableName,
  onChunk: (rows: readonly Row[]) => Promise<void> = async () => undefined,
): Promise<Omit<CopiedTable, 'table'>> {
  let digest = 0n
  const key = KEYS[table]
  const columns = sql.join(key.map((column) => sql.ref(column)))
  let after: Row | undefined
  let count = 0
  for (;;) {
    const start = after
    const where = start === undefined ? sql`` : sql`WHERE (${columns}) > (${sql.join(key.map((column) => sql`${start[column]}`))})`
    const { rows } =
      await sql<Row>`SELECT * FROM ${sql.table(table)} ${where} ORDER BY ${columns} LIMIT ${sql.lit(ROWS_A_STATEMENT)}`.execute(db)
    if (rows.length === 0) return { rows: count, digest: digest.toString(16).padStart(64, '0') }
    for (const row of rows) digest = BigInt.asUintN(256, digest + digestOf(row))
    await onChunk(rows)
    count += rows.length
    after = rows.at(-1)
  }
}

/** Columns by name: two databases may give them in another order. */
function digestOf(row: Row): bigint {
  const text = JSON.stringify(Object.entries(row).sort(([a], [b]) => (a < b ? -1 : 1)))
  return BigInt(`0x${createHash('sha256').update(text).digest('hex')}`)
}

async function insert(db: Kysely<Tables>, table: TableName, rows: readonly Row[]): Promise<void> {
  const names = Object.keys(rows[0] ?? {})
  const values = rows.map((row) => sql`(${sql.join(names.map((name) => sql`${row[name]}`))})`)
  // SQLite takes at most 32,766 parameters: 500 rows of the widest table have 9,500.
  await sql`INSERT INTO ${sql.table(table)} (${sql.join(names.map((name) => sql.ref(name)))}) VALUES ${sql.join(values)}`.execute(db)
}

function notEmpty(table: string): OrreryError {
  const message = `The target database has rows in its table ${table}. Nothing was changed.\nName an empty database: create one, or delete the rows of an earlier try yourself.`
  return new OrreryError('invalid', 'identity_not_empty', message, { context: { table } })
}

function differs(table: string): OrreryError {
  const message = `The rows of the table ${table} are not the same in both databases after they were copied. Nothing was kept in the target, and the source is as it was.\nReport this with the versions of both databases.`
  return new OrreryError('corrupt', 'identity_copy_differs', message, { context: { table } })
}
