// Open positions have a value at every hour, and closed ones end with zeros; and which entries close a vault.

import type { Rows } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { vaultOf } from '../src/state/state.ts'
import { fxdaoView } from '../src/view/view.ts'
import * as make from './fold-fixture.ts'
import { alice, bob, FoldFixture, network, secondsOf, settings, vault, vaultKey, whole } from './fold-fixture.ts'

const held = (collateral: number, debt: number): make.Held => [whole(collateral), whole(debt)]

/** Two currencies: one XLM is 0.25 USD and 0.2 EUR, so a coin of EUR is 1.25 USD. */
function twoCurrencies(): FoldFixture {
  const fixture = new FoldFixture()
  fixture.ledger([settings({ EUR: make.SECURED, USD: make.SECURED })], make.rates({ USD: 0.25, EUR: 0.2 }, secondsOf(1)))
  return fixture
}
const at = (fixture: FoldFixture) => ({ ledger: fixture.ledgerNow, closeTimeSeconds: secondsOf(fixture.ledgerNow) })

describe('snapshots', () => {
  it('snapshots of a vault have its value when it changes, and zeros when it is closed', () => {
    const fixture = twoCurrencies()
    const opened = fixture.ledger([vault(alice, held(1_000, 100), null, { denomination: 'EUR' })])
    // 1,000 · 0.25 − 100 · 1.25
    expect(opened.positionSnapshots).toMatchObject([
      { pool: 'fxdao:EUR', open: true, heartbeat: false, suppliedUsd: '250', borrowedUsd: '125', netUsd: '125', unpricedAssets: 0 },
    ])
    const closed = fixture.ledger([vault(alice, null, held(1_000, 100), { denomination: 'EUR' })])
    expect(closed.positionSnapshots).toMatchObject([
      { pool: 'fxdao:EUR', open: false, heartbeat: false, suppliedUsd: '0', borrowedUsd: '0', netUsd: '0', unpricedAssets: 0 },
    ])
  })

  it('snapshots of open positions are written at the first ledger of an hour, below one dollar at the first of a day', () => {
    const fixture = twoCurrencies()
    fixture.ledger([vault(alice, held(1_000, 100))], [vault(bob, held(1, 0.1))])
    const beats: [number, string][] = []
    while (fixture.ledgerNow < 13) {
      for (const { address, heartbeat } of fixture.ledger().positionSnapshots) {
        expect(heartbeat).toBe(true)
        beats.push([fixture.ledgerNow, address])
      }
    }
    // Ledger 6 and 12 begin hours, ten minutes apart.
    expect(beats).toEqual([
      [6, alice],
      [12, alice],
    ])
  })

  it('snapshots of a vault without a price are marked unpriced, and zeros need no price', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [0n, 0n, 0] })])
    const opened = fixture.ledger([vault(alice, held(1_000, 100))])
    expect(opened.positionSnapshots).toMatchObject([{ suppliedUsd: null, borrowedUsd: null, netUsd: null, unpricedAssets: 2 }])
    const closed = fixture.ledger([vault(alice, null, held(1_000, 100))])
    expect(closed.positionSnapshots).toMatchObject([{ suppliedUsd: '0', netUsd: '0', unpricedAssets: 0 }])
  })

  it('snapshots of a currency have the stored collateral, of locked stakes the sum of the deposits', () => {
    const fixture = twoCurrencies()
    const before = { EUR: make.SECURED, USD: make.SECURED } as const
    const { poolSnapshots, reserveSnapshots } = fixture.ledger(
      [settings({ ...before, USD: [whole(2_000), whole(200), 2] }, before), vault(alice, held(1_000, 100))],
      [make.lockingPool(), make.deposit(bob, whole(40))],
    )
    expect(poolSnapshots.map(({ pool, tvlUsd }) => [pool, tvlUsd])).toEqual([
      ['fxdao:USD', '500'],
      [make.locking, '40'],
    ])
    expect(reserveSnapshots).toMatchObject([
      { pool: 'fxdao:USD', supplied: whole(2_000), suppliedUsd: '500', borrowed: 0n, priceUsd: '0.25' },
      { pool: 'fxdao:USD', supplied: 0n, borrowed: whole(200), borrowedUsd: '200', priceUsd: '1' },
      { pool: make.locking, supplied: whole(40), suppliedUsd: '40', borrowed: 0n },
    ])
  })

  it('snapshots of a currency whose vaults are empty have no value for what is still owed, as its coin has no par price any more', () => {
    const fixture = twoCurrencies()
    fixture.ledger([make.lockingPool(), make.deposit(bob, whole(40))])
    const before = { EUR: make.SECURED, USD: make.SECURED } as const
    // An eviction takes the last vault and leaves its debt, as mainnet ended.
    const emptied = fixture.ledger([settings({ ...before, USD: [0n, whole(100), 0] }, before)])
    expect(emptied.reserveSnapshots).toMatchObject([
      { supplied: 0n, suppliedUsd: '0' },
      { borrowed: whole(100), borrowedUsd: '100', priceUsd: '1' },
    ])
    const hourly = [fixture.ledger(), fixture.ledger(), fixture.ledger()].flatMap((rows) => [
      ...rows.reserveSnapshots,
      ...rows.poolSnapshots,
    ])
    expect(hourly).toMatchObject([
      { pool: 'fxdao:EUR', supplied: whole(1_000), suppliedUsd: '250' },
      { pool: 'fxdao:EUR', borrowedUsd: '125', priceUsd: '1.25' },
      { pool: 'fxdao:USD', supplied: 0n, suppliedUsd: '0' },
      { pool: 'fxdao:USD', borrowed: whole(100), borrowedUsd: null, priceUsd: null, priceSource: '' },
      { pool: make.locking, supplied: whole(40), suppliedUsd: null, priceUsd: null },
      { pool: 'fxdao:EUR', tvlUsd: '250', unpricedAssets: 0 },
      { pool: 'fxdao:USD', tvlUsd: '0', unpricedAssets: 0 },
      { pool: make.locking, tvlUsd: '0', unpricedAssets: 1 },
    ])
  })
})

