// Histories that the recording does not have: other code, late beginnings, ranges that come and go, lists that change.

import { type Address, sc } from '@orrery/ledger'
import type { Network, StateRow } from '@orrery/protocol-kit'
import { madeEntry, StateTable, sceneSeconds, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import type { AquariusState } from '../src/state/state.ts'
import { aquariusView } from '../src/view/view.ts'
import { alice, aqua, bob, entries, make, named, network, pool, router, Scene, shares, tokenA, tokenB } from './scene.ts'

const NONE = { reserves: [0n, 0n], supply: 0n } as const
const UNKNOWN_CODE = 'ab'.repeat(32)
const gauge = testContract('gauge')
const other = testContract('other pool')
/** The index begins after the pool: the registry names it. */
const late: Network = { ...network, knownPools: [{ protocol: 'aquarius', contract: pool, fromLedger: 0, tokens: [tokenA, tokenB] }] }

const at = ({ ledger }: AquariusState) => ({ ledger, closeTimeSeconds: sceneSeconds(ledger) })
const positionIn = (state: AquariusState, holder: Address, of: Network = network) =>
  aquariusView(of).position(state, pool, holder, at(state), new Map())
const amounts = (tokens: readonly { readonly amount: bigint }[] = []) => tokens.map(({ amount }) => amount)
const invariants = (rows: { readonly notices: readonly { readonly kind: string; readonly reason: string }[] }) =>
  rows.notices.filter(({ kind }) => kind === 'invariant').map(({ reason }) => reason)

describe('a pool whose code is not a known build', () => {
  const withGift = (also: readonly (readonly [ReturnType<typeof named>, ReturnType<typeof named>])[], held = 60n) => {
    const made = new Scene()
    const now = { reserves: [50n, 70n], supply: 10n, code: UNKNOWN_CODE, also } as const
    const rows = made.ledger([
      make.addPool(pool, 'constant'),
      entries.instance(pool, now),
      entries.shares(tokenA, pool, held),
      entries.shares(tokenB, pool, 70n),
      entries.shares(shares, alice, 10n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 70n]),
    ])
    expect(rows.notices.map(({ reason }) => reason)).toContain('code abababab is not a build that we know')
    return positionIn(made.state, alice)
  }

  it('pays gifts where its storage proves that it does', () => {
    const position = withGift([[named('ReservesSyncLedger'), sc.u32(1_000)]])
    expect([amounts(position?.tokens), position?.exact]).toEqual([[60n, 70n], true])
  })

  it('is inexact where its storage does not prove whether it pays a gift', () => {
    const position = withGift([[named('ProtocolFeeFraction'), sc.u32(5_000)]])
    expect([amounts(position?.tokens), position?.exact]).toEqual([[50n, 70n], false])
  })

  it('pays its reserves where there is no gift, whatever the code', () => {
    const position = withGift([], 50n)
    expect([amounts(position?.tokens), position?.exact]).toEqual([[50n, 70n], true])
  })

  it('shares rewards by a rule that its storage must prove', () => {
    // 10 a second for 600 seconds since the checkpoint, and all shares are alice's: 6,000.
    const reward = sc.struct({ accumulated: sc.u128(0n), block: sc.u64(1n), claimed: sc.u128(0n), last_time: sc.u64(1_788_220_800n) })
    const config = sc.struct({ expired_at: sc.u64(1_800_000_000n), tps: sc.u128(10n) })
    const user = sc.struct({ last_block: sc.u64(1n), pool_accumulated: sc.u128(0n), to_claim: sc.u128(0n) })
    const claim = (also: readonly (readonly [ReturnType<typeof named>, ReturnType<typeof named>])[]) => {
      const made = new Scene()
      const stored = [
        [named('RewardToken'), sc.address(aqua)],
        [named('PoolRewardConfig'), config],
        [named('PoolRewardData'), reward],
        ...also,
      ] as const
      made.ledger([
        make.addPool(pool, 'constant'),
        entries.instance(pool, { reserves: [50n, 70n], supply: 10n, code: UNKNOWN_CODE, also: stored }),
        entries.shares(shares, alice, 10n),
        entries.shares(aqua, pool, 100_000n),
        madeEntry(pool, sc.vec(sc.symbol('UserRewardData'), sc.address(alice)), user),
        madeEntry(pool, sc.vec(sc.symbol('RewardInvDataV2'), sc.u32(0), sc.u64(0n)), sc.vec(sc.u128(0n), sc.u128(0n))),
      ])
      return positionIn(made.state, alice)?.claimable.map(({ amount, exact }) => [amount, exact])
    }
    expect(claim([[named('RewardGaugesMap'), sc.map()]])).toEqual([[6_000n, true]])
    expect(claim([])).toEqual([[6_000n, false]])
  })
})

