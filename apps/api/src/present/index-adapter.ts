// An adapter as the page about the index shows it: each of its partitions, how far it is, and what it read and could not use.

import { type PartitionHealth, partitionStatus } from '@orrery/read-model'
import { z } from 'zod'
import { AdapterRecord } from './adapter-status.ts'
import { ProtocolMember } from './protocol-member.ts'
import { Timestamp, timestampOf } from './timestamp.ts'

const Gap = z
  .strictObject({
    from_ledger: z.int().describe('First missing ledger.'),
    to_ledger: z.int().describe('Last missing ledger.'),
  })
  .meta({ id: 'IndexGap', example: { from_ledger: 1000201, to_ledger: 1000240 } })

const Partition = z
  .strictObject({
    partition: z.int().nonnegative().describe('Number of the partition, from 0.'),
    status: z.enum(['healthy', 'catching_up', 'stalled', 'failing']).describe('As the `status` of an adapter, of this partition alone.'),
    checkpoint_ledger: z.int().describe('Everything of the partition up to this ledger is written. 0 before the first report.'),
    checkpoint_at: Timestamp.nullable().describe('Close time of that ledger. Null before the first report.'),
    seen_ledger: z.int().describe('Newest ledger that the partition has seen in the event log. 0 before the first report.'),
    lag_ledgers: z.int().nonnegative().describe('`seen_ledger` minus `checkpoint_ledger`.'),
    lag_seconds: z.int().nonnegative().describe('The same between their close times, in seconds.'),
    gap: Gap.nullable().describe('Ledgers that are missing in the event log and that the partition waits for. Null without a gap.'),
    error: z.string().nullable().describe('Last error of the partition. Null without an error.'),
  })
  .meta({ id: 'IndexPartition' })

const Notice = z
  .strictObject({
    kind: z.string().describe('What could not be used: `event`, `entry`, `call`, `price_pool`, `oracle`, `asset` or `invariant`.'),
    reason: z.string().describe('Why it could not be used, in a few words.'),
    count: z.string().describe('How often up to `meta.last_indexed_ledger`: a whole number of any size.'),
    first_ledger: z.int().describe('First ledger with it.'),
    last_ledger: z.int().describe('Last ledger with it.'),
  })
  .meta({ id: 'IndexNotice' })

export const IndexAdapter = z
  .strictObject({
    protocol_id: ProtocolMember,
    adapter: AdapterRecord,
    lag_ledgers: z.int().nonnegative().describe('Largest of the partitions.'),
    lag_seconds: z.int().nonnegative().describe('Largest of the partitions, in seconds.'),
    partitions: z.array(Partition).describe('By number. Empty for a protocol without an adapter.'),
    notices: z.array(Notice).describe('By kind and reason: what the adapter read and could not use.'),
  })
  .meta({ id: 'IndexAdapter' })

/** Of a row of `notices_by_reason`. */
interface NoticeCount {
  readonly protocol: string
  readonly kind: string
  readonly reason: string
  readonly count: bigint
  readonly first_ledger: number
  readonly last_ledger: number
}

/** @param nowMs Of the clock: a status depends on how long ago a partition reported. */
export function indexAdapter(
  adapter: z.input<typeof AdapterRecord>,
  health: readonly PartitionHealth[],
  notices: readonly NoticeCount[],
  nowMs: number,
): z.input<typeof IndexAdapter> {
  const partitions = health.filter((one) => one.protocol === adapter.adapter_id).map((one) => partitionOf(one, nowMs))
  return {
    protocol_id: adapter.adapter_id,
    adapter,
    lag_ledgers: Math.max(0, ...partitions.map((one) => one.lag_ledgers)),
    lag_seconds: Math.max(0, ...partitions.map((one) => one.lag_seconds)),
    partitions,
    notices: notices
      .filter((one) => one.protocol === adapter.adapter_id)
      .map(({ kind, reason, count, first_ledger, last_ledger }) => ({ kind, reason, count: count.toString(), first_ledger, last_ledger })),
  }
}

function partitionOf(health: PartitionHealth, nowMs: number): z.input<typeof Partition> {
  const { gap_after: after, gap_before: before } = health
  return {
    partition: health.partition,
    status: partitionStatus(health, nowMs),
    checkpoint_ledger: health.checkpoint_ledger,
    checkpoint_at: health.checkpoint_ledger === 0 ? null : timestampOf(health.checkpoint_close_time_seconds),
    seen_ledger: health.seen_ledger,
    lag_ledgers: Math.max(0, health.seen_ledger - health.checkpoint_ledger),
    lag_seconds: Math.max(0, health.seen_close_time_seconds - health.checkpoint_close_time_seconds),
    gap: after === null || before === null ? null : { from_ledger: after + 1, to_ledger: before },
    error: health.error === '' ? null : health.error,
  }
}
