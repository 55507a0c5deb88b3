// A log with all slices except one, as after a broker lost a message or a disk lost a page.

import { decodeSlice, type EventLog, sliceTopic } from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import type { Network } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { expect } from 'vitest'

/** Appends to `log` all slices of the lake in `directory`, except the third slice of Soroswap with records. */
export async function appendAllButOneSlice(log: EventLog, network: Network, directory: string): Promise<void> {
  const slices = sliceTopic(network.name, 'soroswap')
  let withRecords = 0
  const isLost = (topic: string, value: Uint8Array) => topic === slices && decodeSlice(value).records.length > 0 && ++withRecords === 3
  const losing: EventLog = new Proxy(log, {
    get(target, name) {
      if (name !== 'append') return Reflect.get(target, name, target).bind(target)
      const append: EventLog['append'] = (to, values) => {
        const kept = values.filter((value) => !isLost(to.topic, value))
        return target.append(to, kept)
      }
      return append
    },
  })
  const ingest = await startIngest({
    network,
    routings: protocolsOf(network).map(({ routing }) => routing),
    source: lakeSource(directory),
    log: losing,
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
    metrics: createMetrics(),
  })
  await ingest.finished
  expect(withRecords).toBeGreaterThan(3)
}
