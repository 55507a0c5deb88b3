// Health as the contract computes it, on the case of its own test, with USD prices equal to the oracle's.

import { describe, expect, it } from 'vitest'
import { accountOf, type PricedReserve, pricedPool } from '../../test/priced-pool.ts'
import type { Positions } from '../chain/values.ts'
import { valueAccount } from './account-value.ts'
import { borrowLimitPct, healthFactor, liquidationPrice, netApy } from './health.ts'

const ONE = 10n ** 12n
// blend-contracts-v2 pool/src/pool/health_factor.rs, `test_calculate_from_positions`.
const RESERVES: readonly PricedReserve[] = [
  { decimals: 7, cFactor: 7_500_000n, lFactor: 7_500_000n, bRate: ONE, dRate: ONE, price: 10_000_000n },
  { decimals: 9, cFactor: 8_500_000n, lFactor: 8_000_000n, bRate: 1_100_000_000_000n, dRate: 1_150_000_000_000n, price: 25_000_000n },
  { decimals: 6, cFactor: 7_500_000n, lFactor: 7_500_000n, bRate: 1_001_100_000_000n, dRate: 1_001_200_000_000n, price: 10_000_000_000n },
]

const positions: Positions = {
  liabilities: new Map([
    [0, 15_000_000n],
    [1, 50_987_654_321n],
  ]),
  collateral: new Map([
    [0, 1_001_234_567n],
    [2, 250_000n],
  ]),
  supply: new Map([[1, 120_987_654_321n]]),
}

describe("an account of the contract's own test", () => {
  const pool = pricedPool(RESERVES)
  const worth = valueAccount(accountOf(positions), pool)

  it("the account of the contract's test has the effective collateral and debt that the contract computed", () => {
    // collateral_base 2627985925 and liability_base 1852368828, oracle decimals 7.
    expect(healthFactor(worth, pool)).toBe('1.4187163')
    // In USD each balance keeps a digit more and is rounded half up, where the contract rounds against the account.
    expect([worth.effectiveCollateralUsd, worth.effectiveLiabilitiesUsd]).toEqual([26_279_859_250n, 18_523_688_272n])
  })

  it('the borrow limit of an account is the inverse of its health factor', () => {
    // 100 · 1852368828 / 2627985925 = 70.486253735, from values with one more digit.
    expect(borrowLimitPct(worth)).toBe('70.48625373')
  })

  it('the health factor is 1 when an asset has its liquidation price', () => {
    for (const balance of [...worth.supply, ...worth.borrow]) {
      const side = worth.supply.includes(balance) ? 'supply' : 'borrow'
      const price = liquidationPrice(balance, side, worth)
      if (price === null) continue
      const [collateral, debt] = [Number(worth.effectiveCollateralUsd) / 1e8, Number(worth.effectiveLiabilitiesUsd) / 1e8]
      const own = Number(balance.effectiveUsd) / 1e8
      const moved = (Number(balance.effectiveAmount) / 10 ** (balance.reserve.token.info.decimals ?? 0)) * Number(price)
      if (side === 'supply') expect(collateral - own + moved).toBeCloseTo(debt, 6)
      else expect(debt - own + moved).toBeCloseTo(collateral, 6)
    }
    // 0.25 of the third asset alone keeps the debt covered only while it is worth more than about 587 USD.
    expect(worth.supply.map((balance) => liquidationPrice(balance, 'supply', worth))).toMatchObject([
      null,
      null,
      expect.stringMatching(/^586\./),
    ])
  })

  it("the health factor follows from the shown values where the pool's own oracle has no price", () => {
    const silent = pricedPool(RESERVES, false)
    expect(Number(healthFactor(valueAccount(accountOf(positions), silent), silent))).toBeCloseTo(1.4187163, 6)
  })
})

describe('an account without debt', () => {
  const pool = pricedPool(RESERVES)
  const worth = valueAccount(accountOf({ ...positions, liabilities: new Map() }), pool)
  it('an account without debt has no health factor and no liquidation price, and uses nothing of its limit', () => {
    expect(healthFactor(worth, pool)).toBeNull()
    expect(worth.supply.map((balance) => liquidationPrice(balance, 'supply', worth))).toEqual([null, null, null])
    expect(borrowLimitPct(worth)).toBe('0')
  })

  it('an account without debt earns what its supplies earn', () => {
    expect(netApy(worth)).toBe('0.05')
  })
})

describe('an account with debt and no collateral', () => {
  it('an account with debt and no collateral value has no borrow limit and no yield', () => {
    const pool = pricedPool(RESERVES)
    const worth = valueAccount(accountOf({ ...positions, supply: new Map(), collateral: new Map() }), pool)
    expect([healthFactor(worth, pool), borrowLimitPct(worth), netApy(worth)]).toEqual(['0', null, '0'])
  })
})
