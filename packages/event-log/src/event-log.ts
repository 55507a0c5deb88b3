// The log between ingest and the adapters. Its promises are shaped by what Kafka can keep; `contract.ts` checks them on every driver.

/** One partition of one topic. Topics are named by `topics.ts`. */
export interface LogPartition {
  readonly topic: string
  readonly partition: number
}

export interface LogRecord {
  /** Grows along a partition and may have holes: never count with it. */
  readonly offset: bigint
  readonly value: Uint8Array
}

export interface TopicSettings {
  readonly partitions: number
  /** Records older than this may be dropped, oldest first. Null keeps them for ever. */
  readonly retentionSeconds: number | null
  /** Bytes of a partition beyond which the oldest records may be dropped. Null: no limit. */
  readonly retentionBytes: number | null
}

/** What one process may follow of a topic, until the group of those who follow it changes. */
export interface Share {
  /** None when there are more processes than partitions: that one stands by. */
  readonly partitions: readonly number[]
  /** Aborts when the group changes: finish, store what is done, and ask for the next share. */
  readonly changed: AbortSignal
  /** Aborts, and `changed` with it, when this process was away for so long that others have its partitions: store nothing more. */
  readonly lost: AbortSignal
}

/**
 * An ordered log that outlives its writers. A partition is read in the order it was written and has one writer.
 * Errors: `unavailable`/`log_unreachable` when the driver cannot be reached, `invalid`/`topic_mismatch` when a topic exists with another
 * number of partitions, `topic_unknown` or `partition_unknown` when something is appended where nothing can be,
 * `corrupt`/`log_record_broken` when a stored record cannot be read. A topic that nobody made yet reads as empty: readers may come first.
 */
export interface EventLog extends AsyncDisposable {
  /** Makes the topic, or checks that it is as asked. Changing retention is allowed, changing the partition count is refused. */
  ensureTopic(topic: string, settings: TopicSettings): Promise<void>
  /** Resolves once every value would survive `kill -9`. A retry may append twice: readers drop repeats by ledger. */
  append(to: LogPartition, values: readonly Uint8Array[]): Promise<void>
  /**
   * Yields batches from `offset` on, never an empty one, then waits for news. Ends quietly when `signal` aborts.
   * An offset older than what retention kept starts at the oldest record kept.
   */
  read(from: LogPartition, offset: bigint, signal: AbortSignal): AsyncIterable<readonly LogRecord[]>
  /** The newest record of a partition, or null when it has none. */
  last(of: LogPartition): Promise<LogRecord | null>
  /** Offset that the next append would get at the earliest: a reader whose next offset equals it has seen everything. */
  end(of: LogPartition): Promise<bigint>
  /** Remembers where `group` would start next. A hint: losing it repeats work and loses nothing. */
  commit(group: string, at: LogPartition, nextOffset: bigint): Promise<void>
  /** The last committed offset of `group`, or 0n. */
  committed(group: string, at: LogPartition): Promise<bigint>
  /**
   * Divides the partitions of `topic` among all processes of `group` that ask for a share, one process a partition as far as they can know.
   * Yields this process's share, and the next one after every change. Asking for the next one says that the share before is handed over.
   * A driver that knows of no other processes yields all partitions. Waits until the topic was made. Ends when `signal` aborts.
   */
  shares(topic: string, group: string, signal: AbortSignal): AsyncIterable<Share>
  close(): Promise<void>
}
