import { describe, expect, it } from 'vitest'
import { auctionProgress } from './auction-progress.ts'

describe('an auction', () => {
  it.each([
    [0, 0, 1],
    [50, 0.25, 1],
    [200, 1, 1],
    [300, 1, 0.5],
    [400, 1, 0],
    [1_000, 1, 0],
    [-3, 0, 1],
  ])('after %i ledgers gives %d of the lot for %d of the bid', (passed, lot, bid) => {
    expect(auctionProgress(1_000_000, 1_000_000 + passed)).toEqual({ lot, bid })
  })
})
