// The status of an adapter: that of its worst partition.

import type { ProtocolId } from '@orrery/protocol-kit'
import { type PartitionHealth, type PartitionStatus, partitionStatus } from '@orrery/read-model'
import { z } from 'zod'
import { timestampOf } from './timestamp.ts'

export const AdapterRecord = z
  .strictObject({
    adapter_id: z.string().describe('Protocol id.'),
    contracts_tracked: z.int().describe('Number of contracts of the protocol that are followed.'),
    error: z.string().nullable().describe('Current errors of the partitions, separated by semicolons. Null if there are none.'),
    error_count_1h: z
      .int()
      .describe('Number of errors in the last hour of the processes that index the protocol now. It begins at 0 when a process starts.'),
    last_sync_at: z
      .string()
      .nullable()
      .describe('Time at which the slowest partition last made progress: RFC 3339, UTC. Null if no partition has reported.'),
    last_sync_ledger: z.int().describe('All ledgers of the protocol up to this one are written. 0 if none is.'),
    status: z
      .enum(['healthy', 'catching_up', 'stalled', 'failing', 'missing'])
      .describe(
        'Status of the worst partition. `healthy`: at most a minute behind the source. `catching_up`: further behind, with progress. `stalled`: a minute without progress or report. `failing`: the last attempt failed, or ledgers are missing in the log. `missing`: no adapter has reported.',
      ),
    version: z.string().describe('Version of the adapter whose rows are served; "" if there is none.'),
    index_version: z
      .int()
      .nullable()
      .describe('Number of the index version that is served. It rises when the history was indexed again. Null if there is none.'),
    replay: z
      .strictObject({
        index_version: z.int().describe('Number of the index version.'),
        version: z.string().describe('Version of the adapter that writes it.'),
        last_sync_ledger: z.int().describe('All ledgers of the protocol up to this one are written. 0 if none is.'),
      })
      .nullable()
      .describe('The index version that is written beside the one that is served, to replace it. Null if there is none.'),
  })
  .meta({ id: 'Adapter' })
export type AdapterRecord = z.input<typeof AdapterRecord>

const WORST_FIRST: readonly PartitionStatus[] = ['failing', 'stalled', 'catching_up', 'healthy']

/** The ledgers that are missing in the log of the partition, as a sentence; empty if the log has no gap. */
function missingOf({ partition, gap_after: after, gap_before: before }: PartitionHealth): string {
  return after === null || before === null
    ? ''
    : `Partition ${partition} waits for ledgers ${after + 1} to ${before}: they are missing in the log.`
}

/** The adapter records of all protocols of this build, in their order. `built`: those that have an adapter on this network. */
export function adapterRecords(
  partitions: readonly PartitionHealth[],
  shipped: readonly ProtocolId[],
  built: readonly ProtocolId[],
  nowMs: number,
): Readonly<Record<ProtocolId, AdapterRecord>> {
  const records = shipped.map((protocol) => {
    const own = built.includes(protocol) ? partitions.filter((partition) => partition.protocol === protocol) : []
    return [protocol, adapterRecord(protocol, own, nowMs)] as const
  })
  return Object.fromEntries(records) as Record<ProtocolId, AdapterRecord>
}

function adapterRecord(protocol: ProtocolId, partitions: readonly PartitionHealth[], nowMs: number): AdapterRecord {
  const reported = partitions.filter((partition) => partition.reported)
  const statuses = partitions.map((partition) => partitionStatus(partition, nowMs))
  const errors = new Set(partitions.flatMap((partition) => [partition.error, missingOf(partition)]).filter((error) => error !== ''))
  const total = (count: (partition: PartitionHealth) => number): number => partitions.reduce((sum, partition) => sum + count(partition), 0)
  const [first] = partitions
  return {
    adapter_id: protocol,
    contracts_tracked: total((partition) => partition.contracts_tracked),
    error: errors.size === 0 ? null : [...errors].join('; '),
    error_count_1h: total((partition) => partition.errors_last_hour),
    last_sync_at:
      reported.length === 0 ? null : timestampOf(Math.floor(Math.min(...reported.map((partition) => partition.progressed_at_ms)) / 1000)),
    last_sync_ledger: partitions.length === 0 ? 0 : Math.min(...partitions.map((partition) => partition.checkpoint_ledger)),
    status: reported.length === 0 ? 'missing' : (WORST_FIRST.find((status) => statuses.includes(status)) ?? 'missing'),
    version: first === undefined ? '' : String(first.adapter_version),
    index_version: first?.index_version ?? null,
    replay: replayOf(partitions),
  }
}

function replayOf(partitions: readonly PartitionHealth[]): AdapterRecord['replay'] {
  const [first] = partitions
  if (first === undefined || first.replay_index_version === 0) return null
  return {
    index_version: first.replay_index_version,
    version: String(first.replay_adapter_version),
    last_sync_ledger: Math.min(...partitions.map((partition) => partition.replay_ledger)),
  }
}
