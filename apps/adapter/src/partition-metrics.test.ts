import { createLogger, createMetrics } from '@orrery/service-kit'
import { expect, it } from 'vitest'
import { forgetPartitionMetrics, setPartitionMetrics } from './partition-metrics.ts'
import { PartitionProgress } from './partition-progress.ts'

const CLOSED = 1_788_264_000
const adapter = { protocol: 'soroswap', indexVersion: 3 } as const
const nothing = (): void => undefined

function aPartition() {
  const metrics = createMetrics({ of: 'adapter' })
  const at = { nowMs: CLOSED * 1000 + 5_000 }
  const progress = new PartitionProgress({
    ...{
      protocol: 'soroswap',
      partition: 2,
      metrics,
      summary: { add: nothing },
      onStored: nothing,
      onSignOfLife: nothing,
      onChange: nothing,
    },
    clock: { nowMs: () => at.nowMs },
    logger: createLogger({ name: 'test', level: 'silent', json: true }),
  })
  const control = {
    seen: { ledger: 500, closeTimeSeconds: CLOSED },
    sourceEnd: null as number | null,
    sourceTip: { ledger: 500, closeTimeSeconds: CLOSED, heardAtMs: CLOSED * 1000 + 5_000 },
  }
  metrics.onScrape(() => setPartitionMetrics(metrics, adapter, progress, control, at.nowMs))
  const scrape = async () => {
    const text = await metrics.registry.metrics()
    const value = (name: string) => {
      const found = new RegExp(`^${name}\\{protocol="soroswap",partition="2"\\} (\\S+)$`, 'm').exec(text)?.[1]
      return found === undefined ? null : Number(found)
    }
    const statuses = [...text.matchAll(/^orrery_adapter_partition_status\{.*status="(\w+)"\} 1$/gm)].map((match) => match[1])
    return {
      statuses,
      lag: value('orrery_adapter_lag_seconds'),
      ledgers: value('orrery_adapter_lag_ledgers'),
      gap: value('orrery_adapter_gap_ledgers'),
    }
  }
  return { metrics, at, progress, control, scrape }
}

const checkpoint = { ledger: 500, closeTimeSeconds: CLOSED, offset: 1n, rollingHash: '' }

it('the lag of a partition grows at each scrape while ingest stands still, and its status becomes stalled after a minute', async () => {
  const { at, progress, scrape } = aPartition()
  expect(await scrape()).toEqual({ statuses: ['catching_up'], lag: null, ledgers: null, gap: 0 })
  progress.started(checkpoint, [])
  expect(await scrape()).toEqual({ statuses: ['healthy'], lag: 5, ledgers: 0, gap: 0 })
  at.nowMs += 80_000
  expect(await scrape()).toEqual({ statuses: ['stalled'], lag: 85, ledgers: 0, gap: 0 })
})

it('a partition at the end of a source that ends is healthy and has no lag', async () => {
  const { at, progress, control, scrape } = aPartition()
  progress.started(checkpoint, [])
  control.sourceEnd = 500
  at.nowMs += 86_400_000
  expect(await scrape()).toEqual({ statuses: ['healthy'], lag: 0, ledgers: 0, gap: 0 })
})

it('a gap is counted in ledgers and makes the partition failing; what is forgotten is not exported', async () => {
  const { metrics, progress, scrape } = aPartition()
  progress.started(checkpoint, [])
  progress.gapDetected({ after: 500, before: 509 })
  expect(await scrape()).toMatchObject({ statuses: ['failing'], gap: 9 })
  const forgotten = createMetrics({ of: 'adapter' })
  setPartitionMetrics(forgotten, adapter, progress, { seen: { ledger: 0, closeTimeSeconds: 0 }, sourceEnd: null, sourceTip: null }, 0)
  forgetPartitionMetrics(forgotten, 'soroswap', 2)
  expect(await forgotten.registry.metrics()).not.toContain('partition="2"')
  expect(await metrics.registry.metrics()).toContain('partition="2"')
})

it('a partition whose fold failed is failing', async () => {
  const { progress, scrape } = aPartition()
  progress.started(checkpoint, [])
  progress.failed(new Error('a broken sum'))
  expect((await scrape()).statuses).toEqual(['failing'])
})
