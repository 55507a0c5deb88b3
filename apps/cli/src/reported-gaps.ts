// The gaps that the adapters report in their health rows: ingest reads them and resends those ledgers.

import type { OpenGaps, ReadGaps } from '@orrery/ingest'
import { openClickHouse, openReadModel, type ReadModel } from '@orrery/read-model'
import { gapsInLog } from '@orrery/read-model/queries'

export function reportedGaps(readModel: ReadModel): ReadGaps {
  return async () => {
    const rows = await readModel.query(gapsInLog, {}, { tag: { route: 'ingest', requestId: 'gap-repair' } })
    return rows.map(({ protocol, partition, gap_after: after, gap_before: before }) => ({ protocol, partition, after, before }))
  }
}

/** The same for a process without a read model. */
export const openReportedGaps: OpenGaps = (clickhouse) => {
  const readModel = openReadModel(openClickHouse(clickhouse))
  return { read: reportedGaps(readModel), [Symbol.asyncDispose]: () => readModel[Symbol.asyncDispose]() }
}