describe('a pool that predates the index', () => {
  it('owes an estimate from a gauge without a known checkpoint of the holder', () => {
    const made = new Scene(late)
    const also = [[named('RewardGaugesMap'), sc.map([sc.address(aqua), sc.address(gauge)])]] as const
    const total = sc.struct({ accumulated: sc.u128(1_000n), claimed: sc.u128(0n), epoch: sc.u64(1_788_220_800n), inv: sc.u256(10n ** 22n) })
    const stored = sc.instance(
      { kind: 'wasm', hash: UNKNOWN_CODE },
      [named('Pool'), sc.address(pool)],
      [named('RewardToken'), sc.address(aqua)],
      [named('GlobalRewardData'), total],
    )
    const now = { reserves: [50n, 70n], supply: 10n, also } as const
    made.ledger([entries.instance(pool, now, now), madeEntry(gauge, sc.instanceKey(), stored, stored)])
    // Burnt by the holder: neither the pool nor the gauge has an entry of it.
    made.ledger([make.burn(shares, alice, 4n), entries.shares(shares, alice, 6n, 10n)])
    // One a share since the gauge began.
    const position = positionIn(made.state, alice, late)
    expect(position?.claimable.map(({ amount, exact, source }) => [source, amount, exact])).toEqual([['gauge', 6n, false]])
  })

  it('owes a range the fees of its last touch, inexactly, until the ticks at its ends are known', () => {
    const made = new Scene(late)
    // One unit for each of liquidity grew since the range was touched.
    made.ledger([entries.concentrated(pool, 100n, 1n << 128n), entries.range(pool, alice, 100n, 100n)])
    const before = positionIn(made.state, alice, late)
    expect(before).toMatchObject({ exact: false, ranges: [{ exact: false, fees: [{ amount: 5n }, { amount: 0n }] }] })
    made.ledger([entries.ticks(pool, -1, 100n), entries.ticks(pool, 0, 100n)])
    const after = positionIn(made.state, alice, late)
    expect(after).toMatchObject({ exact: true, ranges: [{ exact: true, fees: [{ amount: 105n }, { amount: 0n }] }] })
  })
})

describe('a range', () => {
  it('that is closed and opened again in one ledger is one range, with the liquidity of the ledger’s end', () => {
    const made = new Scene()
    made.ledger([make.addPool(pool, 'concentrated'), entries.concentrated(pool, 0n)])
    const opened = made.ledger([
      entries.concentrated(pool, 100n),
      entries.range(pool, alice, 100n),
      ...make.rangeDeposit(pool, alice, 100n, [1n, 1n]),
    ])
    expect(invariants(opened)).toEqual([])
    const moved = made.ledger(
      [entries.concentrated(pool, 0n), entries.range(pool, alice, null, 100n), ...make.rangeWithdraw(pool, alice, 100n, [1n, 1n])],
      [entries.concentrated(pool, 30n), entries.range(pool, alice, 30n), ...make.rangeDeposit(pool, alice, 30n, [1n, 1n])],
    )
    expect(invariants(moved)).toEqual([])
    expect(moved.state.filter(({ key }) => key.includes(':range:'))).toMatchObject([{ removed: false }])
    expect(made.state.pools.get(pool)).toMatchObject({ heldShares: 30n })
    expect(made.state.pools.get(pool)?.holders.get(alice)?.ranges.get('-60:60')).toMatchObject({ cost: { cost: { units: 30n } } })
    const closed = made.ledger([
      entries.concentrated(pool, 0n),
      entries.range(pool, alice, null, 30n),
      ...make.rangeWithdraw(pool, alice, 30n, [1n, 1n]),
    ])
    expect(invariants(closed)).toEqual([])
    expect(closed.positionSnapshots.map((row) => row.address)).toEqual([alice])
    expect(positionIn(made.state, alice)).toMatchObject({ shares: 0n, ranges: [] })
  })
})

