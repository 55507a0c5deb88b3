// Logs that differ from what ingest appended: as after a broker lost a message, a disk lost a page, or a program changed records.

import { decodeSlice, type EventLog, type LogPartition, sliceTopic } from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import type { Network } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { expect } from 'vitest'

/** What is appended instead of a value. */
type Alter = (to: LogPartition, value: Uint8Array) => readonly Uint8Array[]

/** Appends to `log` all slices of the lake in `directory`, except the third slice of Soroswap with records. */
export async function appendAllButOneSlice(log: EventLog, network: Network, directory: string): Promise<void> {
  const slices = sliceTopic(network.name, 'soroswap')
  let withRecords = 0
  const isLost = (topic: string, value: Uint8Array) => topic === slices && decodeSlice(value).records.length > 0 && ++withRecords === 3
  await appendAltered(log, network, directory, ({ topic }, value) => (isLost(topic, value) ? [] : [value]))
  expect(withRecords).toBeGreaterThan(3)
}

/** Appends to `log` what ingest makes of the lake in `directory`, each value as `alter` gives it. */
export async function appendAltered(log: EventLog, network: Network, directory: string, alter: Alter): Promise<void> {
  const altering: EventLog = new Proxy(log, {
    get(target, name) {
      if (name !== 'append') return Reflect.get(target, name, target).bind(target)
      const append: EventLog['append'] = (to, values) =>
        target.append(
          to,
          values.flatMap((value) => alter(to, value)),
        )
      return append
    },
  })
  const ingest = await startIngest({
    network,
    routings: protocolsOf(network).map(({ routing }) => routing),
    source: lakeSource(directory),
    log: altering,
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
    metrics: createMetrics(),
  })
  await ingest.finished
}
