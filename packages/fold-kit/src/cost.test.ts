import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { acquire, type Cost, release } from './cost.ts'

const usd = (dollars: number) => BigInt(dollars) * 100_000_000n

describe('the average cost of shares', () => {
  it('the average cost of shares adds up over deposits and leaves in proportion', () => {
    let cost: Cost = acquire(null, 100n, usd(1_000), 7, 'exact')
    cost = acquire(cost, 300n, usd(5_000), 9, 'exact')
    // 100 of 400 shares take 1,500 of the 6,000 that all cost; they brought 2,000.
    cost = release(cost, 100n, usd(2_000))
    expect(cost).toEqual({ units: 300n, costUsd: usd(4_500), realizedUsd: usd(500), openedLedger: 7, confidence: 'exact' })
  })

  it('the average cost of shares is realised as a loss when shares are burnt', () => {
    expect(release(acquire(null, 10n, usd(50), 7, 'exact'), 10n, 0n)).toMatchObject({ units: 0n, costUsd: 0n, realizedUsd: usd(-50) })
  })

  it('the average cost of shares keeps what was realised when the position is opened again, and nothing else', () => {
    const closed = release(acquire(null, 10n, usd(50), 7, 'inferred'), 10n, usd(60))
    expect(acquire(closed, 4n, usd(20), 30, 'exact')).toEqual({
      units: 4n,
      costUsd: usd(20),
      realizedUsd: usd(10),
      openedLedger: 30,
      confidence: 'exact',
    })
  })

  it('the average cost of shares is inferred as soon as a part came by transfer', () => {
    expect(acquire(acquire(null, 10n, usd(50), 7, 'exact'), 1n, usd(5), 8, 'inferred').confidence).toBe('inferred')
  })

  it('the average cost of shares is unknown after a deposit without a price, until everything is gone', () => {
    const unknown = acquire(acquire(null, 10n, usd(50), 7, 'exact'), 1n, null, 8, 'exact')
    expect(unknown.costUsd).toBeNull()
    expect(release(unknown, 5n, usd(1))).toMatchObject({ costUsd: null, realizedUsd: null })
    expect(release(unknown, 11n, usd(1))).toMatchObject({ units: 0n, costUsd: 0n })
  })

  it('the average cost of shares is the same in total when shares are taken out in parts', () => {
    const parts = fc.array(fc.bigInt(1n, 1_000n), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(parts, fc.bigInt(0n, usd(1_000_000)), (sizes, value) => {
        const total = sizes.reduce((sum, size) => sum + size, 0n)
        const end = sizes.reduce((cost, size) => release(cost, size, 0n), acquire(null, total, value, 1, 'exact'))
        expect(end).toMatchObject({ units: 0n, costUsd: 0n, realizedUsd: -value })
      }),
    )
  })
})
