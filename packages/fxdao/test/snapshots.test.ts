// What is open has a value at every hour, and what is closed ends with zeros; and which entries close a vault.

import type { Rows } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { vaultOf } from '../src/state/state.ts'
import { fxdaoView } from '../src/view/view.ts'
import * as make from './scene.ts'
import { alice, bob, network, Scene, secondsOf, settings, vault, vaultKey, whole } from './scene.ts'

const held = (collateral: number, debt: number): make.Held => [whole(collateral), whole(debt)]

/** Two currencies: one XLM is 0.25 USD and 0.2 EUR, so a coin of EUR is 1.25 USD. */
function twoCurrencies(): Scene {
  const scene = new Scene()
  scene.ledger([settings({ EUR: make.SECURED, USD: make.SECURED })], make.rates({ USD: 0.25, EUR: 0.2 }, secondsOf(1)))
  return scene
}
const at = (scene: Scene) => ({ ledger: scene.ledgerNow, closeTimeSeconds: secondsOf(scene.ledgerNow) })

describe('snapshots', () => {
  it('of a vault have its value when it changes, and zeros when it is gone', () => {
    const scene = twoCurrencies()
    const opened = scene.ledger([vault(alice, held(1_000, 100), null, { denomination: 'EUR' })])
    // 1,000 · 0.25 − 100 · 1.25
    expect(opened.positionSnapshots).toMatchObject([
      { pool: 'fxdao:EUR', open: true, heartbeat: false, suppliedUsd: '250', borrowedUsd: '125', netUsd: '125', unpricedAssets: 0 },
    ])
    const closed = scene.ledger([vault(alice, null, held(1_000, 100), { denomination: 'EUR' })])
    expect(closed.positionSnapshots).toMatchObject([
      { pool: 'fxdao:EUR', open: false, heartbeat: false, suppliedUsd: '0', borrowedUsd: '0', netUsd: '0', unpricedAssets: 0 },
    ])
  })

  it('come at the first ledger of an hour of what is open, of less than a dollar at the first of a day', () => {
    const scene = twoCurrencies()
    scene.ledger([vault(alice, held(1_000, 100))], [vault(bob, held(1, 0.1))])
    const beats: [number, string][] = []
    while (scene.ledgerNow < 13) {
      for (const { address, heartbeat } of scene.ledger().positionSnapshots) {
        expect(heartbeat).toBe(true)
        beats.push([scene.ledgerNow, address])
      }
    }
    // Ledger 6 and 12 begin hours, ten minutes apart.
    expect(beats).toEqual([
      [6, alice],
      [12, alice],
    ])
  })

  it('of a vault without a price say so, and zeros need none', () => {
    const scene = new Scene()
    scene.ledger([settings({ USD: [0n, 0n, 0] })])
    const opened = scene.ledger([vault(alice, held(1_000, 100))])
    expect(opened.positionSnapshots).toMatchObject([{ suppliedUsd: null, borrowedUsd: null, netUsd: null, unpricedAssets: 2 }])
    const closed = scene.ledger([vault(alice, null, held(1_000, 100))])
    expect(closed.positionSnapshots).toMatchObject([{ suppliedUsd: '0', netUsd: '0', unpricedAssets: 0 }])
  })

  it('of a currency have the stored collateral, of locked stakes the sum of the deposits', () => {
    const scene = twoCurrencies()
    const before = { EUR: make.SECURED, USD: make.SECURED } as const
    const { poolSnapshots, reserveSnapshots } = scene.ledger(
      [settings({ ...before, USD: [whole(2_000), whole(200), 2] }, before), vault(alice, held(1_000, 100))],
      [make.lockingPool(), make.deposit(bob, whole(40))],
    )
    expect(poolSnapshots.map(({ pool, tvlUsd }) => [pool, tvlUsd])).toEqual([
      ['fxdao:USD', '500'],
      [make.locking, '40'],
    ])
    expect(reserveSnapshots).toMatchObject([{ pool: 'fxdao:USD', borrowed: whole(200), borrowedUsd: '200', priceUsd: '1' }])
  })

  it('of a currency whose vaults are empty have no value for what is still owed, as its coin has no par price any more', () => {
    const scene = twoCurrencies()
    scene.ledger([make.lockingPool(), make.deposit(bob, whole(40))])
    const before = { EUR: make.SECURED, USD: make.SECURED } as const
    // An eviction takes the last vault and leaves its debt, as mainnet ended.
    const emptied = scene.ledger([settings({ ...before, USD: [0n, whole(100), 0] }, before)])
    expect(emptied.reserveSnapshots).toMatchObject([{ borrowed: whole(100), borrowedUsd: '100', priceUsd: '1' }])
    const hourly = [scene.ledger(), scene.ledger(), scene.ledger()].flatMap((rows) => [...rows.reserveSnapshots, ...rows.poolSnapshots])
    expect(hourly).toMatchObject([
      { pool: 'fxdao:EUR', borrowedUsd: '125', priceUsd: '1.25' },
      { pool: 'fxdao:USD', borrowed: whole(100), borrowedUsd: null, priceUsd: null, priceSource: '' },
      { pool: 'fxdao:EUR', tvlUsd: '250', unpricedAssets: 0 },
      { pool: 'fxdao:USD', tvlUsd: '0', unpricedAssets: 0 },
      { pool: make.locking, tvlUsd: '0', unpricedAssets: 1 },
    ])
  })
})

