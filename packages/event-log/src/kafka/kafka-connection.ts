// One connection to a cluster, for requests that kafkajs makes itself but does not offer: reading a partition without being in a group,
// and being in a group without reading. Its consumer does both or none, and may stop for good without an error (docs/decisions/0011).
// So we call the `Cluster` inside of kafkajs, in this file only; its version is pinned.

import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { Kafka } from 'kafkajs'
import { partitionUnknown } from '../topic-refusals.ts'
import { kafkaClientOptions } from './kafka-client.ts'
import { kafkaError, kafkaErrorType } from './kafka-error.ts'
import type { KafkaAddress } from './kafka-options.ts'

export interface FetchedMessage {
  readonly offset: string
  readonly value: Buffer | null
}

/** What a leader answers of one partition: everything, also marks of the broker's own and what a transaction has taken back. */
export interface FetchedPartition {
  readonly messages: readonly FetchedMessage[]
}

interface JoinedGroup {
  readonly generationId: number
  readonly leaderId: string
  readonly memberId: string
  /** Only the leader is told. */
  readonly members: readonly { readonly memberId: string; readonly memberMetadata: Buffer }[]
}

/** What we use of kafkajs' `Broker`: a request is a method, its fields are those of Kafka's protocol. */
export interface Broker {
  fetch(request: {
    readonly maxWaitTime: number
    readonly minBytes: number
    readonly maxBytes: number
    readonly isolationLevel: number
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string; readonly maxBytes: number }[]
    }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly FetchedPartition[] }[] }>
  listOffsets(request: {
    readonly isolationLevel: number
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly timestamp: number }[]
    }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[] }>
  offsetCommit(request: {
    readonly groupId: string
    readonly groupGenerationId: number
    readonly memberId: string
    readonly topics: readonly {
      readonly topic: string
      readonly partitions: readonly { readonly partition: number; readonly offset: string }[]
    }[]
  }): Promise<unknown>
  offsetFetch(request: {
    readonly groupId: string
    readonly topics: readonly { readonly topic: string; readonly partitions: readonly { readonly partition: number }[] }[]
  }): Promise<{ readonly responses: readonly { readonly partitions: readonly { readonly offset: string }[] }[] }>
  joinGroup(request: {
    readonly groupId: string
    readonly memberId: string
    readonly sessionTimeout: number
    readonly rebalanceTimeout: number
    readonly groupProtocols: readonly { readonly name: string; readonly metadata: Buffer }[]
  }): Promise<JoinedGroup>
  syncGroup(request: {
    readonly groupId: string
    readonly generationId: number
    readonly memberId: string
    readonly groupAssignment: readonly { readonly memberId: string; readonly memberAssignment: Buffer }[]
  }): Promise<{ readonly memberAssignment: Buffer }>
  heartbeat(request: { readonly groupId: string; readonly groupGenerationId: number; readonly memberId: string }): Promise<unknown>
  leaveGroup(request: { readonly groupId: string; readonly memberId: string }): Promise<unknown>
}

interface Cluster {
  connect(): Promise<void>
  disconnect(): Promise<void>
  addTargetTopic(topic: string): Promise<void>
  refreshMetadata(): Promise<void>
  refreshMetadataIfNecessary(): Promise<void>
  findTopicPartitionMetadata(topic: string): readonly { readonly partitionId: number; readonly leader: number }[]
  findBroker(at: { readonly nodeId: number }): Promise<Broker>
  findGroupCoordinator(of: { readonly groupId: string }): Promise<Broker>
}

const require = createRequire(import.meta.url)
const ClusterOfKafkajs: new (options: object) => Cluster = require('kafkajs/src/cluster')
const BatchOfKafkajs: new (topic: string, offset: string, fetched: FetchedPartition) => { readonly messages: readonly FetchedMessage[] } =
  require('kafkajs/src/consumer/batch')
const socketFactory: () => unknown = require('kafkajs/src/network/socketFactory')

