// What the adapters miss, from their health rows: ingest asks it, and tells those ledgers again.

import type { IngestOptions } from '@orrery/ingest'
import { PROTOCOL_IDS } from '@orrery/protocol-kit'
import type { ReadModel } from '@orrery/read-model'
import { adapterHealth } from '@orrery/read-model/queries'

export function reportedGaps(readModel: ReadModel): NonNullable<IngestOptions['gaps']> {
  return async () => {
    const rows = await readModel.query(adapterHealth, {}, { tag: { route: 'ingest', requestId: 'gap-repair' } })
    return rows.flatMap(({ protocol, partition, gap_after: after, gap_before: before }) => {
      const known = PROTOCOL_IDS.find((id) => id === protocol)
      return known === undefined || after === null || before === null ? [] : [{ protocol: known, partition, after, before }]
    })
  }
}
