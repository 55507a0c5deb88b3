// How an adapter is, from what its workers said last and the clock. A protocol is as well as its worst partition.

import type { ProtocolId } from '@orrery/protocol-kit'
import { z } from 'zod'
import { timestampOf } from './timestamp.ts'

export type AdapterStatus = 'healthy' | 'catching_up' | 'stalled' | 'failing' | 'missing'

/** What one partition said last. */
export interface PartitionHealth {
  readonly protocol: string
  readonly adapter_version: number
  readonly partition: number
  /** False when it never said anything: everything below is zero then. */
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

/** A partition may be this far behind the source's tip, or without a word or progress while the source moves. */
const PATIENCE_SECONDS = 60

/**
 * | status      | when                                                                                    |
 * |-------------|-----------------------------------------------------------------------------------------|
 * | failing     | the last attempt errored, or the log has a hole                                         |
 * | healthy     | not more than a minute behind the newest ledger of the source, or at its end            |
 * | catching_up | more than a minute behind, and it moves                                                 |
 * | stalled     | for a minute there was no progress while there is more, or no word of worker or source  |
 *
 * The newest ledger that was seen is the source's tip, by ingest's own word; how old that ledger is says nothing, as a recorded network may be
 * served as a live one. A log without that word is judged against the clock: a network closes a ledger every few seconds.
 */
export function partitionStatus(health: PartitionHealth, nowMs: number): AdapterStatus {
  if (!health.reported) return 'catching_up'
  if (health.state === 'failing' || health.gap_before !== null) return 'failing'
  const atEndOfLog = health.checkpoint_ledger >= health.seen_ledger
  if (health.source_ended && atEndOfLog) return 'healthy'
  const silentSeconds = (nowMs - health.reported_at_ms) / 1000
  const withoutProgressSeconds = (nowMs - health.progressed_at_ms) / 1000
  if (silentSeconds > PATIENCE_SECONDS || (!atEndOfLog && withoutProgressSeconds > PATIENCE_SECONDS)) return 'stalled'
  const isTipTold = health.source_ended || health.source_heard_at_ms > 0
  const tipSeconds = isTipTold ? health.seen_close_time_seconds : Math.max(health.seen_close_time_seconds, nowMs / 1000)
  if (tipSeconds - health.checkpoint_close_time_seconds > PATIENCE_SECONDS) return 'catching_up'
  const unheardSeconds = health.source_ended || !isTipTold ? 0 : (nowMs - health.source_heard_at_ms) / 1000
  return unheardSeconds > PATIENCE_SECONDS ? 'stalled' : 'healthy'
}

export const AdapterRecord = z
  .strictObject({
    adapter_id: z.string(),
    contracts_tracked: z.int(),
    error: z.string().nullable(),
    error_count_1h: z.int(),
    last_sync_at: z.string().nullable().describe('When the slowest partition last made progress.'),
    last_sync_ledger: z.int().describe('Everything of the protocol up to this ledger is written. 0 when nothing is.'),
    status: z.enum(['healthy', 'catching_up', 'stalled', 'failing', 'missing']),
    version: z.string(),
  })
  .meta({ id: 'Adapter' })
export type AdapterRecord = z.input<typeof AdapterRecord>

const WORST_FIRST: readonly AdapterStatus[] = ['failing', 'stalled', 'catching_up', 'healthy']

/** Which ledgers the partition waits for because its log lost them; empty when there is no hole. */
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
