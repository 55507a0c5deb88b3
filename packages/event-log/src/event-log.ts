// The log between ingest and the adapters. Its guarantees are those that Kafka can give; `contract.ts` checks them on every driver.

/** One partition of one topic. Topics are named by `topics.ts`. */
export interface LogPartition {
  readonly topic: string
  readonly partition: number
}

export interface LogRecord {
  /** Grows along a partition but need not be consecutive: never use it to count records. */
  readonly offset: bigint
  readonly value: Uint8Array
}

export interface TopicSettings {
  readonly partitions: number
  /** Records older than this may be dropped, oldest first. Null: records are never removed. */
  readonly retentionSeconds: number | null
  /** Bytes of a partition beyond which the oldest records may be dropped. Null: no limit. */
  readonly retentionBytes: number | null
}

/** The partitions of a topic that one process may follow, until the group of processes changes. */
export interface Share {
  /** Empty when there are more processes than partitions: this one stands by. */
  readonly partitions: readonly number[]
  /** Aborts when the group changes: finish, store what is folded, and request the next share. */
  readonly changed: AbortSignal
  /** Aborts, together with `changed`, when the session of this process has expired and others may have its partitions: store nothing more. */
  readonly lost: AbortSignal
}

/**
 * An ordered, persistent log. A partition is read in the order in which it was written, and has one writer.
 * Errors: `unavailable`/`log_unreachable` when the driver cannot be reached, `invalid`/`topic_mismatch` when a topic exists with another
 * number of partitions, `topic_unknown` or `partition_unknown` for an append to one that does not exist,
 * `corrupt`/`log_record_broken` when a stored record cannot be read. A topic that does not exist yet reads as empty: readers may start first.
 */
export interface EventLog extends AsyncDisposable {
  /** Creates the topic, or checks an existing one. Retention may be changed; another partition count is refused. */
  ensureTopic(topic: string, settings: TopicSettings): Promise<void>
  /** Resolves once every value survives `kill -9`. A retry may append twice: readers skip repeats by ledger. */
  append(to: LogPartition, values: readonly Uint8Array[]): Promise<void>
  /**
   * Yields batches from `offset` on, never an empty one, then waits for more. Ends without an error when `signal` aborts.
   * An offset before the oldest remaining record starts at that record.
   */
  read(from: LogPartition, offset: bigint, signal: AbortSignal): AsyncIterable<readonly LogRecord[]>
  /** The newest record of a partition, or null when it has none. */
  last(of: LogPartition): Promise<LogRecord | null>
  /** Offset that the next append would get at the earliest: a reader whose next offset equals it has read everything. */
  end(of: LogPartition): Promise<bigint>
  /** Stores where `group` would start next. Only a hint: losing it repeats work and loses nothing. */
  commit(group: string, at: LogPartition, nextOffset: bigint): Promise<void>
  /** The last committed offset of `group`, or 0n. */
  committed(group: string, at: LogPartition): Promise<bigint>
  /**
   * Divides the partitions of `topic` among all processes of `group` that call this, one process per partition as far as they can know.
   * Yields this process's share, and the next one after every change. Requesting the next share hands over the one before.
   * A driver without other processes yields all partitions. Waits until the topic exists. Ends when `signal` aborts.
   */
  shares(topic: string, group: string, signal: AbortSignal): AsyncIterable<Share>
  close(): Promise<void>
}
