import { type UsdUnits, valuedToken } from '@orrery/fold-kit'
import { describe, expect, it } from 'vitest'
import { acquireBalance, type BalanceCost, type CostKey, costBasisOf, releaseBalance } from './cost.ts'

const usd = (dollars: number): UsdUnits => BigInt(Math.round(dollars * 100)) * 1_000_000n
/** A token with no decimals at 2 USD, so that figures can be read. */
const token = valuedToken({ asset: 'C', symbol: 'X', decimals: 0, tags: [] }, { usd: '2', source: 'oracle:C', observedAtSeconds: 0 })

const supply: CostKey = 'supply:C'
const debt: CostKey = 'borrow:C'
const moved = (key: CostKey, shares: bigint, amount: bigint) => ({ key, shares, amount, confidence: 'exact' as const })

describe('the cost of a supply', () => {
  it('the cost of a supply keeps earned interest through a partial exit, a liquidation and a new deposit', () => {
    // 100 bTokens for 100 at 1 USD. They grow to 110.
    let it: BalanceCost = acquireBalance(null, moved(supply, 100n, 100n), usd(100), 7)
    expect(costBasisOf(it, supply, 110n, token)).toMatchObject({
      units: 110n,
      costUsd: '100',
      interestEarned: 10n,
      interestEarnedUsd: '20',
    })
    // Half of the shares leave with 55, at 2 USD: 50 of the cost go, 110 come, 60 are realised. Interest stays 10.
    it = releaseBalance(it, moved(supply, 50n, 55n), usd(110))
    expect(costBasisOf(it, supply, 55n, token)).toMatchObject({ costUsd: '50', realizedUsd: '60', interestEarned: 10n })
    // What is left grows to 60 and is liquidated at 1 USD: 5 more of interest, 10 more realised.
    it = releaseBalance(it, moved(supply, 50n, 60n), usd(60))
    expect(costBasisOf(it, supply, 0n, token)).toMatchObject({ units: 0n, costUsd: '0', realizedUsd: '70', interestEarned: 15n })
    // A new beginning in ledger 30: what was earned before still counts.
    it = acquireBalance(it, moved(supply, 10n, 12n), usd(24), 30)
    expect(costBasisOf(it, supply, 13n, token)).toEqual({
      units: 13n,
      costUsd: '24',
      realizedUsd: '70',
      interestEarned: 16n,
      interestEarnedUsd: '32',
      openedLedger: 30,
      confidence: 'exact',
    })
  })

  it('the cost of a supply shows a loss where a default lowered the value of its shares', () => {
    const it = acquireBalance(null, moved(supply, 100n, 100n), usd(200), 7)
    expect(costBasisOf(it, supply, 90n, token)).toMatchObject({ interestEarned: -10n, interestEarnedUsd: '-20' })
  })
})

describe('the cost of a debt', () => {
  it('the cost of a debt has the opposite signs: interest is what it cost, and paying back for less is a gain', () => {
    // 100 borrowed at 1 USD grow to 110 owed; 55 are paid back at 0.50 USD, half of the dTokens.
    let it: BalanceCost = acquireBalance(null, moved(debt, 100n, 100n), usd(100), 7)
    it = releaseBalance(it, moved(debt, 50n, 55n), usd(27.5))
    expect(costBasisOf(it, debt, 55n, token)).toMatchObject({
      units: 55n,
      costUsd: '50',
      realizedUsd: '22.5',
      interestEarned: -10n,
      interestEarnedUsd: '-20',
    })
    // The rest at 2 USD costs 110 instead of 50.
    it = releaseBalance(it, moved(debt, 50n, 55n), usd(110))
    expect(costBasisOf(it, debt, 0n, token)).toMatchObject({ units: 0n, costUsd: '0', realizedUsd: '-37.5', interestEarned: -10n })
  })
})
