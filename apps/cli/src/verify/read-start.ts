// The start record of a log: the first ledger of the index, and the partitions of each protocol.

import { OrreryError } from '@orrery/errors'
import { controlTopic, decodeControl, type EventLog, type StartControl, storedRecords, summarizeControl } from '@orrery/event-log'

/** The newest start record: a protocol that was added to an index has a later one. @throws OrreryError `unavailable`/`log_not_started`. */
export async function readStart(log: EventLog, network: string): Promise<StartControl> {
  let start: StartControl | null = null
  for await (const { value } of storedRecords(log, { topic: controlTopic(network), partition: 0 })) {
    if (!summarizeControl(value).kinds.has('start')) continue
    start = decodeControl(value).findLast((record) => record.kind === 'start') ?? start
  }
  if (start !== null) return start
  throw new OrreryError('unavailable', 'log_not_started', 'The event log holds no index yet. Nothing was changed. Start ingest first.')
}
