import type { CostBasisFact } from '@orrery/protocol-kit'
import { expect, it } from 'vitest'
import { splitCost } from './cost-basis.ts'

const FACT: CostBasisFact = {
  ...{ units: 1_000n, costUsd: '10', realizedUsd: '-0.00000001', interestEarned: 10n, interestEarnedUsd: null },
  ...{ openedLedger: 7, confidence: 'exact' },
}

it('the cost of a balance is divided by shares, and the second part is the rest', () => {
  // A third: 333 of 1,000, 3.33333333 of 10, and of the smallest loss all, because parts are rounded down.
  expect(splitCost(FACT, { part: 1n, whole: 3n })).toEqual([
    { ...FACT, units: 333n, costUsd: '3.33333333', realizedUsd: '-0.00000001', interestEarned: 3n },
    { ...FACT, units: 667n, costUsd: '6.66666667', realizedUsd: '0', interestEarned: 7n },
  ])
})

it('one part alone has the whole cost', () => {
  const nothing = { ...FACT, units: 0n, costUsd: '0', realizedUsd: '0', interestEarned: 0n }
  expect(splitCost(FACT, { part: 3n, whole: 3n })).toEqual([FACT, nothing])
  expect(splitCost(FACT, { part: 0n, whole: 3n })).toEqual([nothing, FACT])
  expect(splitCost(null, { part: 1n, whole: 3n })).toEqual([null, null])
})
