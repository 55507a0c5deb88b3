// Node's own SQLite behind kysely's SQLite dialect, which expects the shape of better-sqlite3.

import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { OrreryError } from '@orrery/errors'
import type { SqliteDatabase } from 'kysely'

/** How long a statement waits for a writer in another process (`orrery org` beside a running API). */
const BUSY_TIMEOUT_MS = 5_000
/** Result codes of SQLite that time or the operator can resolve: BUSY, LOCKED, READONLY, IOERR, FULL, CANTOPEN. https://sqlite.org/rescode.html */
const UNREACHABLE = new Set([5, 6, 8, 10, 13, 14])
/** CORRUPT, NOTADB. */
const DAMAGED = new Set([11, 26])

/** Errors: `unavailable`/`identity_unreachable`, `corrupt`/`identity_unreadable`. */
export function openNodeSqlite(file: string): SqliteDatabase {
  const database = classified(file, () => {
    mkdirSync(dirname(file), { recursive: true })
    // The file contains hashes of keys and passwords: only its owner may read it. SQLite gives its WAL the mode of the file.
    closeSync(openSync(file, 'a', 0o600))
    const opened = new DatabaseSync(file, { timeout: BUSY_TIMEOUT_MS })
    try {
      // WAL: readers and the writer do not wait for each other. FULL: an acknowledged revocation survives a power cut.
      opened.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    } catch (cause) {
      opened.close()
      throw cause
    }
    return opened
  })
  return {
    close: () => database.close(),
    prepare(sql) {
      const statement = classified(file, () => database.prepare(sql))
      return {
        reader: statement.columns().length > 0,
        all: (values) => classified(file, () => statement.all(...(values as SQLInputValue[]))),
        run: (values) => classified(file, () => statement.run(...(values as SQLInputValue[]))),
        iterate: (values) => classified(file, () => statement.iterate(...(values as SQLInputValue[]))),
      }
    },
  }
}

function classified<T>(file: string, act: () => T): T {
  try {
    return act()
  } catch (cause) {
    const code = resultCodeOf(cause)
    if (code !== null && DAMAGED.has(code)) throw unreadable(file, cause)
    const reason = code !== null && UNREACHABLE.has(code) ? `SQLite code ${code}` : refusalOfFiles(cause)
    if (reason === null) throw cause
    const message = `The database of organizations and keys at ${file} cannot be used at the moment (${reason}). Nothing was changed.\nCheck that the disk has free space, that the path is a writable file of Orrery, and that no other program holds it.`
    throw new OrreryError('unavailable', 'identity_unreachable', message, { cause, context: { file, reason } })
  }
}

function unreadable(file: string, cause: unknown): OrreryError {
  const message = `The file ${file} is no database of organizations and keys, or it is damaged. Nothing was changed.\nName the right file, or put a backup in its place.`
  return new OrreryError('corrupt', 'identity_unreadable', message, { cause, context: { file } })
}

/** Primary result code of SQLite, null for any other error. */
function resultCodeOf(cause: unknown): number | null {
  // The low byte is the primary code, the rest its subtype.
  return cause instanceof Error && 'errcode' in cause ? Number(cause.errcode) & 0xff : null
}

/** The file system's error: no such folder, no permission, no space. Null for any other error. */
function refusalOfFiles(cause: unknown): string | null {
  return cause instanceof Error && 'syscall' in cause && 'code' in cause ? String(cause.code) : null
}
