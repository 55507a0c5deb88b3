// The event log on Kafka, for parts that run apart, also on several machines.
// Workarounds for kafkajs are in kafka-writer, kafka-connection and group-member.

import { OrreryError } from '@orrery/errors'
import type { Admin, Kafka } from 'kafkajs'
import type { EventLog, LogPartition, LogRecord, Share, TopicSettings } from '../event-log.ts'
import { partitionUnknown, topicUnknown } from '../topic-refusals.ts'
import { shareOf } from './group-member.ts'
import { openKafka, workTimeoutMs } from './kafka-client.ts'
import { KafkaConnection } from './kafka-connection.ts'
import { kafkaError } from './kafka-error.ts'
import type { KafkaAddress } from './kafka-options.ts'
import { newestRecord, nextOffset, readPartition } from './kafka-reader.ts'
import { ensureKafkaTopic } from './kafka-topic.ts'
import { KafkaWriter } from './kafka-writer.ts'
import type { Sockets } from './sockets.ts'
import { withTimeout } from './with-timeout.ts'

/** A commit without a generation: Kafka accepts it while the group has no members. Members are in another group. */
const NO_GENERATION = -1

export class KafkaEventLog implements EventLog {
  readonly #address: KafkaAddress
  readonly #kafka: Kafka
  /** The sockets of `#admin`. */
  readonly #sockets: Sockets
  readonly #admin: Admin
  readonly #writer: KafkaWriter
  /** For short requests. Readers that wait have their own connections, because a broker answers a connection in order. */
  readonly #questions: KafkaConnection
  readonly #partitions = new Map<string, number>()
  readonly #closed = new AbortController()

  private constructor(address: KafkaAddress) {
    this.#address = address
    const { kafka, sockets } = openKafka(address)
    this.#kafka = kafka
    this.#sockets = sockets
    this.#admin = kafka.admin()
    this.#admin.on(this.#admin.events.REQUEST_TIMEOUT, () => sockets.leave())
    this.#writer = new KafkaWriter(() => openKafka(address), workTimeoutMs(address))
    this.#questions = this.#connection()
  }

  /** @throws OrreryError `unavailable`/`log_unreachable`, `invalid`/`log_access_denied`. */
  static async open(address: KafkaAddress): Promise<KafkaEventLog> {
    const log = new KafkaEventLog(address)
    try {
      await log.#ours(() => withTimeout(log.#admin.connect(), workTimeoutMs(address)))
    } catch (error) {
      await log.close()
      throw error
    }
    return log
  }

  async ensureTopic(topic: string, settings: TopicSettings): Promise<void> {
    const name = this.#named(topic)
    const count = (): Promise<number | null> => this.#questions.countPartitions(name)
    await this.#ours(() => ensureKafkaTopic(this.#admin, name, settings, this.#address, count))
  }

  async append(at: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    if (values.length === 0) return
    const to = this.#placed(at)
    const partitions = await this.#countPartitions(to.topic)
    if (partitions === null) throw topicUnknown(to)
    if (to.partition < 0 || to.partition >= partitions) throw partitionUnknown(to, partitions)
    await this.#ours(() => this.#writer.append(to, values))
  }

  async *read(from: LogPartition, offset: bigint, signal: AbortSignal): AsyncIterable<readonly LogRecord[]> {
    await using connection = this.#connection()
    yield* this.#untilClosed((stop) => readPartition(connection, this.#placed(from), offset, stop), signal)
  }

  async last(of: LogPartition): Promise<LogRecord | null> {
    return this.#ours(() => newestRecord(this.#questions, this.#placed(of)))
  }

  async end(of: LogPartition): Promise<bigint> {
    return this.#ours(() => nextOffset(this.#questions, this.#placed(of)))
  }

  async commit(group: string, { topic, partition }: LogPartition, next: bigint): Promise<void> {
    const partitions = [{ partition, offset: String(next) }]
    const topics = [{ topic: this.#named(topic), partitions }]
    const request = { groupId: this.#groupIdOf(group), groupGenerationId: NO_GENERATION, memberId: '', topics }
    await this.#ours(() => this.#questions.atCoordinator(request.groupId, (coordinator) => coordinator.offsetCommit(request)))
  }

  async committed(group: string, { topic, partition }: LogPartition): Promise<bigint> {
    const request = { groupId: this.#groupIdOf(group), topics: [{ topic: this.#named(topic), partitions: [{ partition }] }] }
    const answer = await this.#ours(() => this.#questions.atCoordinator(request.groupId, (coordinator) => coordinator.offsetFetch(request)))
    const offset = BigInt(answer.responses[0]?.partitions[0]?.offset ?? -1)
    return offset < 0n ? 0n : offset
  }

  async *shares(topic: string, group: string, signal: AbortSignal): AsyncIterable<Share> {
    await using connection = this.#connection()
    const name = this.#named(topic)
    // The prefix is in the group's name already.
    const options = { topic: name, groupId: `${this.#groupIdOf(group)}.workers.${topic}`, sessionMs: this.#address.sessionMs }
    yield* this.#untilClosed((stop) => shareOf(connection, options, stop), signal)
  }

  async close(): Promise<void> {
    if (this.#closed.signal.aborted) return
    this.#closed.abort()
    await this.#writer[Symbol.asyncDispose]()
    await this.#questions[Symbol.asyncDispose]()
    await this.#admin.disconnect()
    this.#sockets.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** The name in the cluster. */
  #named(name: string): string {
    return `${this.#address.prefix ?? ''}${name}`
  }

  #placed({ topic, partition }: LogPartition): LogPartition {
    return { topic: this.#named(topic), partition }
  }

  #groupIdOf(group: string): string {
    return this.#named(`orrery.${group}`)
  }

  #connection(): KafkaConnection {
    return new KafkaConnection(this.#kafka, this.#address)
  }

  /** Cached, because the number of partitions of a topic never changes. */
  async #countPartitions(topic: string): Promise<number | null> {
    const known = this.#partitions.get(topic) ?? (await this.#ours(() => this.#questions.countPartitions(topic)))
    if (known !== null) this.#partitions.set(topic, known)
    return known
  }

  /** Runs `work` until `signal` aborts or the log is closed. */
  async *#untilClosed<T>(run: (stop: AbortSignal) => AsyncIterable<T>, signal: AbortSignal): AsyncIterable<T> {
    const stop = AbortSignal.any([signal, this.#closed.signal])
    try {
      yield* run(stop)
    } catch (error) {
      if (!stop.aborted) throw kafkaError(error, this.#address.brokers)
    }
  }

  async #ours<T>(work: () => Promise<T>): Promise<T> {
    if (this.#closed.signal.aborted) throw new OrreryError('bug', 'internal', 'The event log was used after it was closed.')
    try {
      return await work()
    } catch (error) {
      throw kafkaError(error, this.#address.brokers)
    }
  }
}