/** Folds a ledger, and again from the rows of the ledgers before: a restart writes the same. */
function restarted(scene: Scene, ...operations: readonly (readonly make.MadeRecord[])[]): Rows {
  const slice = scene.slice(operations)
  const newest = new Map(scene.rows.map((row) => [`${row.contract} ${row.key}`, row]))
  const reloaded = scene.adapter.load(newest.values(), slice.ledger - 1)
  const rows = scene.adapter.fold(scene.state, slice)
  expect(scene.adapter.fold(reloaded, slice)).toEqual(rows)
  scene.rows.push(...rows.state)
  return rows
}

describe('a position that a price takes below 1 USD or above it', () => {
  /** What is written at the first ledgers of the next hours, by address. Six ledgers are an hour. */
  const nextHours = (scene: Scene, hours: number) =>
    Array.from({ length: hours }, () => {
      while (scene.ledgerNow % 6 < 5) restarted(scene)
      return restarted(scene).positionSnapshots.map(({ address, heartbeat, netUsd }) => [address, heartbeat, netUsd])
    })
  const priced = (scene: Scene, usd: number) => restarted(scene, make.rates({ USD: usd }, secondsOf(scene.ledgerNow + 1), false))

  it('is written in that hour, then daily while it stays below, and hourly once it is above: a vault', () => {
    const scene = new Scene()
    restarted(scene, [settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
    restarted(scene, [vault(alice, held(10, 0.1))])
    // 10 · 0.25 − 0.1, and 10 · 0.01 − 0.1 with 0.2 USD on both sides together.
    expect(nextHours(scene, 1)).toEqual([[[alice, true, '2.4']]])
    priced(scene, 0.01)
    expect(nextHours(scene, 3)).toEqual([[[alice, true, '0']], [], []])
    priced(scene, 0.25)
    expect(nextHours(scene, 2)).toEqual([[[alice, true, '2.4']], [[alice, true, '2.4']]])
    expect(scene.rows.filter(({ key }) => key === `@${alice}:small:USD`).map(({ removed }) => removed)).toEqual([false, true])
  })

  it('is forgotten when it is closed, and starts anew when it is opened again', () => {
    const scene = new Scene()
    restarted(scene, [settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
    const small = held(1, 0.1)
    restarted(scene, [vault(alice, small)])
    expect(scene.state.smallVaults.size).toBe(1)
    restarted(scene, [vault(alice, null, small)])
    expect(scene.state.smallVaults.size).toBe(0)
    restarted(scene, [vault(alice, held(1_000, 100))])
    restarted(scene, [vault(alice, small, held(1_000, 100))])
    expect(nextHours(scene, 1)).toEqual([[]])
  })

  it('is the sum of what an account has locked in one contract', () => {
    const scene = new Scene()
    // A coin is at par whatever the collateral is worth: 40 coins are 40 USD, 0.4 are 0.4.
    restarted(scene, [settings({ USD: make.SECURED })], make.rates({ USD: 0.25 }, secondsOf(1)))
    restarted(scene, [make.lockingPool(), make.deposit(bob, whole(40))])
    expect(nextHours(scene, 1)).toEqual([[[bob, true, '40']]])
    restarted(scene, [make.deposit(bob, whole(0.4), whole(40))])
    expect(nextHours(scene, 2)).toEqual([[], []])
    expect(scene.rows.filter(({ key }) => key === `@${bob}:small`).map(({ removed }) => removed)).toEqual([false])
    restarted(scene, [make.deposit(bob, whole(50), whole(0.4))])
    expect(nextHours(scene, 1)).toEqual([[[bob, true, '50']]])
  })
})

describe('a vault', () => {
  it('is open while it is archived, and when it is restored nothing has changed', () => {
    const scene = twoCurrencies()
    scene.ledger([vault(alice, held(1_000, 100))])
    scene.archive(vaultKey(alice))
    expect(vaultOf(scene.state, alice, 'USD').vault?.value.debt).toBe(whole(100))
    const { activities, positionSnapshots, state } = scene.ledger([
      vault(alice, held(1_000, 100), held(1_000, 100), { change: 'restored', liveUntil: 900_000 }),
    ])
    expect([activities, positionSnapshots]).toEqual([[], []])
    // A longer life is a row, and no change.
    expect(state.map(({ key, liveUntil }) => [key.split(':')[1], liveUntil])).toEqual([['vault', 900_000]])
  })

  it('of a lower-case currency is one like any other, and healthy by its own rate', () => {
    const scene = new Scene()
    scene.ledger([settings({ usd: [0n, 0n, 0] })], make.rates({ usd: 0.25 }, secondsOf(1)))
    scene.ledger([vault(alice, held(1_000, 100), null, { denomination: 'usd' })])
    // 0.25 · 1,000 / 100 = 250 %, over 110 %. No symbol USD: nothing has a price in dollars.
    expect(fxdaoView(network).vaults(scene.state, alice, at(scene))).toMatchObject([
      { denomination: 'usd', collateralRatioPct: '250', healthFactor: '2.27272727', liquidationPrice: null, netUsd: null },
    ])
  })

  it('has no health while the feed has no rate of its currency, and its collateral still has a price', () => {
    const scene = new Scene()
    scene.ledger([settings({ EUR: [0n, 0n, 0] })], make.rates({ USD: 0.25 }, secondsOf(1)))
    scene.ledger([vault(alice, held(1_000, 100), null, { denomination: 'EUR' })])
    const [position] = fxdaoView(network).vaults(scene.state, alice, at(scene))
    expect(position).toMatchObject({ healthFactor: null, borrowLimitPct: null, isLiquidatable: null, liquidationPrice: null })
    expect([position?.collateral.usdValue, position?.debt.usdValue]).toEqual(['250', null])
  })

  it('of a currency whose minimum is set to nothing can never be liquidated', () => {
    const scene = new Scene()
    scene.ledger([settings({ USD: [0n, 0n, 0, 0n] })], make.rates({ USD: 0.25 }, secondsOf(1)))
    scene.ledger([vault(alice, held(1_000, 100))])
    expect(fxdaoView(network).vaults(scene.state, alice, at(scene))).toMatchObject([
      {
        ...{ collateralRatioPct: '250', minimumRatioPct: '0', isLiquidatable: false, borrowLimitPct: '0' },
        ...{ healthFactor: null, liquidationPrice: '0', debtLiquidationPrice: null, borrowCapUsd: null },
      },
    ])
  })

  it('of a currency that the contract does not list is kept, and told nowhere', () => {
    const scene = twoCurrencies()
    const { positionSnapshots, notices } = scene.ledger([vault(alice, held(1_000, 100), null, { denomination: 'GBP' })])
    expect(positionSnapshots).toMatchObject([{ pool: 'fxdao:GBP', suppliedUsd: '250', borrowedUsd: null, unpricedAssets: 1 }])
    expect(notices).toMatchObject([{ kind: 'call', reason: 'a vault of GBP changed in a way that no call or token tells' }])
    expect(fxdaoView(network).vaults(scene.state, alice, at(scene))).toEqual([])
  })

  it('may be liquidated below the minimum: prices of both sides at that border', () => {
    const scene = twoCurrencies()
    scene.ledger(
      [vault(alice, held(1_000, 100), null, { denomination: 'EUR' })],
      [vault(bob, held(800, 100), null, { denomination: 'EUR' })],
    )
    // Ratio 0.2 · 1,000 / 100 = 200 %. XLM 0.25 · 1.1 · 100 / (0.2 · 1,000) = 0.1375; the coin 1.25 · 200 / 110 = 2.2727…
    expect(fxdaoView(network).vaults(scene.state, alice, at(scene))).toMatchObject([
      {
        ...{ collateralRatioPct: '200', healthFactor: '1.81818182', borrowLimitPct: '55', isLiquidatable: false },
        ...{ liquidationPrice: '0.1375', debtLiquidationPrice: '2.272727272727272727', redemptionRank: 2 },
      },
    ])
  })

  it('is read from rows as it was folded', () => {
    const scene = twoCurrencies()
    scene.ledger([vault(alice, held(1_000, 100))], [make.lockingPool(), make.deposit(bob, whole(40))])
    const newest = new Map(scene.rows.map((row) => [`${row.contract} ${row.key}`, row]))
    const view = fxdaoView(network)
    const read = view.load(newest.values(), scene.ledgerNow)
    expect(view.vaults(read, alice, at(scene))).toEqual(view.vaults(scene.state, alice, at(scene)))
    expect(view.locked(read, bob, at(scene))).toEqual(view.locked(scene.state, bob, at(scene)))
  })
})
