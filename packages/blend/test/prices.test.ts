// What a price rests on, in scenes that the recording does not have: a Comet pool that was drained, oracles that disagree, an oracle that cannot be read.

import { sc } from '@orrery/ledger'
import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { blendView } from '../src/view/view.ts'
import { pricedScene, quotes } from './priced-scene.ts'
import { alice, blnd, comet, entry, oracle, pool, positions, Scene, usdc, xlm } from './scene.ts'

const UNIT = 10_000_000n

/** A Comet pool with so many BLND and cents of USDC, and 100 LP tokens. */
function cometWith(blndUnits: bigint, usdcCents: bigint, contract = comet) {
  const record = (index: number, balance: bigint, weight: bigint) =>
    sc.struct({ balance: sc.i128(balance), index: sc.u32(index), scalar: sc.i128(10n ** 11n), weight: sc.i128(weight) })
  const records = sc.map(
    [sc.address(blnd), record(0, blndUnits * UNIT, 8_000_000n)],
    [sc.address(usdc), record(1, (usdcCents * UNIT) / 100n, 2_000_000n)],
  )
  return [
    entry(contract, sc.vec(sc.symbol('AllRecordData')), records),
    entry(contract, sc.vec(sc.symbol('TotalShares')), sc.i128(100n * UNIT)),
  ]
}

describe('the Comet pool', () => {
  /** Prices of BLND and of an LP token, at one dollar for USDC. */
  const prices = (blndUnits: bigint, usdcCents: bigint) => {
    const scene = pricedScene()
    scene.ledger([quotes(scene, { [usdc]: 100 }), ...cometWith(blndUnits, usdcCents)])
    const view = blendView(scene.network)
    return [blnd, comet].map((asset) => view.price(scene.state, asset, scene.at)?.usd ?? null)
  }

  it('the Comet pool prices BLND by balances over weights, and an LP token by five times its USDC', () => {
    // (25,000 / 0.2) / (1,000,000 / 0.8) = 0.1, and 5 · 25,000 / 100 = 1,250.
    expect(prices(1_000_000n, 2_500_000n)).toEqual(['0.1', '1250'])
  })

  it('a drained Comet pool gives no price: with less than 1,000 USD of USDC it prices neither BLND nor LP tokens', () => {
    expect(prices(1_000n, 100_000n)).toEqual(['4', '50'])
    expect(prices(1_000n, 99_999n)).toEqual([null, null])
    expect(prices(0n, 0n)).toEqual([null, null])
  })

  it("of two Comet pools that of the registry's first deployment gives the price, whichever was seen first, unless it is drained", () => {
    const second = testContract('second comet')
    const another = {
      factory: testContract('second factory'),
      backstop: testContract('second backstop'),
      emitter: testContract('second emitter'),
    }
    const scene = pricedScene([], [{ version: 'v2', ...another, backstopToken: second, blnd, usdc, fromLedger: 1 }])
    const view = blendView(scene.network)
    const price = () => view.price(scene.state, blnd, scene.at)
    scene.ledger([quotes(scene, { [usdc]: 100 }), ...cometWith(100_000n, 500_000n, second)])
    expect(price()).toMatchObject({ usd: '0.2', source: `pool:${second}` })
    scene.ledger(cometWith(1_000_000n, 2_500_000n))
    expect(price()).toMatchObject({ usd: '0.1', source: `pool:${comet}` })
    scene.ledger(cometWith(1n, 1n))
    expect(price()).toMatchObject({ usd: '0.2', source: `pool:${second}` })
  })

  it('backstop shares without a price of LP tokens are counted as unpriced, never as zero', () => {
    const scene = pricedScene()
    const shares = sc.struct({ q4w: sc.vec(), shares: sc.i128(100n) })
    const balance = sc.struct({ q4w: sc.i128(0n), shares: sc.i128(100n), tokens: sc.i128(100n) })
    const backstop = scene.network.deployments.blend[0]?.backstop ?? ''
    const { positionSnapshots } = scene.ledger([
      quotes(scene, { [usdc]: 100 }),
      ...cometWith(1n, 1n),
      entry(backstop, sc.vec(sc.symbol('PoolBalance'), sc.address(pool)), balance),
      entry(backstop, sc.vec(sc.symbol('UserBalance'), sc.struct({ pool: sc.address(pool), user: sc.address(alice) })), shares),
    ])
    expect(positionSnapshots).toMatchObject([
      { address: alice, open: true, depositedUsd: null, unpricedAssets: 1, native: { backstop: { usd_value: null } } },
    ])
  })
})

describe('an asset', () => {
  it("an asset has the price of the pool's own oracle in the pool, and elsewhere that of the registry's first", () => {
    const first = testContract('first oracle')
    const scene = pricedScene([first])
    scene.ledger([quotes(scene, { [usdc]: 100, [xlm]: 25 }, first), quotes(scene, { [usdc]: 100, [xlm]: 30 })])
    const view = blendView(scene.network)
    const inPool = view.pool(scene.state, pool, scene.at)?.reserves.find(({ asset }) => asset.asset === xlm)
    expect(inPool?.price).toMatchObject({ usd: '0.3', source: `oracle:${oracle}` })
    expect(view.price(scene.state, xlm, scene.at)).toMatchObject({ usd: '0.25', source: `oracle:${first}` })
  })
})

describe('a pool whose oracle cannot be read', () => {
  it('a pool whose oracle cannot be read says so, has the prices of others, and is counted once a day', () => {
    const first = testContract('first oracle')
    const scene = new Scene('v2', [], [], [{ contract: first, kind: 'reflector', base: { kind: 'symbol', symbol: 'USD' }, decimals: 14 }])
    const counted = { contract: oracle, kind: 'oracle', reason: 'a pool asks an oracle that cannot be read from storage', count: 1 }
    expect(scene.first.notices).toMatchObject([counted])
    const { positionSnapshots, notices } = scene.ledger([
      quotes(scene, { [usdc]: 100 }, first),
      positions(alice, { 1: 5n * UNIT }, { 0: 10n * UNIT }, {}),
    ])
    expect(notices.filter(({ kind }) => kind === 'oracle')).toEqual([])
    // 10 bTokens are 11 USDC, which another oracle prices; XLM has no price and is left out.
    expect(positionSnapshots).toMatchObject([{ suppliedUsd: '11', netUsd: '11', effectiveCollateralUsd: '8.25', unpricedAssets: 1 }])
    expect(blendView(scene.network).pool(scene.state, pool, scene.at)).toMatchObject({ oracleReadable: false })
    // Ledgers are ten minutes apart: the first of the next day is number 144.
    const later = Array.from({ length: 144 }, () => scene.ledger()).flatMap((rows) => rows.notices)
    expect(later).toMatchObject([{ ...counted, ledger: 144 }])
  })
})
