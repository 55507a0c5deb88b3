// A log that was told everything but one slice: what a broker that lost a message, or a disk that lost a page, leaves behind.

import { decodeSlice, type EventLog, sliceTopic } from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import type { Network } from '@orrery/protocol-kit'
import { protocolsOf } from '@orrery/protocols'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { expect } from 'vitest'

/** Tells `log` what the lake in `directory` has; the third slice of Soroswap with records never arrives. */
export async function tellAllButOneSlice(log: EventLog, network: Network, directory: string): Promise<void> {
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
