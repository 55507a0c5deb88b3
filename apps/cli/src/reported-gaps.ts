// What the adapters miss, from their health rows: ingest asks it, and tells those ledgers again.

import type { OpenGaps, ReadGaps } from '@orrery/ingest'
import { openClickHouse, openReadModel, type ReadModel } from '@orrery/read-model'
import { adapterHealth } from '@orrery/read-model/queries'

export function reportedGaps(readModel: ReadModel): ReadGaps {
  return async () => {
    const rows = await readModel.query(adapterHealth, {}, { tag: { route: 'ingest', requestId: 'gap-repair' } })
    return rows.flatMap(({ protocol, partition, gap_after: after, gap_before: before }) =>
      after === null || before === null ? [] : [{ protocol, partition, after, before }],
    )
  }
}

/** The same for a process that has no read model of its own. */
export const openReportedGaps: OpenGaps = (clickhouse) => {
  const readModel = openReadModel(openClickHouse(clickhouse))
  return { read: reportedGaps(readModel), [Symbol.asyncDispose]: () => readModel[Symbol.asyncDispose]() }
}
