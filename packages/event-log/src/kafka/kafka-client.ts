// kafkajs as we use it: silent (whatever matters comes as an error), and as patient as we were told to be.

import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import type { KafkaAddress } from './kafka-options.ts'
import { KafkajsRequestQueue, type RequestQueue } from './kafkajs-internals.ts'
import { Sockets } from './sockets.ts'

const LONGEST_PAUSE_MS = 2_000
const [SHORTEST_REQUEST_MS, LONGEST_REQUEST_MS] = [5_000, 30_000]

const { prototype: queue } = KafkajsRequestQueue
const { scheduleCheckPendingRequests: schedule } = queue
/** kafkajs 2.2.4 schedules a look at an empty queue for a time before 1970, and Node warns of that once in every process. */
queue.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this)
}

/** How long a broker may take to answer one request: a part of our patience, so that one that is lost is made again in time. */
export function requestTimeoutMs({ patienceMs }: KafkaAddress): number {
  return Math.min(Math.max(patienceMs / 4, SHORTEST_REQUEST_MS), LONGEST_REQUEST_MS)
}

/** How long work that kafkajs itself tries again may take: what goes on for longer hangs, and kafkajs would not end it. */
export function workTimeoutMs(address: KafkaAddress): number {
  return address.patienceMs + 2 * requestTimeoutMs(address)
}

/** What every client of the cluster is made with. */
export function kafkaClientOptions(address: KafkaAddress) {
  const { brokers, ssl, user, password, mechanism } = address
  const sasl =
    user === undefined ? {} : { sasl: { mechanism: mechanism ?? 'plain', username: user, password: password ?? '' } as SASLOptions }
  const patience = { connectionTimeout: 5_000, requestTimeout: requestTimeoutMs(address) }
  return { clientId: 'orrery', brokers: [...brokers], ssl: ssl ?? false, ...sasl, ...patience }
}

export interface OpenKafka {
  readonly kafka: Kafka
  readonly sockets: Sockets
}

/** For a producer or the admin of kafkajs. Whoever uses one calls `leave` of its sockets when it says that a request timed out. */
export function openKafka(address: KafkaAddress): OpenKafka {
  const retries = 5 + Math.ceil(address.patienceMs / LONGEST_PAUSE_MS) // the first five take two seconds together
  const retry = { initialRetryTime: 100, maxRetryTime: LONGEST_PAUSE_MS, factor: 0.2, multiplier: 2, retries }
  const sockets = new Sockets()
  const options = { ...kafkaClientOptions(address), retry, logLevel: logLevel.NOTHING, socketFactory: sockets.factory }
  return { kafka: new Kafka(options satisfies KafkaConfig), sockets }
}
