// Health and limits of accounts in the tests of the contract and of the SDK.
// The vectors are beside the repository, not in it; without them these tests are skipped.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sharedDir } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import type { Positions } from '../src/chain/values.ts'
import { type ValuedAccount, valueAccount } from '../src/view/account-value.ts'
import { borrowLimitPct, healthFactor } from '../src/view/health.ts'
import { accountOf, pricedPool } from './priced-pool.ts'

const file = join(sharedDir() ?? '', 'reference/vectors/blend.json')
const vectors: Vectors | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
const given = (): Vectors => {
  if (vectors === null) throw new Error('the vectors are not there')
  return vectors
}

interface Reserve {
  readonly decimals: number
  readonly c_factor: number
  readonly l_factor: number
  readonly b_rate: string
  readonly d_rate: string
}
type Shares = Readonly<Record<'liabilities' | 'collateral' | 'supply', Readonly<Record<string, string>>>>
interface Vectors {
  readonly contract_tests: {
    readonly health_factor: {
      readonly reserves: readonly (Reserve & { readonly price: string })[]
      readonly positions: Shares
      readonly expected: Readonly<Record<'collateral_base' | 'liability_base' | 'collateral_raw' | 'liability_raw', string>>
      readonly hf_case: Readonly<Record<'collateral_base' | 'liability_base' | 'expected', string>>
    }
  }
  readonly sdk_tests: {
    readonly positions_estimate: {
      /** Prices in USD. */
      readonly reserves: readonly (Reserve & { readonly price: number })[]
      readonly cases: readonly { readonly positions: Shares; readonly expected: Readonly<Record<string, number>> }[]
    }
  }
}

const priced = (reserves: readonly Reserve[], prices: readonly bigint[]) =>
  pricedPool(
    reserves.map((it, n) => ({
      decimals: it.decimals,
      cFactor: BigInt(it.c_factor),
      lFactor: BigInt(it.l_factor),
      bRate: BigInt(it.b_rate),
      dRate: BigInt(it.d_rate),
      price: prices[n] ?? 0n,
    })),
  )

function positionsOf({ liabilities, collateral, supply }: Shares): Positions {
  const side = (shares: Readonly<Record<string, string>>) =>
    new Map(Object.entries(shares).map(([index, it]) => [Number(index), BigInt(it)]))
  return { liabilities: side(liabilities), collateral: side(collateral), supply: side(supply) }
}

describe.runIf(vectors !== null)('an account (from ../shared)', () => {
  it("the account of the contract's test has the collateral, debt and health that the contract computed", () => {
    const { reserves, positions, expected, hf_case } = given().contract_tests.health_factor
    const pool = priced(
      reserves,
      reserves.map(({ price }) => BigInt(price)),
    )
    const worth = valueAccount(accountOf(positionsOf(positions)), pool)
    const factor = (collateral: string, owed: string) => (BigInt(collateral) * 10_000_000n) / BigInt(owed)
    expect(Number(healthFactor(worth, pool)) * 1e7).toBe(Number(factor(expected.collateral_base, expected.liability_base)))
    expect(String(factor(hf_case.collateral_base, hf_case.liability_base))).toBe(hf_case.expected)
    // USD has a digit more than the oracle. Of a debt that digit is rounded half up, where the contract rounds each balance up to seven.
    const raw = (side: ValuedAccount['supply']) => side.reduce((sum, it) => sum + (it.collateralUsd ?? 0n), 0n)
    const { effectiveCollateralUsd, effectiveLiabilitiesUsd, borrowedUsd } = worth
    expect([raw(worth.supply), effectiveCollateralUsd].map((it) => String((it ?? 0n) / 10n))).toEqual([
      expected.collateral_raw,
      expected.collateral_base,
    ])
    expect([borrowedUsd, effectiveLiabilitiesUsd].map((it) => String(((it ?? 0n) + 9n) / 10n))).toEqual([
      expected.liability_raw,
      expected.liability_base,
    ])
  })

  it("the accounts of the SDK's tests have the totals and the borrow limit that the SDK estimates", () => {
    const { reserves, cases } = given().sdk_tests.positions_estimate
    const pool = priced(
      reserves,
      reserves.map(({ price }) => BigInt(Math.round(price * 1e7))),
    )
    for (const { positions, expected } of cases) {
      const worth = valueAccount(accountOf(positionsOf(positions)), pool)
      const { borrowedUsd, suppliedUsd, effectiveLiabilitiesUsd, effectiveCollateralUsd } = worth
      const {
        totalBorrowed = 0,
        totalSupplied = 0,
        totalEffectiveLiabilities = 0,
        totalEffectiveCollateral = 0,
        borrowLimit = 0,
      } = expected
      const exact = [borrowedUsd, suppliedUsd, effectiveCollateralUsd].map((it) => Number(it) / 1e8)
      expect(exact).toEqual([totalBorrowed, totalSupplied, totalEffectiveCollateral])
      // The contract rounds what a debt counts up to a whole unit of the asset, 1e-7 of 200 USD; the SDK does not.
      const above = Number(effectiveLiabilitiesUsd) / 1e8 - totalEffectiveLiabilities
      expect([above, above >= 0 && above < 200e-7]).toEqual([above, true])
      // For a debt without collateral the SDK gives 0, we give null: there is no limit.
      const limit = borrowLimitPct(worth)
      if (totalEffectiveCollateral === 0) expect(limit).toBeNull()
      else expect(Number(limit)).toBeCloseTo((borrowLimit + above / totalEffectiveCollateral) * 100, 7)
    }
    expect(cases).toHaveLength(2)
  })
})
