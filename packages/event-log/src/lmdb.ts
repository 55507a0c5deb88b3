// The event log on LMDB: the embedded default, a folder on a local disk.
// Several processes may open one folder; LMDB lets one of them write at a time and readers never wait for it.
// Retention is applied on append. The newest record of a partition always stays, because a restarted writer continues from it.

import { setImmediate as turn } from 'node:timers/promises'
import { OrreryError, reasonOf } from '@orrery/errors'
import type { EventLog, LogPartition, LogRecord, Share, TopicSettings } from './event-log.ts'
import { type LmdbEnvironment, openLmdbEnvironment } from './lmdb-environment.ts'
import {
  appendedAtSecondsOf,
  groupKey,
  offsetOf,
  partitionKey,
  readPartitionState,
  readRecord,
  recordKey,
  type StoredTopic,
  writePartitionState,
  writeRecord,
  writeU64,
} from './lmdb-layout.ts'
import { partitionsDiffer, partitionUnknown, topicUnknown } from './topic-refusals.ts'

/** A batch ends at the first of these limits: large enough for speed, small enough for memory. */
const BATCH_RECORDS = 2_000
const BATCH_BYTES = 4 * 1024 * 1024
/** Most records that one append removes in addition to the number that it adds, so that a shortened retention does not stop the writer. */
const DROPS_AN_APPEND = 1_000

const LAST_OFFSET = 0xffff_ffff_ffff_ffffn

export interface LmdbOptions {
  /** The clock of retention, in Unix seconds. */
  readonly nowSeconds?: () => number
}

export class LmdbEventLog implements EventLog {
  readonly #env: LmdbEnvironment
  readonly #nowSeconds: () => number
  readonly #closed = new AbortController()

  constructor(directory: string, { nowSeconds = () => Math.floor(Date.now() / 1000) }: LmdbOptions = {}) {
    this.#env = openLmdbEnvironment(directory)
    this.#nowSeconds = nowSeconds
  }

