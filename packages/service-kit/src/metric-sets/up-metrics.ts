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
} as const satisfies Record<string, MetricDeclaration>
