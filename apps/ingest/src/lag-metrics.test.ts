import { createMetrics } from '@orrery/service-kit'
import { expect, it } from 'vitest'
import { temporaryFolders } from '../test/folders.ts'
import { memorySource } from '../test/ledgers.ts'
import { aWorld } from '../test/world.ts'
import type { LedgerSource } from './ledger-source.ts'
import { startIngest } from './start-ingest.ts'

const aFolder = temporaryFolders()

/** The value of a metric without labels in a scrape; undefined where it is absent. */
async function scraped({ registry }: ReturnType<typeof createMetrics>, name: string): Promise<number | undefined> {
  const found = new RegExp(`^${name} (\\S+)$`, 'm').exec(await registry.metrics())?.[1]
  return found === undefined ? undefined : Number(found)
}

it('the lag of ingest grows at each scrape while its source stands still, and also after a restart that reads nothing new', async () => {
  const world = await aWorld(aFolder)
  await using log = await world.log()
  const paused = Promise.withResolvers<void>()
  const goesOn = Promise.withResolvers<void>()
  const source: LedgerSource = {
    ...memorySource(world.ledgers, {
      before: (sequence) => {
        if (sequence !== 1_000_020) return
        paused.resolve()
        return goesOn.promise
      },
    }),
    ends: false,
  }
  const metrics = createMetrics({ of: 'ingest' })
  const clock = { nowMs: () => nowMs }
  let nowMs = Date.UTC(2030, 0, 1)
  const ingest = await startIngest(world.optionsFor(log, { source, metrics, clock }))
  await paused.promise
  await expect.poll(() => scraped(metrics, 'orrery_ingest_ledger_number')).toBe(1_000_019)
  const lag = (await scraped(metrics, 'orrery_ingest_lag_seconds')) ?? Number.NaN
  expect(await scraped(metrics, 'orrery_ingest_lag_ledgers')).toBe(172) // the source has 1,000,191

  nowMs += 75_000
  expect(await scraped(metrics, 'orrery_ingest_lag_seconds')).toBe(lag + 75)
  nowMs += 3_600_000
  expect(await scraped(metrics, 'orrery_ingest_lag_seconds')).toBe(lag + 3_675)

  const stopped = ingest.stop()
  goesOn.resolve()
  await stopped
  const restarted = createMetrics({ of: 'ingest' })
  const waits = { ...source, read: () => memorySource([]).read(0, new AbortController().signal) }
  const again = await startIngest(world.optionsFor(log, { source: waits, metrics: restarted, clock }))
  expect(await scraped(restarted, 'orrery_ingest_ledger_number')).toBe(1_000_019)
  expect(await scraped(restarted, 'orrery_ingest_lag_seconds')).toBe(lag + 3_675)
  await again.stop()
})

it('the lag of ingest is 0 after the end of a source that ends, however long ago that was', async () => {
  const world = await aWorld(aFolder)
  await using log = await world.log()
  const metrics = createMetrics({ of: 'ingest' })
  const clock = { nowMs: () => Date.UTC(2030, 0, 1) }
  await world.ingest(log, { metrics, clock })
  expect(await scraped(metrics, 'orrery_ingest_lag_seconds')).toBe(0)
  expect(await scraped(metrics, 'orrery_ingest_ledger_number')).toBe(1_000_191)
})
