// The status of an adapter, from the last report of each partition and the clock. The status of a protocol is that of its worst partition.

import type { ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { timestampOf } from './timestamp.ts'

export type AdapterStatus = 'healthy' | 'catching_up' | 'stalled' | 'failing' | 'missing'

/** The last health report of one partition. */
export interface PartitionHealth {
  readonly protocol: string
  readonly adapter_version: number
  readonly partition: number
  /** False if the partition never reported: everything below is zero then. */
  readonly reported: boolean
  readonly reported_at_ms: number
  readonly state: string
  readonly checkpoint_ledger: number
  readonly checkpoint_close_time_seconds: number
  readonly seen_ledger: number
  readonly seen_close_time_seconds: number
  readonly source_ended: boolean
  readonly source_heard_at_ms: number
  readonly progressed_at_ms: number
  readonly gap_after: number | null
  readonly gap_before: number | null
  readonly error: string
  readonly errors_last_hour: number
  readonly contracts_tracked: number
}

/** A partition may be this far behind the newest ledger of the source, or this long without a report or progress while the source moves. */
const PATIENCE_SECONDS = 60

/**
 * | status      | when                                                                                    |
 * |-------------|-----------------------------------------------------------------------------------------|
 * | failing     | the last attempt failed, or the log has a gap                                           |
 * | healthy     | not more than a minute behind the newest ledger of the source, or at its end            |
 * | catching_up | more than a minute behind, and it makes progress                                        |
 * | stalled     | a minute without progress although more is there, or without a report or a source       |
 *
 * The newest ledger seen is the tip of the source, as ingest reports it. The age of that ledger is not used, because a recorded network may be
 * served like a live one. A log without such a report is judged against the clock: a network closes a ledger every few seconds.
 */
export function partitionStatus(health: PartitionHealth, nowMs: number): AdapterStatus {
  if (!health.reported) return 'catching_up'
  if (health.state === 'failing' || health.gap_before !== null) return 'failing'
  const atEndOfLog = health.checkpoint_ledger >= health.seen_ledger
  if (health.source_ended && atEndOfLog) return 'healthy'
  const silentSeconds = (nowMs - health.reported_at_ms) / 1000
  const withoutProgressSeconds = (nowMs - health.progressed_at_ms) / 1000
  if (silentSeconds > PATIENCE_SECONDS || (!atEndOfLog && withoutProgressSeconds > PATIENCE_SECONDS)) return 'stalled'
  const isTipReported = health.source_ended || health.source_heard_at_ms > 0
  const tipSeconds = isTipReported ? health.seen_close_time_seconds : Math.max(health.seen_close_time_seconds, nowMs / 1000)
  if (tipSeconds - health.checkpoint_close_time_seconds > PATIENCE_SECONDS) return 'catching_up'
  const unheardSeconds = health.source_ended || !isTipReported ? 0 : (nowMs - health.source_heard_at_ms) / 1000
  return unheardSeconds > PATIENCE_SECONDS ? 'stalled' : 'healthy'
}

export const AdapterRecord = z
  .strictObject({
    adapter_id: z.string().describe('Protocol id.'),
    contracts_tracked: z.int().describe('Number of contracts of the protocol that are followed.'),
    error: z.string().nullable().describe('Current errors of the partitions, separated by semicolons. Null if there are none.'),
    error_count_1h: z.int().describe('Number of errors in the last hour.'),
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
    version: z.string().describe('Version of the adapter; "" if there is none.'),
  })
  .meta({ id: 'Adapter' })
export type AdapterRecord = z.input<typeof AdapterRecord>

const WORST_FIRST: readonly AdapterStatus[] = ['failing', 'stalled', 'catching_up', 'healthy']

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
  const version = partitions[0]?.adapter_version
  return {
    adapter_id: protocol,
    contracts_tracked: total((partition) => partition.contracts_tracked),
    error: errors.size === 0 ? null : [...errors].join('; '),
    error_count_1h: total((partition) => partition.errors_last_hour),
    last_sync_at:
      reported.length === 0 ? null : timestampOf(Math.floor(Math.min(...reported.map((partition) => partition.progressed_at_ms)) / 1000)),
    last_sync_ledger: partitions.length === 0 ? 0 : Math.min(...partitions.map((partition) => partition.checkpoint_ledger)),
    status: reported.length === 0 ? 'missing' : (WORST_FIRST.find((status) => statuses.includes(status)) ?? 'missing'),
    version: version === undefined ? '' : String(version),
  }
}
