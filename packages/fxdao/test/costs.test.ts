// Costs of vaults and stakes. One XLM is 0.25 USD at first, and a coin of USD is at par; comments show the arithmetic.

import type { Cost } from '@orrery/fold-kit'
import { describe, expect, it } from 'vitest'
import { stakeOf, vaultOf } from '../src/state/state.ts'
import * as make from './fold-fixture.ts'
import {
  alice,
  bob,
  burn,
  calls,
  FoldFixture,
  locking,
  mint,
  pay,
  secondsOf,
  settings,
  treasury,
  vault,
  vaults,
  whole,
  xlm,
} from './fold-fixture.ts'

const usd = (dollars: number): bigint => BigInt(Math.round(dollars * 100_000_000))
const cost = (units: bigint, dollars: number, realized: number, confidence: Cost['confidence'] = 'exact') =>
  expect.objectContaining({ units, costUsd: usd(dollars), realizedUsd: usd(realized), confidence })
const held = (collateral: number, debt: number): make.Held => [whole(collateral), whole(debt)]

/** Alice has a vault of 1,000 XLM with 100 USDx of debt from ledger 2 on; she paid 5 XLM on top. */
function opened(): FoldFixture {
  const fixture = new FoldFixture()
  fixture.ledger([settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
  fixture.ledger([
    calls.open(alice, whole(100), whole(1_005)),
    ...[pay(alice, vaults, whole(1_000)), mint(alice, whole(100)), pay(alice, treasury, whole(5))],
    vault(alice, held(1_000, 100)),
  ])
  return fixture
}
const rate = (fixture: FoldFixture, of: number) => fixture.ledger(make.rates({ USD: of }, secondsOf(fixture.ledgerNow + 1), false))
const costsOf = (fixture: FoldFixture, owner: string) => {
  const { collateralCost, debtCost } = vaultOf(fixture.state, owner, 'USD')
  return [collateralCost, debtCost]
}

describe('the cost of a vault', () => {
  it('the cost of a vault is what was paid in with the fee, and of the debt what was borrowed', () => {
    // 1,005 · 0.25 = 251.25
    expect(costsOf(opened(), alice)).toEqual([cost(whole(1_000), 251.25, 0), cost(whole(100), 100, 0)])
  })

  it('the cost of a vault is released for the debt when it is redeemed, and for the compensation', () => {
    const fixture = opened()
    rate(fixture, 0.5)
    fixture.ledger([
      calls.redeem(bob, whole(50)),
      ...[burn(bob, whole(50)), pay(vaults, bob, whole(97.5)), pay(vaults, alice, whole(1.25)), pay(vaults, treasury, whole(1.25))],
      vault(alice, held(900, 50), held(1_000, 100)),
    ])
    // A tenth of 251.25 is given up for 50 + 1.25 · 0.5 = 50.625: 25.5 are realised. The debt brought 50 and took 50.
    expect(costsOf(fixture, alice)).toEqual([cost(whole(900), 226.125, 25.5), cost(whole(50), 50, 0)])
  })

  it('the cost of a vault of the receiver of a transfer is the value of the vault, inferred', () => {
    const fixture = opened()
    rate(fixture, 0.5)
    fixture.ledger([calls.transfer(alice, bob), vault(alice, null, held(1_000, 100)), vault(bob, held(1_000, 100))])
    // 1,000 · 0.5 − 251.25 = 248.75
    expect(costsOf(fixture, alice)).toEqual([cost(0n, 0, 248.75), cost(0n, 0, 0)])
    expect(costsOf(fixture, bob)).toEqual([cost(whole(1_000), 500, 0, 'inferred'), cost(whole(100), 100, 0, 'inferred')])
  })

  it('the cost of a vault is released for the debt when it is liquidated', () => {
    const fixture = opened()
    rate(fixture, 0.1)
    fixture.ledger([
      calls.liquidate(bob, 1),
      ...[burn(bob, whole(100)), pay(vaults, bob, whole(995)), pay(vaults, treasury, whole(5))],
      vault(alice, null, held(1_000, 100)),
    ])
    // 100 − 251.25
    expect(costsOf(fixture, alice)).toEqual([cost(0n, 0, -151.25), cost(0n, 0, 0)])
  })

  it('the cost of a vault of an evicted vault is lost except for the returned collateral, and its debt is written off', () => {
    const fixture = opened()
    fixture.ledger([pay(vaults, alice, whole(600)), vault(alice, null, held(1_000, 100))])
    // 600 · 0.25 − 251.25 = −101.25; the debt brought 100 and took nothing.
    expect(costsOf(fixture, alice)).toEqual([cost(0n, 0, -101.25), cost(0n, 0, 100)])
  })

  it('the cost of a vault from before the index is the value at its first change, inferred', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [whole(1_000), whole(100), 1] })], make.rates({ USD: 0.25 }, secondsOf(1)))
    const { state } = fixture.ledger([calls.pay(alice, whole(40)), burn(alice, whole(40)), vault(alice, held(1_000, 60), held(1_000, 100))])
    expect(costsOf(fixture, alice)).toEqual([cost(whole(1_000), 250, 0, 'inferred'), cost(whole(60), 60, 0, 'inferred')])
    // The vault as it was is a row of the ledger before.
    expect(state.filter(({ key }) => key.includes(':vault:')).map(({ ledger, inferred }) => [ledger, inferred])).toEqual([
      [1, true],
      [2, false],
    ])
  })

  it('the cost of a vault has as many units as the entry where the change is unexplained, and the change is a notice', () => {
    const fixture = opened()
    const { notices, activities } = fixture.ledger([vault(alice, held(1_100, 130), held(1_000, 100))])
    expect(activities).toEqual([])
    expect(notices.filter(({ kind }) => kind === 'call')).toMatchObject([{ contract: vaults }])
    // 251.25 + 100 · 0.25
    expect(costsOf(fixture, alice)).toEqual([cost(whole(1_100), 276.25, 0, 'inferred'), cost(whole(130), 130, 0, 'inferred')])
  })

  it('the cost of a vault is unknown while its collateral has no price', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [0n, 0n, 0] })])
    fixture.ledger([
      calls.open(alice, whole(100), whole(1_000)),
      ...[pay(alice, vaults, whole(1_000)), mint(alice, whole(100))],
      vault(alice, held(1_000, 100)),
    ])
    expect(costsOf(fixture, alice)).toMatchObject([{ units: whole(1_000), costUsd: null }, { costUsd: null }])
  })
})