describe('shares burnt in one operation with something else', () => {
  it('are burnt for nothing, though a swap behind them pays the holder', () => {
    const made = new Scene()
    made.ledger([
      make.addPool(pool, 'constant'),
      entries.instance(pool, { reserves: [50n, 70n], supply: 10n }),
      entries.shares(shares, alice, 10n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 70n]),
    ])
    const rows = made.ledger([
      make.burn(shares, alice, 4n),
      entries.shares(shares, alice, 6n, 10n),
      make.transfer(tokenA, alice, pool, 9n),
      make.transfer(tokenB, pool, alice, 8n),
      make.trade(pool, tokenA, tokenB, alice, 9n, 8n),
    ])
    expect(rows.activities.map((row) => [row.activityType, row.amount, row.shareAmount])).toEqual([
      ['withdraw', 0n, 4n],
      ['swap', 9n, 0n],
      ['swap', 8n, 0n],
    ])
    expect(invariants(rows)).toEqual([])
    expect(made.state.pools.get(pool)).toMatchObject({ burntShares: 4n })
  })

  it('and minted back in part were an imbalanced withdraw before v1.4, of the rest', () => {
    const made = new Scene()
    made.ledger([make.addPool(pool, 'stable'), entries.instance(pool, NONE)])
    const { activities, notices } = made.ledger([
      make.burn(shares, alice, 10n),
      make.mint(shares, pool, alice, 3n),
      make.transfer(tokenB, pool, alice, 20n),
    ])
    expect(activities.map((row) => [row.activityType, row.amount, row.shareAmount])).toEqual([['withdraw', 20n, 7n]])
    expect(notices.filter(({ kind }) => kind === 'event')).toEqual([])
  })
})

describe('a pool of a kind that came later, in storage that looks like another', () => {
  it('is unknown also in a state of nothing but an account and its pools', () => {
    const made = new Scene()
    const table = new StateTable()
    const { state } = made.ledger([
      make.addPool(pool, 'weighted'),
      entries.instance(pool, { reserves: [50n, 70n], supply: 10n }),
      entries.shares(shares, bob, 10n),
    ])
    table.write(state)
    const ofPool = (row: StateRow) => row.contract === pool
    const loaded = aquariusView(network).load(table.asOf(1, ofPool), 1)
    expect(positionIn(loaded, bob)).toMatchObject({ poolType: 'unknown', shares: 10n, tokens: [], netUsd: null })
  })
})

describe('the list of a router', () => {
  it('that lost a pool and names another under its index keeps the two apart', () => {
    const made = new Scene()
    made.ledger([make.addPool(pool, 'constant'), make.list(pool), entries.instance(pool, NONE)])
    made.ledger([make.list(null, pool)])
    made.ledger([
      make.addPool(other, 'constant'),
      make.list(other, null),
      entries.instance(other, { ...NONE, share: testContract('other shares') }),
    ])
    const { pools } = made.state
    expect([pools.get(pool), pools.get(other)]).toMatchObject([{ listing: { isRegistered: false } }, { listing: { isRegistered: true } }])
    expect(pools.get(pool)?.listing?.index).toBe(pools.get(other)?.listing?.index)
  })
})

