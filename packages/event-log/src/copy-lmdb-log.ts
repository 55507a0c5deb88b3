// A copy of a log on LMDB as of one moment, also while other processes append to it.

import { mkdirSync } from 'node:fs'
import { OrreryError, reasonOf } from '@orrery/errors'
import { openLmdbEnvironment } from './lmdb-environment.ts'

/**
 * Writes the log in the folder `from` into the folder `to`, which it creates. Pages without records are left out.
 * @throws OrreryError `unavailable`/`log_unreachable`.
 */
export async function copyLmdbLog(from: string, to: string): Promise<void> {
  const environment = openLmdbEnvironment(from)
  try {
    mkdirSync(to, { recursive: true, mode: 0o700 })
    await environment.root.backup(to, true)
  } catch (cause) {
    const message = `The event log in ${from} could not be copied to ${to}: ${reasonOf(cause)}. Nothing in it was changed. Check that the disk has space, then start again.`
    throw new OrreryError('unavailable', 'log_unreachable', message, { context: { from, to }, cause })
  } finally {
    await environment.release()
  }
}
