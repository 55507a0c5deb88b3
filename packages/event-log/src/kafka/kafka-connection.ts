// One connection to a cluster, for requests that kafkajs implements but does not export: reading a partition without being in a group,
// and being in a group without reading. Its consumer does both or none, and may stop without an error (docs/decisions/0011).
// So this class calls the `Cluster` inside of kafkajs (kafkajs-internals.ts).

import type { Kafka } from 'kafkajs'
import { partitionUnknown } from '../topic-refusals.ts'
import { kafkaClientOptions, requestTimeoutMs } from './kafka-client.ts'
import { kafkaError, kafkaErrorType } from './kafka-error.ts'
import type { KafkaAddress } from './kafka-options.ts'
import { type Broker, type Cluster, type FetchedMessage, type FetchedPartition, KafkajsBatch, KafkajsCluster } from './kafkajs-internals.ts'
import { retryWithBackoff } from './retry-with-backoff.ts'
import { Sockets } from './sockets.ts'
import { withTimeout } from './with-timeout.ts'

const METADATA_MAX_AGE_MS = 300_000
/** A call takes a few requests: find the leader, then send it the request. A call that takes longer than two timeouts of a request is lost. */
const REQUESTS_PER_CALL = 2
/** Retries are made here, not in kafkajs: by time, until a stop, and only for errors that a retry can fix. */
const AT_ONCE = { retries: 0 }

export class KafkaConnection implements AsyncDisposable {
  readonly #kafka: Kafka
  readonly #address: KafkaAddress
  /** Brokers to connect to: those of the options, then those that the cluster names. */
  #brokers: readonly string[]
  #ways = 0
  #way: Way

  constructor(kafka: Kafka, address: KafkaAddress) {
    this.#kafka = kafka
    this.#address = address
    this.#brokers = address.brokers
    this.#way = this.#newWay()
  }

  /** Sends a request to the leader of a partition. Null when the topic does not exist. @throws OrreryError `invalid`/`partition_unknown`. */
  async atLeader<T>(topic: string, partition: number, send: (leader: Broker) => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    const work = async (cluster: Cluster): Promise<T | null> => {
      const partitions = await partitionsOf(cluster, topic)
      if (partitions.length === 0) return null
      const found = partitions.find(({ partitionId }) => partitionId === partition)
      if (found === undefined) throw partitionUnknown({ topic, partition }, partitions.length)
      return send(await cluster.findBroker({ nodeId: found.leader }))
    }
    return this.#attempt(work, signal)
  }

  /** The number of partitions of a topic. Null when it does not exist. */
  async countPartitions(topic: string, signal?: AbortSignal): Promise<number | null> {
    return (await this.#attempt((cluster) => partitionsOf(cluster, topic), signal)).length || null
  }

  /** Sends a request to the coordinator of a group. It may take `longerMs` more than a short request, because joining waits for the other members. */
  async atCoordinator<T>(groupId: string, send: (coordinator: Broker) => Promise<T>, signal?: AbortSignal, longerMs = 0): Promise<T> {
    const work = async (cluster: Cluster): Promise<T> => {
      await cluster.connect()
      await cluster.refreshMetadataIfNecessary()
      return send(await cluster.findGroupCoordinator({ groupId }))
    }
    return this.#attempt(work, signal, longerMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#way.close()
  }

  /**
   * Retries transient errors, each time on new sockets: kafkajs reads the rest of a broken answer as the beginning of the next one,
   * and keeps a connection that no longer answers. @throws errors of kafkajs, an OrreryError, or the reason of `signal`.
   */
  async #attempt<T>(work: (cluster: Cluster) => Promise<T>, signal?: AbortSignal, longerMs = 0): Promise<T> {
    const longestMs = REQUESTS_PER_CALL * requestTimeoutMs(this.#address) + longerMs
    const once = async (): Promise<T> => {
      const way = this.#way
      try {
        return await withTimeout(work(way.cluster), longestMs, signal)
      } catch (thrown) {
        if (!isForTheCaller(thrown)) this.#leave(way)
        throw thrown
      }
    }
    return retryWithBackoff(
      once,
      this.#address.retryForMs,
      (thrown) => {
        const isRetryable = !isForTheCaller(thrown) && this.#isRetryable(thrown)
        if (isRetryable) this.#address.onRetry?.()
        return isRetryable
      },
      signal,
    )
  }

  #isRetryable(thrown: unknown): boolean {
    return kafkaError(thrown, this.#address.brokers).code === 'log_unreachable'
  }

  /** Several calls may run: the first one to fail opens a new connection, and the others use it. */
  #leave(way: Way): void {
    if (way !== this.#way) return
    const known = way.knownBrokers()
    if (known.length > 0) this.#brokers = [...new Set([...this.#address.brokers, ...known])]
    this.#way = this.#newWay()
    way.close()
  }

  /** Each begins with the next broker: a cluster of kafkajs begins with the first one of its list, and one attempt is too few to reach another. */
  #newWay(): Way {
    const first = this.#ways++ % this.#brokers.length
    const brokers = [...this.#brokers.slice(first), ...this.#brokers.slice(0, first)]
    return new Way(this.#kafka, { ...this.#address, brokers })
  }
}

/** A cluster and the sockets that were opened to it. */
class Way {
  readonly cluster: Cluster
  readonly #sockets = new Sockets()

  constructor(kafka: Kafka, address: KafkaAddress) {
    this.cluster = new KafkajsCluster({
      ...kafkaClientOptions(address),
      logger: kafka.logger(),
      socketFactory: this.#sockets.factory,
      retry: AT_ONCE,
      metadataMaxAge: METADATA_MAX_AGE_MS,
      allowAutoTopicCreation: false,
    })
  }

  /** The brokers that the cluster names, as `host:port`. */
  knownBrokers(): readonly string[] {
    return this.cluster.brokerPool.metadata?.brokers.map(({ host, port }) => `${host}:${port}`) ?? []
  }

  close(): void {
    this.#sockets.close()
  }
}

async function partitionsOf(cluster: Cluster, topic: string): Promise<ReturnType<Cluster['findTopicPartitionMetadata']>> {
  try {
    await cluster.connect()
    await cluster.addTargetTopic(topic)
  } catch (thrown) {
    if (kafkaErrorType(thrown) === 'UNKNOWN_TOPIC_OR_PARTITION') return []
    throw thrown
  }
  return cluster.findTopicPartitionMetadata(topic)
}

/** The messages from `offset` on that a reader may see. */
export function visibleMessages(topic: string, offset: bigint, fetched: FetchedPartition): readonly FetchedMessage[] {
  return new KafkajsBatch(topic, String(offset), fetched).messages
}

/** Errors that the caller handles: an offset out of range, or a group that changes. */
function isForTheCaller(thrown: unknown): boolean {
  return /^(OFFSET_OUT_OF_RANGE|REBALANCE_IN_PROGRESS|UNKNOWN_MEMBER_ID|ILLEGAL_GENERATION|FENCED_INSTANCE_ID)$/.test(
    kafkaErrorType(thrown),
  )
}
