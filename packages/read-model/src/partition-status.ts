// The status of a partition, from its last report and the clock. The API, the metrics and `orrery status` all use it.

export const PARTITION_STATUSES = ['healthy', 'catching_up', 'stalled', 'failing'] as const
export type PartitionStatus = (typeof PARTITION_STATUSES)[number]

/** The last health report of one partition. */
export interface PartitionHealth {
  readonly protocol: string
  /** The number under which the rows are written. */
  readonly index_version: number
  /** Version of the adapter's code. */
  readonly adapter_version: number
  /** A version that is folded beside the active one; 0 without one. */
  readonly replay_index_version: number
  readonly replay_adapter_version: number
  /** Its checkpoint in this partition. */
  readonly replay_ledger: number
  readonly partition: number
  /** False if the partition never reported: everything below is zero then. */
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
  /** Of the process that reported last, in the hour before its report: 0 again after a restart. */
  readonly errors_last_hour: number
  readonly contracts_tracked: number
}

/** The facts of a report that its status depends on. */
type StatusFacts = Pick<
  PartitionHealth,
  | 'reported'
  | 'reported_at_ms'
  | 'state'
  | 'checkpoint_ledger'
  | 'checkpoint_close_time_seconds'
  | 'seen_ledger'
  | 'seen_close_time_seconds'
  | 'source_ended'
  | 'source_heard_at_ms'
  | 'progressed_at_ms'
  | 'gap_before'
>

/** A partition may be this far behind the newest ledger of the source, or this long without a report or progress while the source moves. */
const PATIENCE_SECONDS = 60

/**
 * | status      | when                                                                                    |
 * |-------------|-----------------------------------------------------------------------------------------|
 * | failing     | the last attempt failed, the partition is quarantined, or the log has a gap             |
 * | healthy     | not more than a minute behind the newest ledger of the source, or at its end            |
 * | catching_up | more than a minute behind, and it makes progress                                        |
 * | stalled     | a minute without progress although more is there, or without a report or a source       |
 *
 * The newest ledger seen is the tip of the source, as ingest reports it. The age of that ledger is not used, because a recorded network may be
 * served like a live one. A log without such a report is judged against the clock: a network closes a ledger every few seconds.
 */
export function partitionStatus(health: StatusFacts, nowMs: number): PartitionStatus {
  if (!health.reported) return 'catching_up'
  if (health.state === 'failing' || health.state === 'quarantined' || health.gap_before !== null) return 'failing'
  const atEndOfLog = health.checkpoint_ledger >= health.seen_ledger
  if (health.source_ended && atEndOfLog) return 'healthy'
  const silentSeconds = (nowMs - health.reported_at_ms) / 1000
  const withoutProgressSeconds = (nowMs - health.progressed_at_ms) / 1000
  if (silentSeconds > PATIENCE_SECONDS || (!atEndOfLog && withoutProgressSeconds > PATIENCE_SECONDS)) return 'stalled'
  const isTipReported = health.source_ended || health.source_heard_at_ms > 0
  const tipSeconds = isTipReported ? health.seen_close_time_seconds : Math.max(health.seen_close_time_seconds, nowMs / 1000)
  if (tipSeconds - health.checkpoint_close_time_seconds > PATIENCE_SECONDS) return 'catching_up'
  const unheardSeconds = health.source_ended || !isTipReported ? 0 : (nowMs - health.source_heard_at_ms) / 1000
  return unheardSeconds > PATIENCE_SECONDS ? 'stalled' : 'healthy'
}
