// Reads one partition from its leader, request by request, from any offset. Without a group, so that no rebalance can take the partition away.

import { setTimeout as delay } from 'node:timers/promises'
import type { LogPartition, LogRecord } from '../event-log.ts'
import { type KafkaConnection, visibleMessages } from './kafka-connection.ts'
import { kafkaErrorType } from './kafka-error.ts'
import type { FetchedMessage } from './kafkajs-internals.ts'

/** A leader without new records answers after this long. */
const WAIT_MS = 500
/** How often a missing topic, or an offset beyond the end, is polled. */
const LOOK_AGAIN_MS = 250
const FETCH_BYTES = 8 * 1024 * 1024
/** Records that another program wrote in a transaction are visible after its commit. */
const READ_COMMITTED = 1
const EARLIEST = -2
const LATEST = -1

/** Yields records from `offset` on, then waits for more. Ends without an error when `signal` aborts. */
export async function* readPartition(
  connection: KafkaConnection,
  from: LogPartition,
  offset: bigint,
  signal: AbortSignal,
): AsyncIterable<readonly LogRecord[]> {
  let next = offset
  while (!signal.aborted) {
    const fetched = await fetchFrom(connection, from, next, WAIT_MS, signal)
    if (fetched === 'out of range') {
      const oldest = await firstOffset(connection, from, signal)
      if (oldest > next) next = oldest
      else await pause(signal)
    } else if (fetched === null) {
      await pause(signal)
    } else {
      next = fetched.next
      if (fetched.records.length > 0) yield fetched.records
    }
  }
}

/** Offset of the oldest remaining record. */
async function firstOffset(connection: KafkaConnection, at: LogPartition, signal?: AbortSignal): Promise<bigint> {
  return offsetAt(connection, at, EARLIEST, signal)
}

/** Offset that the next record gets at the earliest. 0 for a topic that does not exist. */
export async function nextOffset(connection: KafkaConnection, at: LogPartition): Promise<bigint> {
  return offsetAt(connection, at, LATEST)
}

/** The newest record, or null. Looks back twice as far each time, because the last offsets may be markers of transactions. */
export async function newestRecord(connection: KafkaConnection, of: LogPartition): Promise<LogRecord | null> {
  const [oldest, end] = [await firstOffset(connection, of), await nextOffset(connection, of)]
  for (let back = 1n; end > oldest; back *= 2n) {
    let next = end - back > oldest ? end - back : oldest
    const start = next
    let newest: LogRecord | null = null
    while (next < end) {
      const fetched = await fetchFrom(connection, of, next, 0)
      if (fetched === null || fetched === 'out of range' || fetched.next === next) break
      newest = fetched.records.at(-1) ?? newest
      next = fetched.next
    }
    if (newest !== null || start === oldest) return newest
  }
  return null
}

interface Fetched {
  readonly records: readonly LogRecord[]
  /** The next offset: after everything in the answer, also records that readers may not see. */
  readonly next: bigint
}

/** Records from `offset` on; empty when there are no new ones; null when the topic does not exist. */
async function fetchFrom(
  connection: KafkaConnection,
  { topic, partition }: LogPartition,
  offset: bigint,
  maxWaitTime: number,
  signal?: AbortSignal,
): Promise<Fetched | null | 'out of range'> {
  const partitions = [{ partition, fetchOffset: String(offset), maxBytes: FETCH_BYTES }]
  const request = { maxWaitTime, minBytes: 1, maxBytes: FETCH_BYTES, isolationLevel: READ_COMMITTED, topics: [{ topic, partitions }] }
  try {
    const answer = await connection.atLeader(topic, partition, (leader) => leader.fetch(request), signal)
    if (answer === null) return null
    const fetched = answer.responses[0]?.partitions[0] ?? { messages: [] }
    const newest = BigInt(fetched.messages.at(-1)?.offset ?? -1)
    const visible = visibleMessages(topic, offset, fetched)
    return { records: visible.map(recordOf), next: newest < offset ? offset : newest + 1n }
  } catch (error) {
    if (kafkaErrorType(error) === 'OFFSET_OUT_OF_RANGE') return 'out of range'
    throw error
  }
}

async function offsetAt(
  connection: KafkaConnection,
  { topic, partition }: LogPartition,
  timestamp: number,
  signal?: AbortSignal,
): Promise<bigint> {
  const request = { isolationLevel: READ_COMMITTED, topics: [{ topic, partitions: [{ partition, timestamp }] }] }
  const answer = await connection.atLeader(topic, partition, (leader) => leader.listOffsets(request), signal)
  return BigInt(answer?.responses[0]?.partitions[0]?.offset ?? 0)
}

function recordOf({ offset, value }: FetchedMessage): LogRecord {
  return { offset: BigInt(offset), value: value ?? new Uint8Array() }
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined) // aborted
}
