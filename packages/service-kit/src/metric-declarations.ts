// Every metric of Orrery, declared once, by the part that has it. A process exports the metrics of its own parts and no others: a metric that
// stays at 0 in a process that never sets it would hide that the process that does set it has ended.

import { ADAPTER_METRICS } from './metric-sets/adapter-metrics.ts'
import { API_METRICS } from './metric-sets/api-metrics.ts'
import { INGEST_METRICS } from './metric-sets/ingest-metrics.ts'
import { NOTIFY_METRICS } from './metric-sets/notify-metrics.ts'
import { LOG_METRICS, PROCESS_METRICS, STORE_METRICS } from './metric-sets/shared-metrics.ts'
import { UP_METRICS } from './metric-sets/up-metrics.ts'

export const METRICS = {
  ...PROCESS_METRICS,
  ...LOG_METRICS,
  ...STORE_METRICS,
  ...INGEST_METRICS,
  ...ADAPTER_METRICS,
  ...API_METRICS,
  ...NOTIFY_METRICS,
  ...UP_METRICS,
}

/** The metrics of each part. `orrery up` has all parts. */
export const METRICS_OF = {
  ingest: { ...PROCESS_METRICS, ...LOG_METRICS, ...STORE_METRICS, ...INGEST_METRICS },
  adapter: { ...PROCESS_METRICS, ...LOG_METRICS, ...STORE_METRICS, ...ADAPTER_METRICS },
  api: { ...PROCESS_METRICS, ...STORE_METRICS, ...API_METRICS },
  notify: { ...PROCESS_METRICS, ...STORE_METRICS, ...NOTIFY_METRICS },
  up: METRICS,
}

/** A process by its command. */
export type MetricsOwner = keyof typeof METRICS_OF
