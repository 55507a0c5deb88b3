// What a full disk leaves of tables that were made meanwhile: ClickHouse writes an empty file for the definition of a table and reports success, or a
// syntax error of a later statement, and the next engine does not start on it.

import { existsSync, readdirSync, readFileSync, rmSync, statfsSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { OrreryError } from '@orrery/errors'

/** Enough for the definitions of all tables, many times. An engine leaves as much free for them: it refuses rows before. */
const FREE_BYTES = 64 * 1024 ** 2
/** Folders of parts of a table: partition, first and last block, level. */
const PART = /^[^.]\S*_\d+_\d+_\d+(_\d+)?$/
/** Rows that every migrated database has. */
const OF_MIGRATIONS = 'schema_migrations.sql'

/**
 * Before tables are made.
 * @param dir The engine's data folder.
 * @throws OrreryError `unavailable`/`data_folder_not_written` when the disk has less than 64 MiB free.
 */
export function assertSpaceForTables(dir: string): void {
  const { bavail, bsize } = statfsSync(dir)
  const free = bavail * bsize
  if (free >= FREE_BYTES) return
  throw notWritten(dir, `its disk has ${Math.floor(free / 1024 ** 2)} MiB free, and tables are made only while it has 64`)
}

/**
 * After tables were made.
 * @param dir The engine's data folder.
 * @throws OrreryError `unavailable`/`data_folder_not_written` when the definition of a table is empty.
 */
export function assertTablesWritten(dir: string): void {
  const [unwritten] = emptyDefinitions(join(dir, 'data'))
  if (unwritten !== undefined) throw notWritten(dir, `the disk was full when ${unwritten} was written`)
}

/**
 * Deletes the tables of a folder in which the definition of one is empty and none has rows, so that they are made again. Only while no engine works on it.
 * @param data The engine's folder of tables.
 * @returns False when nothing was deleted: every definition is written, or there are rows.
 */
export function discardUnwritten(data: string): boolean {
  if (emptyDefinitions(data).length === 0 || hasRows(data)) return false
  for (const name of readdirSync(data).filter((name) => name !== 'backups')) rmSync(join(data, name), { recursive: true, force: true })
  return true
}

function notWritten(dir: string, why: string): OrreryError {
  return new OrreryError(
    'unavailable',
    'data_folder_not_written',
    `The tables in ${dir} could not be made: ${why}. What is stored is safe. Free space on the disk of the data folder, then start again.`,
    { context: { dir } },
  )
}

/** Files `store/<prefix>/<database>/<table>.sql`. */
function definitions(data: string): string[] {
  return foldersOf(data).flatMap((folder) => readdirSync(folder).flatMap((name) => (name.endsWith('.sql') ? [join(folder, name)] : [])))
}

function emptyDefinitions(data: string): string[] {
  return definitions(data).filter((file) => statSync(file).size === 0)
}

/** Whether a table other than that of the migrations has a part. */
function hasRows(data: string): boolean {
  const migrations = definitions(data).filter((file) => file.endsWith(`/${OF_MIGRATIONS}`))
  const ids = migrations.flatMap((file) => /UUID '([0-9a-f-]{36})'/.exec(readFileSync(file, 'utf8'))?.[1] ?? [])
  return foldersOf(data)
    .filter((folder) => !ids.some((id) => folder.endsWith(`/${id}`)))
    .some((folder) => readdirSync(folder).some((name) => PART.test(name)))
}

/** Folders `store/<prefix>/<id>`, of databases and of tables. */
function foldersOf(data: string): string[] {
  const store = join(data, 'store')
  if (!existsSync(store)) return []
  return readdirSync(store).flatMap((prefix) => readdirSync(join(store, prefix)).map((id) => join(store, prefix, id)))
}
