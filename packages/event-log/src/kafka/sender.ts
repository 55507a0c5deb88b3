// An idempotent producer with one request in flight, acknowledged by every replica in sync: a retry inside of it appends once.
// kafkajs retries abandoned requests, also after `disconnect`. So each producer has its own sockets, which are closed with it.

import type { Message, Producer } from 'kafkajs'
import type { OpenKafka } from './kafka-client.ts'
import type { Sockets } from './sockets.ts'
import { withTimeout } from './with-timeout.ts'

const ALL_IN_SYNC = -1
const GOODBYE_MS = 5_000

export class Sender {
  readonly #connected: Promise<Producer>
  readonly #sockets: Sockets
  readonly #longestMs: number
  readonly #abandon = new AbortController()
  #leaving: Promise<void> | null = null

  /** A request without an answer for `longestMs`, retries included, fails. */
  constructor({ kafka, sockets }: OpenKafka, longestMs: number) {
    const producer = kafka.producer({
      idempotent: true,
      maxInFlightRequests: 1,
      allowAutoTopicCreation: false,
      createPartitioner:
        () =>
        ({ message }) =>
          message.partition ?? 0,
    })
    producer.on(producer.events.REQUEST_TIMEOUT, () => sockets.leave())
    this.#connected = producer.connect().then(() => producer)
    this.#sockets = sockets
    this.#longestMs = longestMs
  }

  /** Resolves once all are acknowledged. */
  async send(topic: string, messages: Message[]): Promise<void> {
    const signal = this.#abandon.signal
    const producer = await withTimeout(this.#connected, this.#longestMs, signal)
    await withTimeout(producer.send({ topic, acks: ALL_IN_SYNC, messages }), this.#longestMs, signal)
  }

  /** Requests in progress may still be acknowledged for a moment; then they fail with the same reason, and nothing more is sent. */
  async abandon(reason: unknown): Promise<void> {
    this.#leaving ??= this.#leave(reason)
    await this.#leaving
  }

  async #leave(reason: unknown): Promise<void> {
    const goodbye = this.#connected.then((producer) => producer.disconnect())
    await withTimeout(goodbye, GOODBYE_MS).catch(() => undefined) // it never connected, or hangs
    this.#sockets.close()
    this.#abandon.abort(reason)
  }
}
