// Reads one partition by its leader, request by request, from any offset: no group, so nothing that could take the partition away.

import { setTimeout as delay } from 'node:timers/promises'
import type { LogPartition, LogRecord } from '../event-log.ts'
import type { FetchedMessage, KafkaConnection } from './kafka-connection.ts'
import { kafkaErrorType } from './kafka-error.ts'
import { untilAborted } from './until-aborted.ts'

/** A leader without news answers after this long. */
const WAIT_MS = 500
/** How often a topic that nobody made, or an offset that nobody reached, is looked for. */
const LOOK_AGAIN_MS = 250
const FETCH_BYTES = 8 * 1024 * 1024
/** What another program wrote in a transaction is shown when it is committed. */
const READ_COMMITTED = 1
const EARLIEST = -2
const LATEST = -1

/** Yields what is in the log from `offset` on, then waits for more. Ends quietly when `signal` aborts. */
export async function* readPartition(
  connection: KafkaConnection,
  from: LogPartition,
  offset: bigint,
  signal: AbortSignal,
): AsyncIterable<readonly LogRecord[]> {
  let next = offset
  while (!signal.aborted) {
    const messages = await untilAborted(fetchFrom(connection, from, next, WAIT_MS, signal), signal)
    if (messages === 'out of range') {
      const oldest = await untilAborted(firstOffset(connection, from), signal)
      if (oldest !== null && oldest > next) next = oldest
      else await pause(signal)
    } else if (messages === null) {
      await pause(signal)
    } else {
      const newest = messages.at(-1)
      if (newest === undefined) continue
      const records = recordsOf(messages)
      next = BigInt(newest.offset) + 1n
      if (records.length > 0) yield records
    }
  }
}

/** Offset of the oldest record kept. */
async function firstOffset(connection: KafkaConnection, at: LogPartition): Promise<bigint> {
  return offsetAt(connection, at, EARLIEST)
}

/** Offset that the next record gets at the earliest. 0 for a topic that nobody made. */
export async function nextOffset(connection: KafkaConnection, at: LogPartition): Promise<bigint> {
  return offsetAt(connection, at, LATEST)
}

/** The newest record, or null. Looks back twice as far each time: the last offsets may be marks of transactions. */
export async function newestRecord(connection: KafkaConnection, of: LogPartition): Promise<LogRecord | null> {
  const [oldest, end] = [await firstOffset(connection, of), await nextOffset(connection, of)]
  for (let back = 1n; end > oldest; back *= 2n) {
    let next = end - back > oldest ? end - back : oldest
    const start = next
    let newest: LogRecord | null = null
    while (next < end) {
      const messages = await fetchFrom(connection, of, next, 0)
      if (messages === null || messages === 'out of range' || messages.length === 0) break
      newest = recordsOf(messages).at(-1) ?? newest
      next = BigInt(messages.at(-1)?.offset ?? next) + 1n
    }
    if (newest !== null || start === oldest) return newest
  }
  return null
}

/** Messages from `offset` on; none when there is no news; null when nobody made the topic. */
async function fetchFrom(
  connection: KafkaConnection,
  { topic, partition }: LogPartition,
  offset: bigint,
  maxWaitTime: number,
  signal?: AbortSignal,
): Promise<readonly FetchedMessage[] | null | 'out of range'> {
  const partitions = [{ partition, fetchOffset: String(offset), maxBytes: FETCH_BYTES }]
  const request = { maxWaitTime, minBytes: 1, maxBytes: FETCH_BYTES, isolationLevel: READ_COMMITTED, topics: [{ topic, partitions }] }
  try {
    const answer = await connection.atLeader(topic, partition, (leader) => leader.fetch(request), signal)
    if (answer === null) return null
    const messages = answer.responses[0]?.partitions[0]?.messages ?? []
    return messages.filter((message) => BigInt(message.offset) >= offset) // a batch is sent whole, also from its middle on
  } catch (error) {
    if (kafkaErrorType(error) === 'OFFSET_OUT_OF_RANGE') return 'out of range'
    throw error
  }
}

async function offsetAt(connection: KafkaConnection, { topic, partition }: LogPartition, timestamp: number): Promise<bigint> {
  const request = { isolationLevel: READ_COMMITTED, topics: [{ topic, partitions: [{ partition, timestamp }] }] }
  const answer = await connection.atLeader(topic, partition, (leader) => leader.listOffsets(request))
  return BigInt(answer?.responses[0]?.partitions[0]?.offset ?? 0)
}

function recordsOf(messages: readonly FetchedMessage[]): LogRecord[] {
  return messages
    .filter(({ isControlRecord }) => isControlRecord !== true)
    .map(({ offset, value }) => ({ offset: BigInt(offset), value: value ?? new Uint8Array() }))
}

async function pause(signal: AbortSignal): Promise<void> {
  await delay(LOOK_AGAIN_MS, undefined, { signal }).catch(() => undefined) // aborted
}
