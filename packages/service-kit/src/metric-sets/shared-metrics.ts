// Metrics that several processes have: each process exports those of the servers that it uses.

import type { MetricDeclaration } from '../metric-declaration.ts'

/** Of every process. */
export const PROCESS_METRICS = {
  buildInfo: {
    type: 'gauge',
    name: 'orrery_build_info',
    help: 'Always 1. Labels: version of Orrery, commit (ORRERY_COMMIT, empty if it is not set), and version of Node.',
    promql: 'count by (version, commit) (orrery_build_info)',
    labels: ['version', 'commit', 'node'],
  },
} as const satisfies Record<string, MetricDeclaration>

/** Of every process that opens the event log. */
export const LOG_METRICS = {
  logRetries: {
    type: 'counter',
    name: 'orrery_log_retries_total',
    help: 'Requests to the event log that failed and were sent again. Always 0 with LMDB.',
    promql: 'rate(orrery_log_retries_total[5m])',
    labels: [],
  },
} as const satisfies Record<string, MetricDeclaration>

/** Of every process that reads or writes ClickHouse. */
export const STORE_METRICS = {
  storeRetries: {
    type: 'counter',
    name: 'orrery_store_retries_total',
    help: 'Statements that failed because ClickHouse did not answer, and were sent again.',
    promql: 'rate(orrery_store_retries_total[5m])',
    labels: [],
  },
} as const satisfies Record<string, MetricDeclaration>
