// Appends: an idempotent producer with one request in flight, acknowledged by every replica in sync.
// A retry inside of it appends once. A producer that has failed is let go: what it would send next might come out of order.

import type { Kafka, Producer } from 'kafkajs'
import type { LogPartition } from '../event-log.ts'
import type { Sockets } from './sockets.ts'
import { within } from './within.ts'

/** Records of one request: below `MAX_MESSAGE_BYTES` with what Kafka writes around them. A single record may be larger and is then refused. */
const REQUEST_BYTES = 8 * 1024 * 1024
const RECORD_OVERHEAD_BYTES = 64
const ALL_IN_SYNC = -1
const GOODBYE_MS = 5_000

export class KafkaWriter implements AsyncDisposable {
  readonly #kafka: Kafka
  readonly #sockets: Sockets
  readonly #longestMs: number
  #producer: Promise<Producer> | null = null
  /** The last append of each partition: the next one waits for it. */
  readonly #tails = new Map<string, Promise<void>>()

  /** `sockets` are those of `kafka`. A request that nobody answers for `longestMs`, however often it is tried again, fails. */
  constructor(kafka: Kafka, sockets: Sockets, longestMs: number) {
    this.#kafka = kafka
    this.#sockets = sockets
    this.#longestMs = longestMs
  }

  /** Resolves once all are acknowledged. After a rejection any number of the first ones may be in the log. */
  async append(to: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    const key = `${to.topic} ${to.partition}`
    const before = this.#tails.get(key) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => this.#send(to, values)) // whoever sent what was before heard of its failure
    this.#tails.set(key, mine)
    await mine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#tails.values())
    await this.#letGo(this.#producer)
  }

  async #send({ topic, partition }: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    this.#producer ??= this.#connect()
    const mine = this.#producer
    try {
      const producer = await within(mine, this.#longestMs)
      for (const request of requestsOf(values)) {
        const messages = request.map((value) => ({ partition, value: Buffer.from(value.buffer, value.byteOffset, value.byteLength) }))
        await within(producer.send({ topic, acks: ALL_IN_SYNC, messages }), this.#longestMs)
      }
    } catch (error) {
      await this.#letGo(mine)
      throw error
    }
  }

  async #connect(): Promise<Producer> {
    const producer = this.#kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    })
    producer.on(producer.events.REQUEST_TIMEOUT, () => this.#sockets.leave())
    await producer.connect()
    return producer
  }

  async #letGo(producer: Promise<Producer> | null): Promise<void> {
    if (producer === null || this.#producer !== producer) return // another partition's append has
    this.#producer = null
    const goodbye = producer.then((connected) => connected.disconnect())
    await within(goodbye, GOODBYE_MS).catch(() => undefined) // it never came to be, or hangs
  }
}

function* requestsOf(values: readonly Uint8Array[]): Iterable<readonly Uint8Array[]> {
  let request: Uint8Array[] = []
  let bytes = 0
  for (const value of values) {
    const size = value.length + RECORD_OVERHEAD_BYTES
    if (request.length > 0 && bytes + size > REQUEST_BYTES) {
      yield request
      request = []
      bytes = 0
    }
    request.push(value)
    bytes += size
  }
  if (request.length > 0) yield request
}
