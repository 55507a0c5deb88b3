// The metrics of a partition that change while nothing happens: lag, gap and status. They are computed at each scrape.

import type { ProtocolId } from '@orrery/protocol-kit'
import { PARTITION_STATUSES, partitionStatus } from '@orrery/read-model'
import type { Metrics } from '@orrery/service-kit'
import type { ControlFollower } from './control-follower.ts'
import { healthReport } from './health-report.ts'
import type { PartitionProgress } from './partition-progress.ts'

interface Adapter {
  readonly protocol: ProtocolId
  readonly indexVersion: number
}

export function setPartitionMetrics(
  metrics: Metrics,
  adapter: Adapter,
  progress: PartitionProgress,
  control: Pick<ControlFollower, 'seen' | 'sourceEnd' | 'sourceTip'>,
  nowMs: number,
): void {
  const { checkpoint, gap } = progress
  const labels = { protocol: adapter.protocol, partition: String(progress.partition) }
  metrics.adapterGapLedgers.set(labels, gap === null ? 0 : gap.before - gap.after)
  const current = statusOf(adapter, progress, control, nowMs)
  for (const status of PARTITION_STATUSES) metrics.adapterPartitionStatus.set({ ...labels, status }, status === current ? 1 : 0)
  if (checkpoint === null) return
  const isAtEnd = control.sourceEnd !== null && checkpoint.ledger >= control.sourceEnd
  const newest = Math.max(control.seen.ledger, control.sourceTip?.ledger ?? 0)
  metrics.adapterLedger.set(labels, checkpoint.ledger)
  metrics.adapterLagLedgers.set(labels, Math.max(0, newest - checkpoint.ledger))
  metrics.adapterLagSeconds.set(labels, isAtEnd ? 0 : Math.max(0, nowMs / 1000 - checkpoint.closeTimeSeconds))
}

/** A process that no longer has a partition does not report on it. */
export function forgetPartitionMetrics(metrics: Metrics, protocol: ProtocolId, partition: number): void {
  const labels = { protocol, partition: String(partition) }
  for (const gauge of [metrics.adapterLedger, metrics.adapterLagLedgers, metrics.adapterLagSeconds, metrics.adapterGapLedgers])
    gauge.remove(labels)
  for (const status of PARTITION_STATUSES) metrics.adapterPartitionStatus.remove({ ...labels, status })
}

function statusOf(
  adapter: Adapter,
  progress: PartitionProgress,
  control: Pick<ControlFollower, 'seen' | 'sourceEnd' | 'sourceTip'>,
  nowMs: number,
) {
  if (progress.error !== '') return 'failing'
  if (progress.checkpoint === null) return 'catching_up'
  const report = healthReport(adapter, progress, progress.checkpoint, control, nowMs)
  return partitionStatus(
    {
      reported: true,
      reported_at_ms: report.reportedAtMs,
      state: report.state,
      checkpoint_ledger: report.checkpointLedger,
      checkpoint_close_time_seconds: report.checkpointCloseTimeSeconds,
      seen_ledger: report.seenLedger,
      seen_close_time_seconds: report.seenCloseTimeSeconds,
      source_ended: report.sourceEnded,
      source_heard_at_ms: report.sourceHeardAtMs,
      progressed_at_ms: report.progressedAtMs,
      gap_before: report.gap?.before ?? null,
    },
    nowMs,
  )
}
