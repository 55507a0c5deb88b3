// Health as the contract computes it, on the case of its own test, with USD prices equal to the oracle's.

import { describe, expect, it } from 'vitest'
import { accountOf, type PricedReserve, pricedPool } from '../../test/priced-pool.ts'
import type { Positions } from '../chain/values.ts'
import { type ValuedAccount, type ValuedBalance, valueAccount } from './account-value.ts'
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
    expectOneAtThem(worth)
    // 0.25 of the third asset alone keeps the debt covered only while it is worth more than about 587 USD.
    expect(worth.supply.map((balance) => liquidationPrice(balance, worth))).toMatchObject([null, null, expect.stringMatching(/^586\./)])
  })

  it("the health factor follows from the shown values where the pool's own oracle has no price", () => {
    const silent = pricedPool(RESERVES, false)
    expect(Number(healthFactor(valueAccount(accountOf(positions), silent), silent))).toBeCloseTo(1.4187163, 6)
  })
})

describe('an asset that is collateral and owed at the same time', () => {
  const [A, C] = [0, 2]
  const pool = pricedPool(RESERVES)
  const worthOf = (collateral: [number, bigint][], liabilities: [number, bigint][]) =>
    valueAccount(accountOf({ collateral: new Map(collateral), liabilities: new Map(liabilities), supply: new Map() }), pool)
  const pricesOf = (worth: ValuedAccount) => [...worth.supply, ...worth.borrow].map((it) => [it.reserve.index, liquidationPrice(it, worth)])

  it('an asset of which more is held than owed has the price to which it may fall, and a higher price does not liquidate', () => {
    // Held 75 and owed 13.333… of it in effective amounts; 53.386… USD of another asset are owed: 53.386… / 61.666…
    const worth = worthOf(
      [[A, 1_000_000_000n]],
      [
        [A, 100_000_000n],
        [C, 40_000n],
      ],
    )
    expect(pricesOf(worth)).toEqual([
      [A, expect.stringMatching(/^0\.865/)],
      [A, expect.stringMatching(/^0\.865/)],
      [C, expect.stringMatching(/^1154/)],
    ])
    expectOneAtThem(worth)
  })

  it('an asset of which more is owed than held has the price to which it may rise', () => {
    // 37.541… USD of another asset are held; owed 26.666… and held 7.5 of it: 37.541… / 19.166…
    const worth = worthOf(
      [
        [A, 100_000_000n],
        [C, 50_000n],
      ],
      [[A, 200_000_000n]],
    )
    expect(pricesOf(worth)).toEqual([
      [A, expect.stringMatching(/^1\.958/)],
      [C, expect.stringMatching(/^510/)],
      [A, expect.stringMatching(/^1\.958/)],
    ])
    expectOneAtThem(worth)
  })

  it('an asset of which as much is held as owed has none, and none has an asset whose price decides nothing', () => {
    // 0.75 · 160 = 90 / 0.75.
    expect(
      pricesOf(
        worthOf(
          [
            [A, 1_600_000_000n],
            [C, 50_000n],
          ],
          [[A, 900_000_000n]],
        ),
      ),
    ).toEqual([
      [A, null],
      [C, null],
      [A, null],
    ])
    expect(pricesOf(worthOf([[A, 1_000_000_000n]], [[A, 100_000_000n]]))).toEqual([
      [A, null],
      [A, null],
    ])
  })
})

/** The health factor is 1 at each price. */
function expectOneAtThem(worth: ValuedAccount): void {
  for (const { reserve, ...balance } of [...worth.supply, ...worth.borrow]) {
    const price = liquidationPrice({ reserve, ...balance }, worth)
    if (price !== null) expect(factorAt(worth, reserve, price)).toBeCloseTo(1, 6)
  }
}

/** Effective collateral over effective debt at another price of one asset. */
function factorAt({ supply, borrow }: ValuedAccount, moved: ValuedBalance['reserve'], price: string): number {
  const worthOf = ({ reserve, effectiveAmount, effectiveUsd }: ValuedBalance): number =>
    reserve === moved ? (Number(effectiveAmount) / 10 ** (reserve.token.info.decimals ?? 0)) * Number(price) : Number(effectiveUsd) / 1e8
  const sumOf = (side: readonly ValuedBalance[]) => side.reduce((sum, balance) => sum + worthOf(balance), 0)
  return sumOf(supply) / sumOf(borrow)
}

describe('an account without debt', () => {
  const pool = pricedPool(RESERVES)
  const worth = valueAccount(accountOf({ ...positions, liabilities: new Map() }), pool)
  it('an account without debt has no health factor and no liquidation price, and uses nothing of its limit', () => {
    expect(healthFactor(worth, pool)).toBeNull()
    expect(worth.supply.map((balance) => liquidationPrice(balance, worth))).toEqual([null, null, null])
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