describe('the cost of a stake', () => {
  const stakes = (fixture: FoldFixture, asset: string) => {
    const pool = fixture.state.locking.get(locking)
    return pool === undefined ? null : stakeOf(pool, alice, asset).cost
  }

  it('the cost of a stake moves to another asset with the stake, at its value', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)), [make.lockingPool(), make.lockingPool(xlm)])
    fixture.ledger([
      make.call(locking, 'deposit', ...make.depositArguments(make.usdx, alice, whole(40))),
      pay(alice, locking, whole(40), make.usdx),
      make.deposit(alice, whole(40)),
    ])
    expect(stakes(fixture, make.usdx)).toEqual(cost(whole(40), 40, 0))
    // Without a token: 40 USDx become 40 XLM, which are worth 10.
    fixture.ledger([make.deposit(alice, null, whole(40)), make.deposit(alice, whole(40), null, xlm)])
    expect(stakes(fixture, make.usdx)).toEqual(cost(0n, 0, 0))
    expect(stakes(fixture, xlm)).toEqual(cost(whole(40), 10, 0, 'inferred'))
  })

  it('the cost of a stake follows the payment of its call: a call that was not made locks nothing', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)), [make.lockingPool()])
    const { activities } = fixture.ledger([
      make.call(locking, 'deposit', ...make.depositArguments(make.usdx, alice, whole(7))),
      make.call(locking, 'deposit', ...make.depositArguments(make.usdx, alice, whole(40))),
      pay(alice, locking, whole(40), make.usdx),
      make.deposit(alice, whole(40)),
    ])
    expect(activities).toMatchObject([{ activityType: 'stake', address: alice, amount: whole(40), direction: 'sent' }])
    expect(stakes(fixture, make.usdx)).toEqual(cost(whole(40), 40, 0))
  })
})
