// The last report of each partition of the active index versions, and how far a version is that is folded beside them.

import type { z } from 'zod'
import type { PartitionHealth } from './partition-status.ts'
import { adapterHealth, versionProgress } from './queries/adapter-health.ts'
import type { QueryOptions, RunQuery } from './run-query.ts'

type Progress = z.output<typeof versionProgress.row>

/** In the order of protocols and partitions. */
export async function readPartitionHealth(readModel: { readonly query: RunQuery }, options: QueryOptions): Promise<PartitionHealth[]> {
  const [reports, progress] = await Promise.all([
    readModel.query(adapterHealth, {}, options),
    readModel.query(versionProgress, {}, options),
  ])
  return reports.map((report) => {
    const { protocol, partition, index_version: active } = report
    const own = progress.filter((row) => row.protocol === protocol)
    const replay = replayOf(own, active)
    // A version without a row of its own was written by the adapter version of the same number.
    const written = own.find((row) => row.partition === null && row.index_version === active)
    return {
      ...report,
      adapter_version: written?.adapter_version ?? active,
      replay_index_version: replay?.index_version ?? 0,
      replay_adapter_version: replay?.adapter_version ?? 0,
      replay_ledger: own.find((row) => row.partition === partition && row.index_version === replay?.index_version)?.ledger ?? 0,
    }
  })
}

/** The newest version that readers never saw and that is not retired. */
function replayOf(own: readonly Progress[], active: number): Progress | undefined {
  const waiting = own.filter((row) => row.partition === null && !row.is_known && row.index_version !== active)
  return waiting.toSorted((a, b) => b.index_version - a.index_version)[0]
}
