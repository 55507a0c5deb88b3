import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decodeSlice, type EventLog, openLog, sliceTopic } from '@orrery/event-log'
import { lakeSource, startIngest } from '@orrery/ingest'
import { protocolsOf } from '@orrery/protocols'
import { loadNetwork } from '@orrery/registry'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { afterAll, expect, it } from 'vitest'
import { openDataFolder } from '../src/data-folder.ts'
import { contentsAfter, upArguments } from './orrery.ts'
import { type ShortLake, shortLake } from './short-lake.ts'

const folder = mkdtempSync(join(tmpdir(), 'orrery-gap-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a slice that the log lost is told again, and the tables are the same', { timeout: 120_000 }, async () => {
  const lake = shortLake(join(folder, 'lake'), 6)
  const args = (data: string) => [...upArguments(lake, join(folder, data)), '--log-level', 'silent']
  const whole = await contentsAfter(args('whole'))
  await tellAllButOneSlice(lake, 'lossy')
  expect(await contentsAfter(args('lossy'))).toEqual(whole)
})

/** Fills the data folder's log from the lake; the third slice with records never arrives. */
async function tellAllButOneSlice(lake: ShortLake, data: string): Promise<void> {
  const network = await loadNetwork(lake.registry)
  await using opened = openDataFolder(join(folder, data), network)
  await using log = await openLog(opened.logUrl)
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
    source: lakeSource(lake.directory),
    log: losing,
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
    metrics: createMetrics(),
  })
  await ingest.finished
  expect(withRecords).toBeGreaterThan(3)
}