describe('a chain over pools of two kinds', () => {
  it('is one swap, of which only the first pool counts what went in', () => {
    const made = new Scene()
    made.ledger([
      make.addPool(pool, 'constant'),
      entries.instance(pool, NONE),
      make.addPool(other, 'concentrated'),
      entries.concentrated(other, 100n),
    ])
    const { activities } = made.ledger([
      make.trade(pool, tokenA, tokenB, router, 10n, 5n),
      make.routed(pool, tokenA, tokenB, alice, 10n, 5n),
      make.trade(other, tokenB, tokenA, router, 5n, 9n),
      make.routed(other, tokenB, tokenA, alice, 5n, 9n),
    ])
    expect(activities.map((row) => [row.contract, row.address, row.direction, row.amount, row.counts])).toEqual([
      [pool, alice, 'sent', 10n, 1],
      [pool, alice, 'none', 5n, 0],
      [other, alice, 'none', 5n, 0],
      [other, alice, 'received', 9n, 0],
    ])
    expect(new Set(activities.map((row) => row.actionId)).size).toBe(1)
    expect(activities[0]?.metadata).toMatchObject({ hops: 2, pools: [pool, other], path: [tokenA, tokenB, tokenA] })
  })
})

describe('a switched-off pool', () => {
  it('is paused, and what it owes is owed but refused', () => {
    const made = new Scene()
    const config = sc.struct({ expired_at: sc.u64(1_800_000_000n), tps: sc.u128(0n) })
    const user = sc.struct({ last_block: sc.u64(0n), pool_accumulated: sc.u128(0n), to_claim: sc.u128(7n) })
    const also = [
      [named('RewardToken'), sc.address(aqua)],
      [named('PoolRewardConfig'), config],
      [named('IsKilledSwap'), sc.bool(true)],
      [named('IsKilledClaim'), sc.bool(true)],
    ] as const
    made.ledger([
      make.addPool(pool, 'constant'),
      entries.instance(pool, { reserves: [50n, 70n], supply: 10n, also }),
      entries.shares(shares, alice, 10n),
      entries.shares(aqua, pool, 7n),
      madeEntry(pool, sc.vec(sc.symbol('UserRewardData'), sc.address(alice)), user),
    ])
    expect(aquariusView(network).pool(made.state, pool, at(made.state), new Map())).toMatchObject({ status: 'paused' })
    expect(positionIn(made.state, alice)).toMatchObject({
      tokens: [{ amount: 50n }, { amount: 70n }],
      claimable: [{ amount: 7n, blocked: 'paused', exact: true }],
    })
  })
})

describe('shares that a contract holds', () => {
  it('are its own, and those that it hands on are the receiver’s', () => {
    const vault = testContract('vault')
    const made = new Scene()
    made.ledger([
      make.addPool(pool, 'constant'),
      entries.instance(pool, { reserves: [50n, 70n], supply: 10n }),
      entries.shares(shares, vault, 10n),
      make.mint(shares, pool, vault, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 70n]),
    ])
    const rows = made.ledger([
      make.transfer(shares, vault, bob, 4n),
      entries.shares(shares, vault, 6n, 10n),
      entries.shares(shares, bob, 4n),
    ])
    expect(rows.activities.map((row) => [row.activityType, row.address, row.counterparty, row.direction])).toEqual([
      ['transfer', vault, bob, 'sent'],
      ['transfer', bob, vault, 'received'],
    ])
    expect(invariants(rows)).toEqual([])
    // ⌊50 · 6 / 10⌋ and ⌊70 · 6 / 10⌋ stay; 4 of 10 go.
    expect([vault, bob].map((holder) => amounts(positionIn(made.state, holder)?.tokens))).toEqual([
      [30n, 42n],
      [20n, 28n],
    ])
  })
})
