// The state after rare ledgers, of which the recording has no example: expired entries, restored entries, pools without activity, losses of
// suppliers, a second deployment. Figures are computed by hand: a bToken is 1.1 of its asset, a dToken 1.2.

import { sc } from '@orrery/ledger'
import type { Rows } from '@orrery/protocol-kit'
import { StateTable, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { blendView } from '../src/view/view.ts'
import { pricedScene, quotes } from './priced-scene.ts'
import * as scene from './scene.ts'
import { alice, auction, auctionKey, backstop, bob, comet, entry, event, pool, positions, Scene, source, usdc, xlm } from './scene.ts'

const lending = (of: Scene, address = alice) => blendView(of.network).position(of.state, pool, address, of.at)
const poolNow = (of: Scene, address = pool) => blendView(of.network).pool(of.state, address, of.at)

/** An account's costs by balance: shares, and what was ever paid in for them. */
const costs = (rows: Rows, address: string) =>
  rows.state.flatMap(({ owner, key, value }) => {
    const cost = owner === address && key.includes(':cost:') ? (JSON.parse(value) as { units: string; net_paid: string }) : null
    return cost === null ? [] : [[key.split(':').at(-2), cost.units, cost.net_paid]]
  })

/** Who has a snapshot: whether it is open, why it was written, and the amounts supplied by asset. */
const writtenIn = (rows: Rows) =>
  Object.fromEntries(
    rows.positionSnapshots.map(({ address, open, heartbeat, native }) => {
      const supply = Object.entries(native.supply as Readonly<Record<string, { amount: string }>>)
      return [address, [open, heartbeat ? 'heartbeat' : 'change', Object.fromEntries(supply.map(([asset, it]) => [asset, it.amount]))]]
    }),
  )

describe('an auction', () => {
  const stored = auction({ [xlm]: 500n }, { [usdc]: 1_000n }, 3)

  it('an auction ends with its live-until ledger without any record, and the next one under its key is a new one', () => {
    const it = new Scene()
    it.ledger([positions(alice, {}, { 0: 1_000n }, { 1: 500n }), scene.temporary(pool, auctionKey(alice, 0), stored, 4)])
    const going = { block: 3, bid: [{ asset: xlm, dTokens: 500n }], lot: [{ asset: usdc, bTokens: 1_000n }] }
    expect(lending(it)?.liquidation).toEqual(going)
    it.pass(2)
    expect(lending(it)?.liquidation).toEqual(going)
    it.pass(1)
    expect(lending(it)?.liquidation).toBeNull()
    const next = auction({ [xlm]: 50n }, { [usdc]: 90n }, 7)
    it.ledger([scene.temporary(pool, auctionKey(alice, 0), next, 99)])
    expect(lending(it)?.liquidation).toMatchObject({ block: 7 })
    it.ledger([scene.evicted(pool, auctionKey(alice, 0), 'temporary')])
    expect(lending(it)?.liquidation).toBeNull()
  })

  it("a cancelled auction is its user's in both versions, whichever account cancels it", () => {
    const second = new Scene().ledger([event(pool, 'delete_auction', [0, alice], sc.void())])
    const first = new Scene('v1').ledger([event(pool, 'delete_liquidation_auction', [alice], sc.void())])
    for (const { activities, notices } of [first, second]) {
      expect(notices.filter(({ kind }) => kind === 'event')).toEqual([])
      expect(activities).toMatchObject([
        { activityType: 'auction', address: alice, direction: 'none', metadata: { reason: 'cancelled', auction_type: 'user_liquidation' } },
      ])
    }
  })

  it('a fill that took and gave nothing, since it came too late, is in the feeds of both sides', () => {
    const nothing = auction({}, {}, 3)
    const { activities } = new Scene().ledger([
      event(pool, 'fill_auction', [0, alice], bob, 100n, nothing),
      event(pool, 'fill_auction', [1, backstop], bob, 100n, nothing),
    ])
    const rows = activities.map((row) => [row.activityType, row.address, row.counterparty, row.metadata.role, row.amount, row.counts])
    expect(rows).toEqual([
      ['liquidation', alice, bob, 'liquidated', 0n, 1],
      ['liquidation', bob, alice, 'liquidator', 0n, 1],
      ['auction', bob, backstop, 'filler', 0n, 1],
    ])
  })
})

describe('an entry in the archive', () => {
  const key = scene.positionsKey(alice)
  const before = scene.positionsOf({}, { 0: 1_000n }, {})

  it('an archived entry keeps its value, changes nothing by its restoration, and has rows when it changes after it', () => {
    const it = new Scene()
    it.ledger([event(pool, 'supply_collateral', [usdc, alice], 1_100n, 1_000n), entry(pool, key, before)])
    const out = it.ledger([scene.evicted(pool, key, 'persistent')])
    expect([out.state, out.positionSnapshots]).toEqual([[], []])
    expect(lending(it)?.supply[0]?.amount).toBe(1_100n)
    const back = it.ledger([scene.restored(pool, key, before)])
    expect([back.state, back.positionSnapshots, back.notices]).toEqual([[], [], []])
    const less = it.ledger([
      event(pool, 'withdraw_collateral', [usdc, alice], 440n, 400n),
      scene.restored(pool, key, before, scene.positionsOf({}, { 0: 600n }, {})),
    ])
    expect(less.positionSnapshots.map((row) => [row.heartbeat, row.native.supply])).toMatchObject([[false, { [usdc]: { amount: '660' } }]])
    expect(costs(less, alice)).toEqual([['supply', '600', '660']])
  })

  it('an archived entry that is restored after the index began is known from then on, at its value', () => {
    const rows = new Scene().ledger([scene.restored(pool, key, before)])
    // Known as of the ledger before, so nothing changed in this one.
    expect(rows.state.map((row) => [row.key, row.inferred, row.ledger])).toEqual([[`@${alice}:positions`, true, 1]])
  })
})

describe('positions', () => {
  it('positions are read with the list of reserves of their own ledger, wherever it is in the ledger', () => {
    const blnd = scene.blnd
    const it = new Scene()
    const rows = it.ledger(
      [event(pool, 'supply', [blnd, alice], 110n, 100n), positions(alice, { 2: 100n }, {}, {})],
      [
        entry(pool, sc.symbol('ResList'), scene.reserveList(usdc, xlm, blnd), scene.reserveList(usdc, xlm)),
        entry(pool, scene.configKey(blnd), scene.reserveConfig('v2', 2)),
        entry(pool, scene.dataKey(blnd), scene.reserveData('v2', 11n, 100n)),
      ],
    )
    expect(rows.notices).toEqual([])
    expect(rows.positionSnapshots.map(({ native }) => native.supply)).toMatchObject([{ [blnd]: { shares: '100', amount: '110' } }])
    expect(costs(rows, alice)).toEqual([['supply', '100', '110']])
  })

  it('positions lose what a default takes from the suppliers, and the loss is interest below zero', () => {
    const it = pricedScene()
    it.ledger([
      // 100,000 USD each, so that 100 raw units are 1 USD.
      quotes(it, { [xlm]: 10_000_000 }),
      event(pool, 'supply', [xlm, alice], 1_100n, 1_000n),
      positions(alice, { 1: 1_000n }, {}, {}),
      positions(backstop, {}, {}, { 1: 250n }),
      entry(pool, scene.dataKey(xlm), scene.reserveData('v2', 11n, 1_000n, 250n), scene.reserveData('v2')),
    ])
    // The backstop's 250 dTokens are 300: 1,000 bTokens were 1,100 and are 800.
    const rows = it.ledger([
      event(pool, 'defaulted_debt', [xlm], 250n),
      entry(pool, scene.positionsKey(backstop), scene.positionsOf({}, {}, {}), scene.positionsOf({}, {}, { 1: 250n })),
      entry(pool, scene.dataKey(xlm), scene.reserveData('v2', 8n, 1_000n), scene.reserveData('v2', 11n, 1_000n, 250n)),
    ])
    expect(rows.notices).toEqual([])
    // The supplier did nothing, and has a snapshot in this ledger all the same.
    expect(writtenIn(rows)).toEqual({ [backstop]: [false, 'change', {}], [alice]: [true, 'change', { [xlm]: '800' }] })
    expect(lending(it)?.supply[0]).toMatchObject({ amount: 800n, costBasis: { units: 800n, interestEarned: -300n } })
  })

  it('positions keep their amounts when a setting makes their collateral worth nothing, and have no liquidation price', () => {
    const it = new Scene()
    it.ledger([positions(alice, {}, { 0: 1_000n }, { 1: 500n })])
    const rows = it.ledger([
      event(pool, 'set_reserve', [], usdc, 0),
      entry(pool, scene.configKey(usdc), scene.reserveConfig('v2', 0, 0), scene.reserveConfig('v2', 0)),
    ])
    // No event names the caller: only the transaction's source is known.
    expect(rows.activities.map((row) => [row.address, row.confidence, row.metadata.attribution])).toEqual([
      [source, 0.5, 'transaction_source'],
    ])
    expect(lending(it)?.supply[0]).toMatchObject({ amount: 1_100n, cFactor: '0', liquidationPrice: null })
  })

  it('positions that were left are shown as zero units while BLND is still to be claimed, and are not open', () => {
    const it = new Scene()
    const emission = { eps: sc.u64(0n), expiration: sc.u64(0n), index: sc.i128(9n), last_time: sc.u64(0n) }
    const earned = (tokenId: number, accrued: bigint) =>
      entry(
        pool,
        scene.keyed('UserEmis', sc.struct({ reserve_id: sc.u32(tokenId), user: sc.address(alice) })),
        sc.struct({ accrued: sc.i128(accrued), index: sc.i128(9n) }),
      )
    it.ledger([
      ...[0, 1, 3].map((tokenId) => entry(pool, scene.keyed('EmisData', sc.u32(tokenId)), sc.struct(emission))),
      positions(alice, {}, {}, {}),
      // Of the debt of USDC and the supply of XLM; what it supplied of USDC was claimed.
      ...[earned(3, 7n), earned(0, 5n), earned(1, 0n)],
    ])
    const left = lending(it)
    expect(left).toMatchObject({ open: false, supply: [{ reserveIndex: 1, amount: 0n, claimable: 7n }], claimable: { amount: 12n } })
    expect(left?.borrow).toMatchObject([{ reserveIndex: 0, amount: 0n, claimable: 5n }])
    expect(blendView(it.network).positions(it.state, alice, it.at)).toEqual([])
    // By reserve, whichever was seen first.
    it.ledger([earned(1, 2n)])
    expect(lending(it)?.supply).toMatchObject([
      { reserveIndex: 0, claimable: 2n },
      { reserveIndex: 1, claimable: 7n },
    ])
  })

  it('an empty entry that the filler of an interest auction gets is no position, and has no cost', () => {
    const rows = new Scene().ledger([positions(bob, {}, {}, {})])
    expect([rows.positionSnapshots, costs(rows, bob)]).toEqual([[], []])
  })

  it('positions without a price are counted, never zero, and have no health factor', () => {
    const it = new Scene()
    const rows = it.ledger([positions(alice, { 1: 10n }, { 0: 1_000n }, { 1: 500n })])
    expect(rows.positionSnapshots).toMatchObject([
      { open: true, suppliedUsd: null, borrowedUsd: null, netUsd: null, netApy: null, unpricedAssets: 3, native: { health_factor: null } },
    ])
    expect(lending(it)).toMatchObject({ healthFactor: null, borrowLimitPct: null, borrowCapUsd: null, netApy: null, unpricedAssets: 3 })
    const paidBack = it.ledger([
      entry(pool, scene.positionsKey(alice), scene.positionsOf({}, {}, {}), scene.positionsOf({ 1: 10n }, { 0: 1_000n }, { 1: 500n })),
    ])
    // Nothing is worth nothing, whatever a price would be.
    expect(paidBack.positionSnapshots).toMatchObject([{ open: false, suppliedUsd: '0', borrowedUsd: '0', netApy: '0', unpricedAssets: 0 }])
    expect(lending(it)).toMatchObject({ healthFactor: null, borrowLimitPct: '0', borrowCapUsd: '0' })
  })
})

describe('a pool', () => {
  it('the status of a pool follows from its code', () => {
    const statuses = [0, 1, 2, 3, 4, 5, 6].map((code) => {
      const it = new Scene()
      it.ledger([entry(pool, sc.instanceKey(), scene.poolInstance('v2', code), scene.poolInstance('v2', 0))])
      return poolNow(it)?.status
    })
    expect(statuses).toEqual(['active', 'active', 'on_ice', 'on_ice', 'frozen', 'frozen', 'setup'])
  })

  it('a pool without reserves and backstop has a snapshot when it is set up, and none by the hour', () => {
    const it = new Scene()
    const made = testContract('empty pool')
    const { poolSnapshots } = it.ledger([scene.listing(made), entry(made, sc.instanceKey(), scene.poolInstance('v2', 6))])
    expect(poolSnapshots).toMatchObject([{ pool: made, tvlUsd: '0', native: { status: '6', backstop: null } }])
    const hours = Array.from({ length: 7 }, () => it.ledger()).flatMap((rows) => rows.poolSnapshots)
    expect(hours.map((row) => [row.pool, row.heartbeat])).toEqual([[pool, true]])
    expect(poolNow(it, made)).toMatchObject({ status: 'setup', reserves: [] })
  })

  it('a pool of a second deployment has its own version and backstop, beside those of the first', () => {
    const [factory, other, oldPool] = [testContract('old factory'), testContract('old backstop'), testContract('old pool')]
    const shared = { emitter: scene.emitter, backstopToken: comet, blnd: scene.blnd, usdc, fromLedger: 1 }
    const it = new Scene('v2', [], [{ version: 'v1', factory, backstop: other, ...shared }])
    const { activities } = it.ledger([
      event(factory, 'deploy', [], oldPool),
      scene.listing(oldPool, factory),
      entry(oldPool, sc.instanceKey(), scene.poolInstance('v1', 1, other)),
      event(other, 'deposit', [oldPool, alice], 5n, 5n),
    ])
    expect(activities.map((row) => [row.activityType, row.contract, row.metadata.version])).toEqual([
      ['admin', factory, 'v1'],
      ['stake', oldPool, 'v1'],
    ])
    expect(blendView(it.network).contract(it.state, oldPool)).toMatchObject({ version: 'v1', status: 'active' })
    expect(poolNow(it, oldPool)?.backstop.backstop).toBe(other)
    expect(poolNow(it)?.version).toBe('v2')
  })
})

describe('the backstop of a pool', () => {
  const userKey = scene.keyed('UserBalance', sc.struct({ pool: sc.address(pool), user: sc.address(alice) }))
  const user = (shares: bigint, ...queue: (readonly [bigint, bigint])[]) =>
    sc.struct({
      q4w: sc.vec(...queue.map(([amount, exp]) => sc.struct({ amount: sc.i128(amount), exp: sc.u64(exp) }))),
      shares: sc.i128(shares),
    })
  const balance = (shares: bigint, tokens: bigint, q4w = 0n) =>
    entry(
      backstop,
      scene.keyed('PoolBalance', sc.address(pool)),
      sc.struct({ q4w: sc.i128(q4w), shares: sc.i128(shares), tokens: sc.i128(tokens) }),
    )
  const records = sc.map(
    ...[scene.blnd, usdc].map((token, n) => {
      const weight = sc.i128(n === 0 ? 8_000_000n : 2_000_000n)
      const record = sc.struct({ balance: sc.i128(10n ** 12n), index: sc.u32(n), scalar: sc.i128(10n ** 11n), weight })
      return [sc.address(token), record] as const
    }),
  )

  it('shares of a drained backstop stand for nothing: their holder still has a position', () => {
    const it = new Scene()
    it.ledger([
      entry(comet, sc.vec(sc.symbol('AllRecordData')), records),
      entry(comet, sc.vec(sc.symbol('TotalShares')), sc.i128(10n ** 9n)),
    ])
    it.ledger([entry(backstop, userKey, user(60n, [40n, 1_789_000_000n])), balance(100n, 200n, 40n)])
    expect(lending(it)?.backstop).toMatchObject({
      shares: 60n,
      lpTokens: 120n,
      usdValue: null,
      queued: [{ shares: 40n, lpTokens: 80n, usdValue: null, unlocksAtSeconds: 1_789_000_000 }],
      totalLpTokens: 200n,
    })
    const { positionSnapshots } = it.ledger([
      event(backstop, 'draw', [pool], bob, 200n),
      balance(100n, 0n, 40n),
      entry(backstop, userKey, user(100n), user(60n, [40n, 1_789_000_000n])),
    ])
    expect(positionSnapshots).toMatchObject([
      { open: true, depositedUsd: '0', unpricedAssets: 0, native: { backstop: { lp_tokens: '0' } } },
    ])
  })
})

describe('a restart', () => {
  it('a restart does not find an expired auction, as a fold that went on does not', () => {
    const it = new Scene()
    const table = new StateTable()
    table.write(it.ledger([scene.temporary(pool, auctionKey(alice, 0), auction({ [xlm]: 5n }, { [usdc]: 9n }, 3), 3)]).state)
    it.pass(2)
    const loaded = it.adapter.load(table.asOf(it.at.ledger), it.at.ledger)
    expect(loaded.pools.get(pool)?.accounts.get(alice)?.auctions ?? null).toEqual(null)
  })
})
