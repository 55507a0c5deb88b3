// What a metric declares: its help, and the PromQL that reads it. `orrery_<area>_<noun>_<unit>`, in seconds and bytes.
// Labels are few and have a fixed set of values (`protocol`, `partition`, `route`, `status`): an account or a pool is never one.

export interface MetricDeclaration {
  readonly type: 'counter' | 'gauge' | 'histogram'
  readonly name: string
  /** One sentence. */
  readonly help: string
  /** The query for a dashboard. */
  readonly promql: string
  readonly labels: readonly string[]
}

/** The 95th percentile of the last five minutes of a histogram. */
export const p95 = (name: string, by = '') =>
  `histogram_quantile(0.95, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${name}_bucket[5m])))` as const
