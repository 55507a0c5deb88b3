// The configuration of kafkajs: without logs (relevant problems are errors), and with time limits that follow from the options.

import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import type { KafkaAddress } from './kafka-options.ts'
import { KafkajsRequestQueue, type RequestQueue } from './kafkajs-internals.ts'
import { Sockets } from './sockets.ts'

const LONGEST_PAUSE_MS = 2_000
const [SHORTEST_REQUEST_MS, LONGEST_REQUEST_MS] = [5_000, 30_000]

const { prototype: queue } = KafkajsRequestQueue
const { scheduleCheckPendingRequests: schedule } = queue
/** kafkajs 2.2.4 schedules a check of an empty queue for a time before 1970, and Node warns about that once in every process. */
queue.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this)
}

/** Timeout of one request: a part of the time for retries, so that a lost request is repeated in time. */
export function requestTimeoutMs({ retryForMs }: KafkaAddress): number {
  return Math.min(Math.max(retryForMs / 4, SHORTEST_REQUEST_MS), LONGEST_REQUEST_MS)
}

/** Time limit of work that kafkajs retries itself: longer work hangs, and kafkajs would not end it. */
export function workTimeoutMs(address: KafkaAddress): number {
  return address.retryForMs + 2 * requestTimeoutMs(address)
}

/** Options of every client of the cluster. */
export function kafkaClientOptions(address: KafkaAddress) {
  const { brokers, ssl, user, password, mechanism } = address
  const sasl =
    user === undefined ? {} : { sasl: { mechanism: mechanism ?? 'plain', username: user, password: password ?? '' } as SASLOptions }
  const timeouts = { connectionTimeout: 5_000, requestTimeout: requestTimeoutMs(address) }
  return { clientId: 'orrery', brokers: [...brokers], ssl: ssl ?? false, ...sasl, ...timeouts }
}

export interface OpenKafka {
  readonly kafka: Kafka
  readonly sockets: Sockets
}

/** For a producer or the admin of kafkajs. Callers must call `leave` of its sockets when a request timed out. */
export function openKafka(address: KafkaAddress): OpenKafka {
  const retries = 5 + Math.ceil(address.retryForMs / LONGEST_PAUSE_MS) // the first five retries take two seconds together
  const retry = { initialRetryTime: 100, maxRetryTime: LONGEST_PAUSE_MS, factor: 0.2, multiplier: 2, retries }
  const sockets = new Sockets()
  const options = { ...kafkaClientOptions(address), retry, logLevel: logLevel.NOTHING, socketFactory: sockets.factory }
  return { kafka: new Kafka(options satisfies KafkaConfig), sockets }
}
