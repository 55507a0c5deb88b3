// Appends to partitions in order, one request after the other. A sender that has failed is abandoned: its next records might be out of order.

import type { LogPartition } from '../event-log.ts'
import type { OpenKafka } from './kafka-client.ts'
import { Sender } from './sender.ts'

/** Size of one request: below `MAX_MESSAGE_BYTES` with Kafka's own fields. A single record may be larger and is then refused. */
const REQUEST_BYTES = 8 * 1024 * 1024
const RECORD_OVERHEAD_BYTES = 64

export class KafkaWriter implements AsyncDisposable {
  readonly #newSender: () => Sender
  #sender: Sender | null = null
  /** The last append of each partition: the next one waits for it. */
  readonly #tails = new Map<string, Promise<void>>()

  /** `open` is called for each sender. A request without an answer for `longestMs`, retries included, fails. */
  constructor(open: () => OpenKafka, longestMs: number) {
    this.#newSender = () => new Sender(open(), longestMs)
  }

  /** Resolves once all are acknowledged. After a rejection, any number of the first values may be in the log. */
  async append(to: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    const key = `${to.topic} ${to.partition}`
    const before = this.#tails.get(key) ?? Promise.resolve()
    const mine = before.catch(() => undefined).then(() => this.#send(to, values)) // the caller of the earlier append got its error
    this.#tails.set(key, mine)
    await mine
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.allSettled(this.#tails.values())
    await this.#sender?.abandon(new Error('the writer was closed'))
  }

  async #send({ topic, partition }: LogPartition, values: readonly Uint8Array[]): Promise<void> {
    this.#sender ??= this.#newSender()
    const mine = this.#sender
    try {
      for (const request of requestsOf(values)) {
        const messages = request.map((value) => ({ partition, value: Buffer.from(value.buffer, value.byteOffset, value.byteLength) }))
        await mine.send(topic, messages)
      }
    } catch (error) {
      if (this.#sender === mine) this.#sender = null // unless the append of another partition has abandoned it
      await mine.abandon(error)
      throw error
    }
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
