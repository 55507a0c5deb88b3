// The metrics that only `orrery up` has: its engine and its parts.

import type { MetricDeclaration } from '../metric-declaration.ts'

export const UP_METRICS = {
  engineRestarts: {
    type: 'counter',
    name: 'orrery_engine_restarts_total',
    help: 'Times that `orrery up` restarted its embedded ClickHouse engine and its other parts because the engine ended unexpectedly, since the process began.',
    promql: 'increase(orrery_engine_restarts_total[1h]) > 0',
    labels: [],
  },
  partRunning: {
    type: 'gauge',
    name: 'orrery_part_running_status',
    help: 'Whether this part of `orrery up` runs: 1, or 0 while it waits for its next start after a failure. The label `part` is `ingest` or a protocol.',
    promql: 'min by (part) (orrery_part_running_status)',
    labels: ['part'],
  },
  partFailures: {
    type: 'counter',
    name: 'orrery_part_failures_total',
    help: 'Failures of this part of `orrery up` since the process began. It is started again, the other parts go on.',
    promql: 'sum by (part) (increase(orrery_part_failures_total[1h]))',
    labels: ['part'],
  },
} as const satisfies Record<string, MetricDeclaration>
