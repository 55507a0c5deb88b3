// The configuration of kafkajs: without logs (relevant problems are errors), and with time limits that follow from the options.

import { Kafka, type KafkaConfig, logLevel, type Mechanism, type SASLOptions } from 'kafkajs'
import type { KafkaAddress } from './kafka-options.ts'
import { KafkajsRequestQueue, type RequestQueue } from './kafkajs-internals.ts'
import { oauthMechanism } from './oauth-authenticator.ts'
import { Sockets } from './sockets.ts'

const LONGEST_PAUSE_MS = 2_000
/**
 * How long before the end of a session the client authenticates again. With the 10 s of kafkajs a session of 10 s or less would be renewed before
 * every request, and a broker refuses a second time within a second.
 */
const REAUTHENTICATE_BEFORE_MS = 500
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

function saslOf({ user, password, mechanism, token }: KafkaAddress): SASLOptions | Mechanism | null {
  if (token !== null) return oauthMechanism(token)
  if (user === undefined) return null
  return { mechanism: mechanism ?? 'plain', username: user, password: password ?? '' } as SASLOptions
}

/** Options of every client of the cluster. */
export function kafkaClientOptions(address: KafkaAddress) {
  const { brokers, tls } = address
  const sasl = saslOf(address)
  const timeouts = {
    connectionTimeout: 5_000,
    requestTimeout: requestTimeoutMs(address),
    reauthenticationThreshold: REAUTHENTICATE_BEFORE_MS,
  }
  return { clientId: 'orrery', brokers: [...brokers], ssl: tls === null ? false : tls, ...(sasl === null ? {} : { sasl }), ...timeouts }
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
