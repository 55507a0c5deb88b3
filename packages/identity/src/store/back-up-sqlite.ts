// A copy of the database of organizations on SQLite as of one moment, also while other processes write to it.

import { closeSync, openSync } from 'node:fs'
import { backup, DatabaseSync } from 'node:sqlite'
import { OrreryError, reasonOf } from '@orrery/errors'

/** Writes the database `from` to the file `to`, readable by its owner only. @throws OrreryError `unavailable`/`identity_unreachable`. */
export async function backUpSqlite(from: string, to: string): Promise<void> {
  try {
    closeSync(openSync(to, 'wx', 0o600))
    const database = new DatabaseSync(from, { readOnly: true })
    try {
      await backup(database, to)
    } finally {
      database.close()
    }
  } catch (cause) {
    const message = `The database of organizations and keys at ${from} could not be copied to ${to}: ${reasonOf(cause)}. Nothing in it was changed. Check that the disk has space, then start again.`
    throw new OrreryError('unavailable', 'identity_unreachable', message, { cause, context: { from, to } })
  }
}
