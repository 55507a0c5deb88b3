// Selects the driver for a URL.

import { OrreryError } from '@orrery/errors'
import type { EventLog } from './event-log.ts'
import { type KafkaOptions, kafkaAddress } from './kafka/kafka-options.ts'
import { LmdbEventLog, type LmdbOptions } from './lmdb.ts'

/**
 * Opens the log that `url` names: `lmdb:<folder>` or `kafka:<host>:<port>[,<host>:<port>…]`.
 * @throws OrreryError `invalid`/`log_url_unknown`, `unavailable`/`log_unreachable`, or `invalid`/`log_access_denied`.
 */
export async function openLog(url: string, options: LmdbOptions & KafkaOptions = {}): Promise<EventLog> {
  const [, driver, where = ''] = /^(lmdb|kafka):(.+)$/.exec(url) ?? []
  if (driver === 'lmdb') return new LmdbEventLog(where, options)
  if (driver === 'kafka') {
    const address = kafkaAddress(where, options)
    // Its client is a tenth of all modules of a process, and needed by none with the other driver.
    const { KafkaEventLog } = await import('./kafka/kafka-log.ts')
    return KafkaEventLog.open(address)
  }
  const message = `There is no event log driver for "${url}". Use lmdb:<folder> or kafka:<host>:<port>.`
  throw new OrreryError('invalid', 'log_url_unknown', message, { context: { url } })
}