const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000
const METADATA_MAX_AGE_MS = 300_000
/** Patience is here, not in kafkajs: it is counted in time, ends when we are stopped, and knows what time does not heal. */
const AT_ONCE = { retries: 0, initialRetryTime: FIRST_PAUSE_MS, maxRetryTime: LONGEST_PAUSE_MS, factor: 0.2, multiplier: 2 }

export class KafkaConnection implements AsyncDisposable {
  readonly #address: KafkaAddress
  readonly #cluster: Cluster

  constructor(kafka: Kafka, address: KafkaAddress) {
    this.#address = address
    this.#cluster = new ClusterOfKafkajs({
      ...kafkaClientOptions(address),
      logger: kafka.logger(),
      socketFactory: socketFactory(),
      retry: AT_ONCE,
      metadataMaxAge: METADATA_MAX_AGE_MS,
      allowAutoTopicCreation: false,
    })
  }

  /** Asks the leader of a partition. Null when nobody made the topic. @throws OrreryError `invalid`/`partition_unknown`. */
  async atLeader<T>(topic: string, partition: number, ask: (leader: Broker) => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    return this.attempt(async () => {
      const partitions = await this.#partitionsOf(topic)
      if (partitions.length === 0) return null
      const found = partitions.find(({ partitionId }) => partitionId === partition)
      if (found === undefined) throw partitionUnknown({ topic, partition }, partitions.length)
      return ask(await this.#cluster.findBroker({ nodeId: found.leader }))
    }, signal)
  }

  /** How many partitions a topic has. Null when nobody made it. */
  async countPartitions(topic: string, signal?: AbortSignal): Promise<number | null> {
    return (await this.attempt(() => this.#partitionsOf(topic), signal)).length || null
  }

  /** Asks the broker that keeps a group. */
  async atCoordinator<T>(groupId: string, ask: (coordinator: Broker) => Promise<T>, signal?: AbortSignal): Promise<T> {
    return this.attempt(async () => {
      await this.#cluster.connect()
      await this.#cluster.refreshMetadataIfNecessary()
      return ask(await this.#cluster.findGroupCoordinator({ groupId }))
    }, signal)
  }

  /** Tries again what time can heal. @throws OrreryError of `kafkaError`, or what made `signal` abort. */
  async attempt<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const startedMs = performance.now()
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      try {
        signal?.throwIfAborted()
        return await work()
      } catch (thrown) {
        signal?.throwIfAborted()
        const error = kafkaError(thrown, this.#address.brokers)
        const isLate = performance.now() - startedMs + pauseMs > this.#address.patienceMs
        if (isLate || error.code !== 'log_unreachable' || isForTheCaller(thrown)) throw isForTheCaller(thrown) ? thrown : error
        await delay(pauseMs, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted())
        await this.#cluster.refreshMetadata().catch(() => undefined) // leaders may have moved; what is wrong is told by the next try
      }
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#cluster.disconnect()
  }

  async #partitionsOf(topic: string): Promise<ReturnType<Cluster['findTopicPartitionMetadata']>> {
    try {
      await this.#cluster.connect()
      await this.#cluster.addTargetTopic(topic)
    } catch (thrown) {
      if (kafkaErrorType(thrown) === 'UNKNOWN_TOPIC_OR_PARTITION') return []
      throw thrown
    }
    return this.#cluster.findTopicPartitionMetadata(topic)
  }
}

/** The messages from `offset` on that a reader may see. */
export function visibleMessages(topic: string, offset: bigint, fetched: FetchedPartition): readonly FetchedMessage[] {
  return new BatchOfKafkajs(topic, String(offset), fetched).messages
}

/** Answers, not failures: the caller knows what to do about an offset that is not there, or a group that changes. */
function isForTheCaller(thrown: unknown): boolean {
  return /^(OFFSET_OUT_OF_RANGE|REBALANCE_IN_PROGRESS|UNKNOWN_MEMBER_ID|ILLEGAL_GENERATION|FENCED_INSTANCE_ID)$/.test(
    kafkaErrorType(thrown),
  )
}
