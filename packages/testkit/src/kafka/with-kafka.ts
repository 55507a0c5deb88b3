// A real broker for a test file. Each test must use its own names of topics and groups.

import { afterAll, beforeAll } from 'vitest'
import { KafkaBroker } from './kafka-broker.ts'
import type { ExtraListener } from './server-properties.ts'

const START_MS = 600_000 // the first start on a machine downloads Kafka

/** Call it at the top of a test file: the broker starts before its first test and ends after its last. */
export function withKafka(listeners: () => readonly Omit<ExtraListener, 'port'>[] = () => []): { readonly broker: KafkaBroker } {
  let broker: KafkaBroker | undefined
  beforeAll(async () => {
    broker = await KafkaBroker.start(listeners())
  }, START_MS)
  afterAll(async () => {
    await broker?.[Symbol.asyncDispose]()
  })
  return {
    get broker() {
      if (broker === undefined) throw new Error('The broker runs while tests run: use it inside of a test or a hook.')
      return broker
    },
  }
}
