// URL -> driver. One line a driver.

import { OrreryError } from '@orrery/errors'
import type { EventLog } from './event-log.ts'
import { LmdbEventLog, type LmdbOptions } from './lmdb.ts'

/**
 * Opens the log that `url` names: `lmdb:<folder>`.
 * @throws OrreryError `invalid`/`log_url_unknown`, or `unavailable`/`log_unreachable`.
 */
export async function openLog(url: string, options: LmdbOptions = {}): Promise<EventLog> {
  const folder = /^lmdb:(.+)$/.exec(url)?.[1]
  if (folder !== undefined) return new LmdbEventLog(folder, options)
  throw new OrreryError('invalid', 'log_url_unknown', `There is no event log driver for "${url}". Use lmdb:<folder>.`, { context: { url } })
}
