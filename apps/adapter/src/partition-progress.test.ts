import { NO_ROWS, type NoticeRow, type Slice } from '@orrery/protocol-kit'
import { createLogger, createMetrics } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'
import { healthReport } from './health-report.ts'
import { PartitionProgress } from './partition-progress.ts'

const notice = (kind: string, contract: string, ledger: number): NoticeRow => ({
  protocol: 'aquarius',
  partition: 3,
  contract,
  kind,
  reason: 'shares of holders and burnt ones differ from the supply',
  ledger,
  closeTimeSeconds: 0,
  count: 1,
})

describe('a sum that does not add up', () => {
  it('a sum that does not add up is counted, logged once, and shown in health while indexing continues', async () => {
    const lines: string[] = []
    let changes = 0
    const metrics = createMetrics()
    const progress = new PartitionProgress({
      protocol: 'aquarius',
      partition: 3,
      clock: { nowMs: () => 0 },
      logger: createLogger({ name: 'test', level: 'info', json: true, to: { write: (line) => lines.push(line) } }),
      metrics,
      summary: { add: () => {} },
      onStored: () => {},
      onSignOfLife: () => {},
      onChange: () => changes++,
    })
    const checkpoint = { ledger: 0, closeTimeSeconds: 0, offset: 0n, rollingHash: '' }
    const control = { seen: checkpoint, sourceEnd: null, sourceTip: null }
    const health = () => healthReport({ protocol: 'aquarius', indexVersion: 3 }, progress, checkpoint, control, 0)
    const fold = (ledger: number, ...notices: readonly NoticeRow[]) =>
      progress.folded({ ledger, records: [] } as unknown as Slice, { ...NO_ROWS, notices }, 0)

    fold(7, notice('event', 'CA', 7))
    expect(health()).toMatchObject({ state: 'running', error: '' })
    fold(8, notice('invariant', 'CA', 8))
    fold(9, notice('invariant', 'CA', 9))
    expect(health()).toMatchObject({
      state: 'running',
      error:
        'An invariant of CA does not hold in ledger 9: shares of holders and burnt ones differ from the supply. ' +
        'Indexing continues; the table notices lists every case, with the kind invariant.',
    })
    expect([lines.length, changes]).toEqual([1, 1])
    expect(await metrics.registry.metrics()).toContain('orrery_extract_unknown_total{protocol="aquarius",reason="invariant"} 2')
    progress.failed(new Error('the store is down'))
    expect(health()).toMatchObject({ state: 'failing', error: 'the store is down' })
  })
})
