import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type RewardIndex, RewardPages } from './reward-index.ts'

/** Increments of checkpoints 1, 2, 3 …, some of them in each ledger. Long enough to go over pages of 100. */
const ledgers = fc.array(fc.array(fc.bigInt(0n, 1_000n), { minLength: 0, maxLength: 130 }), { minLength: 1, maxLength: 6 })

const sum = (values: readonly bigint[]) => values.reduce((total, value) => total + value, 0n)

/** The pages that a ledger changes, as the pool stores them: lists that grow, or have 100 places from the beginning. */
function pagesOf(all: readonly bigint[], changedFrom: number, isPadded: boolean): RewardPages {
  const cells = [0n, ...all]
  const pages = new RewardPages()
  for (let page = Math.floor(changedFrom / 100); page * 100 < cells.length; page++) {
    const held = cells.slice(page * 100, page * 100 + 100)
    pages.put(BigInt(page), isPadded ? [...held, ...Array<bigint>(100 - held.length).fill(0n)] : held)
  }
  return pages
}

describe('rewards by checkpoint', () => {
  it('are summed up to any checkpoint of the ledger, however many pages it fills', () => {
    fc.assert(
      fc.property(ledgers, fc.boolean(), fc.boolean(), (increments, isPadded, knowsInstance) => {
        const all: bigint[] = []
        let index: RewardIndex | null = null
        for (const added of increments.filter((it) => it.length > 0)) {
          const first = all.length + 1
          all.push(...added)
          const pages = pagesOf(all, first, isPadded)
          index = pages.after(index)
          expect(index?.total).toBe(sum(all))
          for (let block = first; block <= all.length; block++) {
            const newest = knowsInstance ? BigInt(all.length) : null
            expect(pages.totalAt(BigInt(block), newest, index)).toBe(sum(all.slice(0, block)))
          }
        }
      }),
      { numRuns: 30 },
    )
  })

  it('of a checkpoint before the pages at hand are unknown, also where the newest checkpoint is unknown', () => {
    const index: RewardIndex = { total: 70n, page: 3n, pageSum: 20n }
    const pages = new RewardPages()
    expect(pages.totalAt(320n, 320n, index)).toBe(70n)
    expect(pages.totalAt(319n, 320n, index)).toBeNull()
    expect(pages.totalAt(320n, null, index)).toBeNull()
    expect(pages.totalAt(0n, 0n, null)).toBe(0n)
    expect(pages.totalAt(5n, 5n, null)).toBeNull()
  })
})
