// kafkajs as we use it: silent (whatever matters comes as an error), and as patient as we were told to be.

import { Kafka, type KafkaConfig, logLevel, type SASLOptions } from 'kafkajs'
import type { KafkaAddress } from './kafka-options.ts'

const LONGEST_PAUSE_MS = 2_000

/** What every client of the cluster is made with. */
export function kafkaClientOptions({ brokers, ssl, user, password, mechanism }: KafkaAddress) {
  const sasl =
    user === undefined ? {} : { sasl: { mechanism: mechanism ?? 'plain', username: user, password: password ?? '' } as SASLOptions }
  return { clientId: 'orrery', brokers: [...brokers], ssl: ssl ?? false, ...sasl, connectionTimeout: 5_000, requestTimeout: 30_000 }
}

export function openKafka(address: KafkaAddress): Kafka {
  const retries = 5 + Math.ceil(address.patienceMs / LONGEST_PAUSE_MS) // the first five take two seconds together
  const retry = { initialRetryTime: 100, maxRetryTime: LONGEST_PAUSE_MS, factor: 0.2, multiplier: 2, retries }
  return new Kafka({ ...kafkaClientOptions(address), retry, logLevel: logLevel.NOTHING } satisfies KafkaConfig)
}