  async ensureTopic(topic: string, settings: TopicSettings): Promise<void> {
    await this.#write(() => {
      const known = this.#topic(topic)
      if (known && known.partitions !== settings.partitions) throw partitionsDiffer(topic, known.partitions, settings.partitions)
      const number = known?.number ?? this.#env.topics.getCount() + 1
      const { partitions, retentionSeconds, retentionBytes } = settings
      this.#env.topics.put(topic, JSON.stringify({ number, partitions, retentionSeconds, retentionBytes } satisfies StoredTopic))
    })
    this.#env.announce()
  }

  async append(to: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    if (values.length === 0) return
    await this.#write(() => {
      const topic = this.#topic(to.topic)
      if (!topic) throw topicUnknown(to)
      const partition = this.#partition(topic, to)
      const appendedAtSeconds = this.#nowSeconds()
      let { next, bytes } = readPartitionState(this.#env.partitions.get(partition))
      for (const value of values) {
        const record = writeRecord(value, appendedAtSeconds)
        this.#env.records.put(recordKey(partition, next), record)
        next += 1n
        bytes += BigInt(record.length)
      }
      bytes -= this.#dropOld(topic, partition, next, bytes, values.length)
      this.#env.partitions.put(partition, writePartitionState({ next, bytes }))
    })
    this.#env.announce()
  }

  async *read(from: LogPartition, offset: bigint, signal: AbortSignal): AsyncIterable<readonly LogRecord[]> {
    const stop = AbortSignal.any([signal, this.#closed.signal])
    let next = offset
    while (!stop.aborted) {
      const batch = this.#batch(from, next)
      const newest = batch.at(-1)
      if (newest) {
        next = newest.offset + 1n
        yield batch
      } else {
        await this.#env.newRecords(stop)
      }
    }
  }

  async last(of: LogPartition): Promise<LogRecord | null> {
    const partition = this.#find(of)
    if (!partition) return null
    const newest = { start: recordKey(partition, LAST_OFFSET), end: recordKey(partition, 0n), reverse: true, limit: 1, inclusiveEnd: true }
    for (const { key, value } of this.#env.records.getRange(newest)) {
      const offset = offsetOf(key)
      return { offset, value: readRecord(value, of, offset).value }
    }
    return null
  }

  async end(of: LogPartition): Promise<bigint> {
    const partition = this.#find(of)
    return partition ? readPartitionState(this.#env.partitions.get(partition)).next : 0n
  }

  async commit(group: string, at: LogPartition, nextOffset: bigint): Promise<void> {
    await this.#write(() => {
      const partition = this.#find(at)
      if (partition) this.#env.groups.put(groupKey(partition, group), writeU64(nextOffset))
    })
  }

  async committed(group: string, at: LogPartition): Promise<bigint> {
    const partition = this.#find(at)
    return (partition && this.#env.groups.get(groupKey(partition, group)))?.readBigUInt64BE() ?? 0n
  }

  /** Processes cannot be detected through a folder: every caller gets all partitions, and the share never changes. */
  async *shares(topic: string, _group: string, signal: AbortSignal): AsyncIterable<Share> {
    const stop = AbortSignal.any([signal, this.#closed.signal])
    while (!stop.aborted) {
      this.#env.root.resetReadTxn()
      const made = this.#topic(topic)
      if (made) {
        const never = new AbortController().signal
        yield { partitions: Array.from({ length: made.partitions }, (_, partition) => partition), changed: stop, lost: never }
        return
      }
      await this.#env.newRecords(stop)
    }
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return
    this.#closed.abort()
    await this.#env.release()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  #batch(from: LogPartition, offset: bigint): LogRecord[] {
    const partition = this.#find(from)
    if (!partition) return []
    const batch: LogRecord[] = []
    let bytes = 0
    const range = { start: recordKey(partition, offset), end: recordKey(partition, LAST_OFFSET), limit: BATCH_RECORDS }
    for (const { key, value } of this.#env.records.getRange(range)) {
      const at = offsetOf(key)
      batch.push({ offset: at, value: readRecord(value, from, at).value })
      bytes += value.length
      if (bytes >= BATCH_BYTES) break
    }
    return batch
  }

  /** Removes records beyond the retention, oldest first, and returns their bytes. */
  #dropOld(topic: StoredTopic, partition: Buffer, next: bigint, bytes: bigint, added: number): bigint {
    if (topic.retentionBytes === null && topic.retentionSeconds === null) return 0n
    const keepFrom = topic.retentionSeconds === null ? 0 : this.#nowSeconds() - topic.retentionSeconds
    const drop: Buffer[] = []
    let dropped = 0n
    const all = { start: recordKey(partition, 0n), end: recordKey(partition, next - 1n), limit: DROPS_AN_APPEND + added }
    for (const { key, value } of this.#env.records.getRange(all)) {
      const tooMuch = topic.retentionBytes !== null && bytes - dropped > BigInt(topic.retentionBytes)
      if (!tooMuch && appendedAtSecondsOf(value) >= keepFrom) break
      drop.push(key)
      dropped += BigInt(value.length)
    }
    for (const key of drop) this.#env.records.remove(key)
    return dropped
  }

  /** The partition's key, or null when the topic does not exist yet: it reads as empty then. */
  #find(at: LogPartition): Buffer | null {
    if (this.#closed.signal.aborted) throw new OrreryError('bug', 'internal', 'The event log was used after it was closed.')
    this.#env.root.resetReadTxn() // otherwise a read in the same event turn as an earlier one sees its snapshot
    const topic = this.#topic(at.topic)
    return topic ? this.#partition(topic, at) : null
  }

  #topic(name: string): StoredTopic | null {
    const stored = this.#env.topics.get(name)
    return stored === undefined ? null : JSON.parse(stored)
  }

  #partition(topic: StoredTopic, at: LogPartition): Buffer {
    if (!Number.isInteger(at.partition) || at.partition < 0 || at.partition >= topic.partitions) {
      throw partitionUnknown(at, topic.partitions)
    }
    return partitionKey(topic.number, at.partition)
  }

  /** Runs `work` in a write transaction and resolves when it is on the disk. Calls of one event turn share a commit. */
  async #write(work: () => void): Promise<void> {
    try {
      await this.#env.root.transaction(work)
    } catch (cause) {
      if (cause instanceof OrreryError) throw cause
      const reason = await commitReasonOf(cause)
      const message = `The event log could not be written: ${reason}. What it acknowledged before is safe. Check the disk, then start again.`
      throw new OrreryError('unavailable', 'log_unreachable', message, { cause })
    }
  }
}

/** LMDB's binding reports why a commit failed by a separate promise, which would end the process if it were not handled. */
async function commitReasonOf(cause: unknown): Promise<string> {
  if (!(cause instanceof Error && 'commitError' in cause && cause.commitError instanceof Promise)) return reasonOf(cause)
  const reported = cause.commitError.catch(reasonOf)
  return Promise.race([reported, turn(cause.message)])
}
