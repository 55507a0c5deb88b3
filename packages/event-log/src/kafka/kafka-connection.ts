// One connection to a cluster, for requests that kafkajs makes itself but does not offer: reading a partition without being in a group,
// and being in a group without reading. Its consumer does both or none, and may stop for good without an error (docs/decisions/0011).
// So it calls the `Cluster` inside of kafkajs (kafkajs-internals.ts).

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
/** A question is a few requests: who is the leader, then what it knows. What takes longer than two that say nothing has been forgotten. */
const REQUESTS_A_QUESTION = 2
/** Patience is here, not in kafkajs: it is counted in time, ends when we are stopped, and knows what time does not heal. */
const AT_ONCE = { retries: 0 }

export class KafkaConnection implements AsyncDisposable {
  readonly #kafka: Kafka
  readonly #address: KafkaAddress
  /** Where a way may begin: what we were told, then what the cluster said of itself. */
  #brokers: readonly string[]
  #ways = 0
  #way: Way

  constructor(kafka: Kafka, address: KafkaAddress) {
    this.#kafka = kafka
    this.#address = address
    this.#brokers = address.brokers
    this.#way = this.#newWay()
  }

  /** Asks the leader of a partition. Null when nobody made the topic. @throws OrreryError `invalid`/`partition_unknown`. */
  async atLeader<T>(topic: string, partition: number, ask: (leader: Broker) => Promise<T>, signal?: AbortSignal): Promise<T | null> {
    const work = async (cluster: Cluster): Promise<T | null> => {
      const partitions = await partitionsOf(cluster, topic)
      if (partitions.length === 0) return null
      const found = partitions.find(({ partitionId }) => partitionId === partition)
      if (found === undefined) throw partitionUnknown({ topic, partition }, partitions.length)
      return ask(await cluster.findBroker({ nodeId: found.leader }))
    }
    return this.#attempt(work, signal)
  }

  /** How many partitions a topic has. Null when nobody made it. */
  async countPartitions(topic: string, signal?: AbortSignal): Promise<number | null> {
    return (await this.#attempt((cluster) => partitionsOf(cluster, topic), signal)).length || null
  }

  /** Asks the broker that keeps a group. It may take `longerMs` more than a short question: who joins waits for the other members. */
  async atCoordinator<T>(groupId: string, ask: (coordinator: Broker) => Promise<T>, signal?: AbortSignal, longerMs = 0): Promise<T> {
    const work = async (cluster: Cluster): Promise<T> => {
      await cluster.connect()
      await cluster.refreshMetadataIfNecessary()
      return ask(await cluster.findGroupCoordinator({ groupId }))
    }
    return this.#attempt(work, signal, longerMs)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#way.close()
  }

  /**
   * Tries again what time can heal, each time on new sockets: kafkajs takes what half an answer has left behind for the beginning of the next,
   * and keeps a line on which nobody answers. @throws what kafkajs throws, an OrreryError, or what made `signal` abort.
   */
  async #attempt<T>(work: (cluster: Cluster) => Promise<T>, signal?: AbortSignal, longerMs = 0): Promise<T> {
    const longestMs = REQUESTS_A_QUESTION * requestTimeoutMs(this.#address) + longerMs
    const once = async (): Promise<T> => {
      const way = this.#way
      try {
        return await withTimeout(work(way.cluster), longestMs, signal)
      } catch (thrown) {
        if (!isForTheCaller(thrown)) this.#leave(way)
        throw thrown
      }
    }
    return retryWithBackoff(once, this.#address.patienceMs, (thrown) => !isForTheCaller(thrown) && this.#isRetryable(thrown), signal)
  }

  #isRetryable(thrown: unknown): boolean {
    return kafkaError(thrown, this.#address.brokers).code === 'log_unreachable'
  }

  /** Several may be asking: the first one to fail opens a new way, and the others follow on it. */
  #leave(way: Way): void {
    if (way !== this.#way) return
    const known = way.knownBrokers()
    if (known.length > 0) this.#brokers = [...new Set([...this.#address.brokers, ...known])]
    this.#way = this.#newWay()
    way.close()
  }

  /** Each begins at the next broker: a cluster of kafkajs begins at the first that it is given, and one try is too few for it to come to another. */
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

  /** What the cluster has said of itself, as `host:port`. */
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

/** Answers, not failures: the caller knows what to do about an offset that is not there, or a group that changes. */
function isForTheCaller(thrown: unknown): boolean {
  return /^(OFFSET_OUT_OF_RANGE|REBALANCE_IN_PROGRESS|UNKNOWN_MEMBER_ID|ILLEGAL_GENERATION|FENCED_INSTANCE_ID)$/.test(
    kafkaErrorType(thrown),
  )
}
