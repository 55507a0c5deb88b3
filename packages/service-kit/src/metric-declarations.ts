// Every metric of Orrery, declared once: its help, and the PromQL that reads it. `orrery_<area>_<noun>_<unit>`, in seconds and bytes.
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

const p95 = (name: string, by = '') =>
  `histogram_quantile(0.95, sum by (le${by === '' ? '' : `, ${by}`}) (rate(${name}_bucket[5m])))` as const

export const METRICS = {
  engineRestarts: {
    type: 'counter',
    name: 'orrery_engine_restarts_total',
    help: 'Times that `orrery up` restarted its embedded ClickHouse engine and its other parts because the engine ended unexpectedly, since the process began.',
    promql: 'increase(orrery_engine_restarts_total[1h]) > 0',
    labels: [],
  },
  fetchSeconds: {
    type: 'histogram',
    name: 'orrery_fetch_duration_seconds',
    help: 'Time to read one ledger from the source, including the wait for a new ledger at the tip.',
    promql: p95('orrery_fetch_duration_seconds'),
    labels: [],
  },
  fetchLedgers: {
    type: 'counter',
    name: 'orrery_fetch_ledgers_total',
    help: 'Ledgers read from the source.',
    promql: 'rate(orrery_fetch_ledgers_total[5m])',
    labels: [],
  },
  fetchRetries: {
    type: 'counter',
    name: 'orrery_fetch_retries_total',
    help: 'Requests to the source that were retried, for example after a timeout, 429 or a truncated body.',
    promql: 'rate(orrery_fetch_retries_total[5m])',
    labels: [],
  },
  fetchBytes: {
    type: 'counter',
    name: 'orrery_fetch_bytes_total',
    help: 'Bytes of ledger metadata read from the source, uncompressed.',
    promql: 'rate(orrery_fetch_bytes_total[5m])',
    labels: [],
  },
  ingestProtocolVersion: {
    type: 'gauge',
    name: 'orrery_ingest_protocol_version_number',
    help: 'Protocol version in the header of the newest ledger that was read.',
    promql: 'orrery_ingest_protocol_version_number',
    labels: [],
  },
  ingestNewerProtocol: {
    type: 'counter',
    name: 'orrery_ingest_newer_protocol_ledgers_total',
    help: 'Ledgers read whose header has a newer protocol version than this build supports. Update Orrery when this counter increases.',
    promql: 'increase(orrery_ingest_newer_protocol_ledgers_total[15m]) > 0',
    labels: [],
  },
  extractSeconds: {
    type: 'histogram',
    name: 'orrery_extract_duration_seconds',
    help: 'Time to extract the tracked records of one ledger, discovery included.',
    promql: p95('orrery_extract_duration_seconds'),
    labels: [],
  },
  extractRecords: {
    type: 'counter',
    name: 'orrery_extract_records_total',
    help: 'Records extracted from ledgers.',
    promql: 'rate(orrery_extract_records_total[5m])',
    labels: [],
  },
  extractUnknown: {
    type: 'counter',
    name: 'orrery_extract_unknown_total',
    help: 'Observations that a fold could not use. The label `reason` is their kind (event, entry, asset, oracle, ...); the table `notices` has the exact reasons.',
    promql: 'sum by (protocol, reason) (increase(orrery_extract_unknown_total[1h]))',
    labels: ['protocol', 'reason'],
  },
  routeSeconds: {
    type: 'histogram',
    name: 'orrery_route_duration_seconds',
    help: 'Time to route the records of one ledger to partitions.',
    promql: p95('orrery_route_duration_seconds'),
    labels: [],
  },
  routeRecords: {
    type: 'counter',
    name: 'orrery_route_records_total',
    help: 'Records in slices, including copies for several partitions.',
    promql: 'sum by (protocol) (rate(orrery_route_records_total[5m]))',
    labels: ['protocol'],
  },
  appendSeconds: {
    type: 'histogram',
    name: 'orrery_append_duration_seconds',
    help: 'Time until the event log acknowledged a batch of slices.',
    promql: p95('orrery_append_duration_seconds'),
    labels: [],
  },
  appendSlices: {
    type: 'counter',
    name: 'orrery_append_slices_total',
    help: 'Slices acknowledged by the event log.',
    promql: 'sum by (protocol) (rate(orrery_append_slices_total[5m]))',
    labels: ['protocol'],
  },
  appendBytes: {
    type: 'counter',
    name: 'orrery_append_bytes_total',
    help: 'Bytes of encoded slices acknowledged by the event log.',
    promql: 'sum by (protocol) (rate(orrery_append_bytes_total[5m]))',
    labels: ['protocol'],
  },
  ingestLedger: {
    type: 'gauge',
    name: 'orrery_ingest_ledger_number',
    help: 'Newest ledger that is complete in the event log.',
    promql: 'max(orrery_ingest_ledger_number)',
    labels: [],
  },
  ingestLagLedgers: {
    type: 'gauge',
    name: 'orrery_ingest_lag_ledgers',
    help: 'Newest ledger of the source minus the newest ledger that is complete in the event log.',
    promql: 'max(orrery_ingest_lag_ledgers)',
    labels: [],
  },
  ingestLagSeconds: {
    type: 'gauge',
    name: 'orrery_ingest_lag_seconds',
    help: 'Current time minus the close time of the newest ledger in the event log; 0 after the end of a source that ends.',
    promql: 'max(orrery_ingest_lag_seconds)',
    labels: [],
  },
  ingestGapRepairs: {
    type: 'counter',
    name: 'orrery_ingest_gap_repairs_total',
    help: 'Times that ingest resent slices to a partition because its adapter reported a gap.',
    promql: 'sum by (protocol) (increase(orrery_ingest_gap_repairs_total[1h]))',
    labels: ['protocol'],
  },
  foldSeconds: {
    type: 'histogram',
    name: 'orrery_fold_duration_seconds',
    help: 'Time to fold one batch of slices into rows.',
    promql: p95('orrery_fold_duration_seconds', 'protocol'),
    labels: ['protocol'],
  },
  foldRecords: {
    type: 'counter',
    name: 'orrery_fold_records_total',
    help: 'Records folded.',
    promql: 'sum by (protocol) (rate(orrery_fold_records_total[5m]))',
    labels: ['protocol'],
  },
  writeSeconds: {
    type: 'histogram',
    name: 'orrery_write_duration_seconds',
    help: 'Time to write one batch of rows and move the checkpoint.',
    promql: p95('orrery_write_duration_seconds', 'protocol'),
    labels: ['protocol'],
  },
  writeRows: {
    type: 'counter',
    name: 'orrery_write_rows_total',
    help: 'Rows written.',
    promql: 'sum by (protocol, table) (rate(orrery_write_rows_total[5m]))',
    labels: ['protocol', 'table'],
  },
  adapterLedger: {
    type: 'gauge',
    name: 'orrery_adapter_ledger_number',
    help: 'Ledger of the checkpoint of a partition.',
    promql: 'min by (protocol) (orrery_adapter_ledger_number)',
    labels: ['protocol', 'partition'],
  },
  adapterLagLedgers: {
    type: 'gauge',
    name: 'orrery_adapter_lag_ledgers',
    help: 'Newest ledger in the control topic minus the ledger of the checkpoint of a partition.',
    promql: 'max by (protocol) (orrery_adapter_lag_ledgers)',
    labels: ['protocol', 'partition'],
  },
  adapterLagSeconds: {
    type: 'gauge',
    name: 'orrery_adapter_lag_seconds',
    help: 'Current time minus the close time of the checkpoint of a partition; 0 after the end of a source that ends.',
    promql: 'max by (protocol) (orrery_adapter_lag_seconds)',
    labels: ['protocol', 'partition'],
  },
  verifyFinished: {
    type: 'gauge',
    name: 'orrery_verify_finished_timestamp_seconds',
    help: 'Unix time at which the last `orrery verify` ended, with its verdict (equal or different) as label. No sample before the first one. Read from ClickHouse by the API every minute.',
    promql: 'orrery_verify_finished_timestamp_seconds{verdict="different"} > 0',
    labels: ['verdict'],
  },
  adapterGaps: {
    type: 'counter',
    name: 'orrery_adapter_gaps_total',
    help: 'Slices skipped because ledgers before them are missing.',
    promql: 'sum by (protocol, partition) (increase(orrery_adapter_gaps_total[1h]))',
    labels: ['protocol', 'partition'],
  },
  adapterErrors: {
    type: 'counter',
    name: 'orrery_adapter_errors_total',
    help: 'Failures of a partition, by kind of error.',
    promql: 'sum by (protocol, kind) (increase(orrery_adapter_errors_total[1h]))',
    labels: ['protocol', 'kind'],
  },
  apiRequestSeconds: {
    type: 'histogram',
    name: 'orrery_api_request_duration_seconds',
    help: 'Time from the first byte of a request to the last byte of its answer, by route and status.',
    promql: p95('orrery_api_request_duration_seconds', 'route'),
    labels: ['route', 'status'],
  },
  apiInFlight: {
    type: 'gauge',
    name: 'orrery_api_in_flight_requests',
    help: 'Requests in progress.',
    promql: 'sum(orrery_api_in_flight_requests)',
    labels: [],
  },
  apiWaiting: {
    type: 'gauge',
    name: 'orrery_api_waiting_requests',
    help: 'Requests that wait for their turn to be computed, because their organization or the instance computes as many answers as it may.',
    promql: 'max by (instance) (max_over_time(orrery_api_waiting_requests[5m]))',
    labels: [],
  },
  apiClientsGone: {
    type: 'counter',
    name: 'orrery_api_clients_gone_total',
    help: 'Requests whose client closed the connection before the answer.',
    promql: 'sum by (route) (increase(orrery_api_clients_gone_total[5m]))',
    labels: ['route'],
  },
  apiLimiterFailures: {
    type: 'counter',
    name: 'orrery_api_limiter_failures_total',
    help: 'Requests that were not rate limited because the store of the rate limiter failed.',
    promql: 'increase(orrery_api_limiter_failures_total[5m])',
    labels: [],
  },
  apiBusFailures: {
    type: 'counter',
    name: 'orrery_api_bus_failures_total',
    help: 'Changes of keys and limits that could not be published to other instances, which read them within 5 s.',
    promql: 'increase(orrery_api_bus_failures_total[5m])',
    labels: [],
  },
  apiCache: {
    type: 'counter',
    name: 'orrery_api_cache_total',
    help: 'Answers by result of the response cache: hit, miss, or failed when its store could not be read.',
    promql: 'sum by (outcome) (rate(orrery_api_cache_total[5m]))',
    labels: ['outcome'],
  },
  apiReadThrough: {
    type: 'counter',
    name: 'orrery_api_read_through_total',
    help: 'Reads of positions that predate the index, by outcome: read from the RPC, kept from an earlier read, limited (not requested, to protect the RPC), or failed. An answer lacks these positions if the outcome is limited or failed.',
    promql: 'sum by (outcome) (rate(orrery_api_read_through_total[5m]))',
    labels: ['outcome'],
  },
} as const satisfies Record<string, MetricDeclaration>
