// kafkajs as we use it: silent (whatever matters comes as an error), and as patient as we were told to be.

import { createRequire } from 'node:module'
import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import type { KafkaAddress } from './kafka-options.ts'

const LONGEST_PAUSE_MS = 2_000

interface RequestQueue {
  readonly pending: readonly unknown[]
  /** Unix milliseconds; -1 as long as the broker asked for no rest. */
  readonly throttledUntil: number
  scheduleCheckPendingRequests(): void
}

const { prototype: queue }: { readonly prototype: RequestQueue } = createRequire(import.meta.url)('kafkajs/src/network/requestQueue')
const { scheduleCheckPendingRequests: schedule } = queue
/** kafkajs 2.2.4 schedules a look at an empty queue for a time before 1970, and Node warns of that once in every process. */
queue.scheduleCheckPendingRequests = function scheduleWhenNeeded(this: RequestQueue): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) schedule.call(this)
}

/** What every client of the cluster is made with. */
export function kafkaClientOptions({ brokers, ssl, user, password, mechanism }: KafkaAddress) {
  const sasl =
    user === undefined ? {} : { sasl: { mechanism: mechanism ?? 'plain', username: user, password: password ?? '' } as SASLOptions }
  const patience = { connectionTimeout: 5_000, requestTimeout: 30_000 }
  return { clientId: 'orrery', brokers: [...brokers], ssl: ssl ?? false, ...sasl, ...patience }
}

export function openKafka(address: KafkaAddress): Kafka {
  const retries = 5 + Math.ceil(address.patienceMs / LONGEST_PAUSE_MS) // the first five take two seconds together
  const retry = { initialRetryTime: 100, maxRetryTime: LONGEST_PAUSE_MS, factor: 0.2, multiplier: 2, retries }
  return new Kafka({ ...kafkaClientOptions(address), retry, logLevel: logLevel.NOTHING } satisfies KafkaConfig)
}
