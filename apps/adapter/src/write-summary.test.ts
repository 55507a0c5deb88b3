import { createLogger } from '@orrery/service-kit'
import { describe, expect, it } from 'vitest'
import { WriteSummary } from './write-summary.ts'

/** A worker of two partitions that stores a batch of each ledger of 5 s. */
function aWorker() {
  const lines: Record<string, unknown>[] = []
  const at = { ms: 0, isTip: false }
  const summary = new WriteSummary({
    protocol: 'soroswap',
    clock: { nowMs: () => at.ms },
    logger: createLogger({ name: 'test', level: 'info', json: true, to: { write: (line) => lines.push(JSON.parse(line)) } }),
    isAtTip: () => at.isTip,
  })
  const follow = (from: number, count: number): void => {
    for (let ledger = from; ledger < from + count; ledger++) {
      at.ms += 5_000
      for (const partition of [0, 1]) summary.add({ partition, ledger, slices: 1, rows: 10 })
    }
  }
  return { lines, at, follow }
}

describe('the log of a worker that writes rows', () => {
  it('has one line in ten seconds while the worker catches up, about all of its partitions', () => {
    const { lines, follow } = aWorker()
    follow(1, 4)
    expect(lines).toHaveLength(2)
    // The line is written with the first batch after ten seconds: that of the first partition.
    expect(lines[0]).toMatchObject({
      protocol: 'soroswap',
      partitions: 2,
      ledger: 2,
      slices: 3,
      rows: 30,
      durationSeconds: 10,
      msg: 'Wrote rows',
    })
    expect(lines[1]).toMatchObject({ partitions: 2, ledger: 4, slices: 4, rows: 40, durationSeconds: 10 })
  })

  it('has one line a minute at the tip, whatever the number of ledgers and partitions', () => {
    const { lines, at, follow } = aWorker()
    at.isTip = true
    follow(1, 720)
    expect(lines).toHaveLength(60)
    expect(lines.at(-1)).toMatchObject({ partitions: 2, ledger: 720, slices: 24, rows: 240, durationSeconds: 60 })
  })
})
