// The index as its rows show it, for /metrics: read at each scrape, so that it is true also when the processes that write rows have ended.

import { setTimeout as delay } from 'node:timers/promises'
import { PARTITION_STATUSES, type PartitionHealth, partitionStatus, type ReadModel, readPartitionHealth } from '@orrery/read-model'
import type { Clock, Metrics } from '@orrery/service-kit'

interface IndexMetrics {
  readonly readModel: ReadModel
  readonly clock: Clock
  readonly metrics: Metrics
}

/** A scrape must be answered also when the database is not: Prometheus waits for ten seconds by default. */
const WITHIN_MS = 2_000

/** Sets the metrics of the index at each scrape, until the function that it returns is called. */
export function reportIndexMetrics({ readModel, clock, metrics }: IndexMetrics): () => void {
  return metrics.onScrape(async () => {
    const read = await withinTime(readIndex(readModel))
    forget(metrics)
    metrics.apiDatabaseUp.set(read === null ? 0 : 1)
    if (read !== null) set(metrics, read, clock.nowMs())
  })
}

type ReadIndex = Awaited<ReturnType<typeof readIndex>>

async function readIndex(readModel: ReadModel) {
  const [watermark, partitions] = await Promise.all([
    readModel.watermark(),
    readPartitionHealth(readModel, { tag: { route: '/metrics', requestId: 'scrape' } }),
  ])
  return { watermark, partitions }
}

/** Null when the database failed or did not answer in time: `orrery_api_database_status` is 0 then. */
async function withinTime<T>(work: Promise<T>): Promise<T | null> {
  const ended = new AbortController()
  const late = delay(WITHIN_MS, null, { signal: ended.signal }).catch(() => null)
  return Promise.race([work.catch(() => null), late]).finally(() => ended.abort())
}

function set(metrics: Metrics, { watermark, partitions }: ReadIndex, nowMs: number): void {
  for (const health of partitions) {
    const labels = { protocol: health.protocol, partition: String(health.partition) }
    const current = partitionStatus(health, nowMs)
    for (const status of PARTITION_STATUSES) metrics.indexPartitionStatus.set({ ...labels, status }, status === current ? 1 : 0)
    metrics.indexGapLedgers.set(labels, gapOf(health))
    metrics.indexErrors.set(labels, health.errors_last_hour)
    metrics.indexVersion.set({ protocol: health.protocol }, health.adapter_version)
  }
  if (watermark.ledger === 0) return
  const isAtEnd = partitions.every(({ source_ended, checkpoint_ledger, seen_ledger }) => source_ended && checkpoint_ledger >= seen_ledger)
  metrics.indexLedger.set(watermark.ledger)
  metrics.indexLagSeconds.set(isAtEnd ? 0 : Math.max(0, nowMs / 1000 - watermark.closeTimeSeconds))
}

function gapOf({ gap_after: after, gap_before: before }: PartitionHealth): number {
  return after === null || before === null ? 0 : before - after
}

/** Values of the last scrape would be taken for those of now. */
function forget(metrics: Metrics): void {
  for (const gauge of [metrics.indexPartitionStatus, metrics.indexGapLedgers, metrics.indexErrors, metrics.indexVersion]) gauge.reset()
  for (const gauge of [metrics.indexLedger, metrics.indexLagSeconds]) gauge.remove()
}