/** Folds a ledger, and again from the rows of the ledgers before: a restart writes the same. */
function restarted(fixture: FoldFixture, ...operations: readonly (readonly make.MadeRecord[])[]): Rows {
  const slice = fixture.slice(operations)
  const newest = new Map(fixture.rows.map((row) => [`${row.contract} ${row.key}`, row]))
  const reloaded = fixture.adapter.load(newest.values(), slice.ledger - 1)
  const rows = fixture.adapter.fold(fixture.state, slice)
  expect(fixture.adapter.fold(reloaded, slice)).toEqual(rows)
  fixture.rows.push(...rows.state)
  return rows
}

describe('a position that a price takes below 1 USD or above it', () => {
  /** What is written at the first ledgers of the next hours, by address. Six ledgers are an hour. */
  const nextHours = (fixture: FoldFixture, hours: number) =>
    Array.from({ length: hours }, () => {
      while (fixture.ledgerNow % 6 < 5) restarted(fixture)
      return restarted(fixture).positionSnapshots.map(({ address, heartbeat, netUsd }) => [address, heartbeat, netUsd])
    })
  const priced = (fixture: FoldFixture, usd: number) =>
    restarted(fixture, make.rates({ USD: usd }, secondsOf(fixture.ledgerNow + 1), false))

  it('a position that a price takes below 1 USD or above it is written in that hour, then daily while it stays below, and hourly once it is above: a vault', () => {
    const fixture = new FoldFixture()
    restarted(fixture, [settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
    restarted(fixture, [vault(alice, held(10, 0.1))])
    // 10 · 0.25 − 0.1, and 10 · 0.01 − 0.1 with 0.2 USD on both sides together.
    expect(nextHours(fixture, 1)).toEqual([[[alice, true, '2.4']]])
    priced(fixture, 0.01)
    expect(nextHours(fixture, 3)).toEqual([[[alice, true, '0']], [], []])
    priced(fixture, 0.25)
    expect(nextHours(fixture, 2)).toEqual([[[alice, true, '2.4']], [[alice, true, '2.4']]])
    expect(fixture.rows.filter(({ key }) => key === `@${alice}:small:USD`).map(({ removed }) => removed)).toEqual([false, true])
  })

  it('a position that a price takes below 1 USD or above it is no longer small when it is closed, and starts again when it is opened again', () => {
    const fixture = new FoldFixture()
    restarted(fixture, [settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
    const small = held(1, 0.1)
    restarted(fixture, [vault(alice, small)])
    expect(fixture.state.smallVaults.size).toBe(1)
    restarted(fixture, [vault(alice, null, small)])
    expect(fixture.state.smallVaults.size).toBe(0)
    restarted(fixture, [vault(alice, held(1_000, 100))])
    restarted(fixture, [vault(alice, small, held(1_000, 100))])
    expect(nextHours(fixture, 1)).toEqual([[]])
  })

  it('a position that a price takes below 1 USD or above it is the sum of what an account has locked in one contract', () => {
    const fixture = new FoldFixture()
    // A coin is at par whatever the collateral is worth: 40 coins are 40 USD, 0.4 are 0.4.
    restarted(fixture, [settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
    restarted(fixture, [make.lockingPool(), make.deposit(bob, whole(40))])
    expect(nextHours(fixture, 1)).toEqual([[[bob, true, '40']]])
    restarted(fixture, [make.deposit(bob, whole(0.4), whole(40))])
    expect(nextHours(fixture, 2)).toEqual([[], []])
    expect(fixture.rows.filter(({ key }) => key === `@${bob}:small`).map(({ removed }) => removed)).toEqual([false])
    restarted(fixture, [make.deposit(bob, whole(50), whole(0.4))])
    expect(nextHours(fixture, 1)).toEqual([[[bob, true, '50']]])
  })
})

describe('a vault', () => {
  it('a vault is open while it is archived, and when it is restored nothing has changed', () => {
    const fixture = twoCurrencies()
    fixture.ledger([vault(alice, held(1_000, 100))])
    fixture.archive(vaultKey(alice))
    expect(vaultOf(fixture.state, alice, 'USD').vault?.value.debt).toBe(whole(100))
    const { activities, positionSnapshots, state } = fixture.ledger([
      vault(alice, held(1_000, 100), held(1_000, 100), { change: 'restored', liveUntil: 900_000 }),
    ])
    expect([activities, positionSnapshots]).toEqual([[], []])
    // A longer TTL is a row, and no change.
    expect(state.map(({ key, liveUntil }) => [key.split(':')[1], liveUntil])).toEqual([['vault', 900_000]])
  })

  it('a vault of a lower-case currency is one like any other, and healthy by its own rate', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ usd: [0n, 0n, 0] })], make.rates({ usd: 0.25 }, secondsOf(1)))
    fixture.ledger([vault(alice, held(1_000, 100), null, { denomination: 'usd' })])
    // 0.25 · 1,000 / 100 = 250 %, over 110 %. No symbol USD: nothing has a price in dollars.
    expect(fxdaoView(network).vaults(fixture.state, alice, at(fixture))).toMatchObject([
      { denomination: 'usd', collateralRatioPct: '250', healthFactor: '2.27272727', liquidationPrice: null, netUsd: null },
    ])
  })

  it('a vault has no health while the feed has no rate of its currency, and its collateral still has a price', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ EUR: [0n, 0n, 0] })], make.rates({ USD: 0.25 }, secondsOf(1)))
    fixture.ledger([vault(alice, held(1_000, 100), null, { denomination: 'EUR' })])
    const [position] = fxdaoView(network).vaults(fixture.state, alice, at(fixture))
    expect(position).toMatchObject({ healthFactor: null, borrowLimitPct: null, isLiquidatable: null, liquidationPrice: null })
    expect([position?.collateral.usdValue, position?.debt.usdValue]).toEqual(['250', null])
  })

  it('a vault of a currency whose minimum is set to nothing can never be liquidated', () => {
    const fixture = new FoldFixture()
    fixture.ledger([settings({ USD: [0n, 0n, 0, 0n] })], make.rates({ USD: 0.25 }, secondsOf(1)))
    fixture.ledger([vault(alice, held(1_000, 100))])
    expect(fxdaoView(network).vaults(fixture.state, alice, at(fixture))).toMatchObject([
      {
        ...{ collateralRatioPct: '250', minimumRatioPct: '0', isLiquidatable: false, borrowLimitPct: '0' },
        ...{ healthFactor: null, liquidationPrice: '0', debtLiquidationPrice: null, borrowCapUsd: null },
      },
    ])
  })

  it('a vault of a currency that the contract does not list is stored, and appears in no activity', () => {
    const fixture = twoCurrencies()
    const { positionSnapshots, notices } = fixture.ledger([vault(alice, held(1_000, 100), null, { denomination: 'GBP' })])
    expect(positionSnapshots).toMatchObject([{ pool: 'fxdao:GBP', suppliedUsd: '250', borrowedUsd: null, unpricedAssets: 1 }])
    expect(notices).toMatchObject([{ kind: 'call', reason: 'a vault of GBP changed in a way that no call or token tells' }])
    expect(fxdaoView(network).vaults(fixture.state, alice, at(fixture))).toEqual([])
  })

  it('a vault may be liquidated below the minimum: prices of both sides at that border', () => {
    const fixture = twoCurrencies()
    fixture.ledger(
      [vault(alice, held(1_000, 100), null, { denomination: 'EUR' })],
      [vault(bob, held(800, 100), null, { denomination: 'EUR' })],
    )
    // Ratio 0.2 · 1,000 / 100 = 200 %. XLM 0.25 · 1.1 · 100 / (0.2 · 1,000) = 0.1375; the coin 1.25 · 200 / 110 = 2.2727…
    expect(fxdaoView(network).vaults(fixture.state, alice, at(fixture))).toMatchObject([
      {
        ...{ collateralRatioPct: '200', healthFactor: '1.81818182', borrowLimitPct: '55', isLiquidatable: false },
        ...{ liquidationPrice: '0.1375', debtLiquidationPrice: '2.272727272727272727', redemptionRank: 2 },
      },
    ])
  })

  it('a vault is read from rows as it was folded', () => {
    const fixture = twoCurrencies()
    fixture.ledger([vault(alice, held(1_000, 100))], [make.lockingPool(), make.deposit(bob, whole(40))])
    const newest = new Map(fixture.rows.map((row) => [`${row.contract} ${row.key}`, row]))
    const view = fxdaoView(network)
    const read = view.load(newest.values(), fixture.ledgerNow)
    expect(view.vaults(read, alice, at(fixture))).toEqual(view.vaults(fixture.state, alice, at(fixture)))
    expect(view.locked(read, bob, at(fixture))).toEqual(view.locked(fixture.state, bob, at(fixture)))
  })
})
