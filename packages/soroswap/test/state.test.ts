// State from entries: what a ledger leaves, also where the pair predates the index.

import { sc } from '@orrery/ledger'
import type { Network, StateRow } from '@orrery/protocol-kit'
import { madeEntry } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { soroswap } from '../src/protocol.ts'
import { routing } from '../src/registry.ts'
import { soroswapView } from '../src/view/view.ts'
import { alice, bob, entries, FoldFixture, factory, make, network, pairAB, router, tokenA, tokenB } from './fold-fixture.ts'

const figures = { reserve0: 500n, reserve1: 2_000n, supply: 1_000n }
const valuesOf = (rows: readonly StateRow[]) => rows.map((row) => [row.key, row.ledger, row.inferred, JSON.parse(row.value)])

function young(): FoldFixture {
  const fixture = new FoldFixture()
  fixture.ledger([
    make.newPair(pairAB, tokenA, tokenB, 1),
    entries.instance(pairAB, figures),
    entries.shares(pairAB, pairAB, 900n),
    entries.shares(pairAB, alice, 100n),
    make.mint(pairAB, alice, 100n),
    make.deposit(pairAB, 100n, [50n, 200n], alice),
  ])
  return fixture
}

describe('an entry', () => {
  it('an entry makes one row a ledger however often it changes, and none when it stays as it was', () => {
    const fixture = young()
    const { state } = fixture.ledger(
      [entries.shares(pairAB, alice, 60n, 100n), entries.shares(pairAB, bob, 40n)],
      [entries.shares(pairAB, alice, 70n, 60n), entries.shares(pairAB, bob, 30n, 40n)],
    )
    expect(valuesOf(state.filter((row) => row.key.endsWith(':shares')))).toEqual(
      [
        [`@${alice}:shares`, 2, false, { amount: '70' }],
        [`@${bob}:shares`, 2, false, { amount: '30' }],
      ].sort(),
    )
    expect(fixture.ledger([entries.shares(pairAB, alice, 70n, 70n)]).state).toEqual([])
  })

  it('an entry with a longer TTL is a new row with the old value', () => {
    const fixture = young()
    const { state, positionSnapshots } = fixture.ledger([
      madeEntry(pairAB, sc.vec(sc.symbol('Balance'), sc.address(alice)), sc.i128(100n), sc.i128(100n), 9_000),
    ])
    expect(state).toMatchObject([{ key: `@${alice}:shares`, liveUntil: 9_000, value: '{"amount":"100"}' }])
    expect(positionSnapshots).toEqual([])
  })

  it('an entry that was never seen writes its pre-image, as a row of the ledger before', () => {
    const known: Network = { ...network, knownPools: [{ protocol: 'soroswap', contract: pairAB, fromLedger: 1, tokens: [tokenA, tokenB] }] }
    const fixture = new FoldFixture(known)
    fixture.slice([])
    const { state, notices } = fixture.ledger([
      entries.instance(pairAB, { ...figures, supply: 990n }, figures),
      entries.shares(pairAB, alice, 90n, 100n),
      make.burn(pairAB, alice, 10n),
    ])
    expect(valuesOf(state.filter((row) => row.key.endsWith(':shares')))).toEqual([
      [`@${alice}:shares`, 1, true, { amount: '100' }],
      [`@${alice}:shares`, 2, false, { amount: '90' }],
    ])
    expect(state.find((row) => row.key === `@${alice}:cost`)?.value).toContain('"units":"90"')
    expect(state.find((row) => row.key === `@${alice}:cost`)?.value).toContain('"confidence":"inferred"')
    // Other holders may exist that the index has not seen: the supply proves nothing.
    expect(notices).toEqual([])
  })

  it('an entry that was never seen gives the same rows to a restart between its pre-image and its ledger', () => {
    const known: Network = { ...network, knownPools: [{ protocol: 'soroswap', contract: pairAB, fromLedger: 1, tokens: [tokenA, tokenB] }] }
    const fixture = new FoldFixture(known)
    fixture.slice([])
    const slice = fixture.slice([
      entries.instance(pairAB, figures, figures),
      entries.shares(pairAB, alice, 90n, 100n),
      make.burn(pairAB, alice, 10n),
    ])
    const first = fixture.adapter.fold(fixture.adapter.load([], 1), slice)
    const past = first.state.filter((row) => row.inferred)
    expect(past.map((row) => row.ledger)).toEqual([1, 1])
    const again = fixture.adapter.fold(fixture.adapter.load(past, 1), slice)
    expect(again).toEqual({ ...first, state: first.state.filter((row) => !row.inferred) })
  })

  it('an entry of a removed balance is a zero for a token, and a notice for a pair', () => {
    const fixture = young()
    const key = sc.vec(sc.symbol('Balance'), sc.address(pairAB))
    fixture.ledger([madeEntry(tokenA, key, sc.struct({ amount: sc.i128(500n), authorized: sc.bool(true), clawback: sc.bool(false) }))])
    const gone = { change: 'removed', value: null } as const
    const { state, notices } = fixture.ledger([
      { ...madeEntry(tokenA, key, sc.i128(0n), sc.i128(500n)), ...gone },
      { ...entries.shares(pairAB, alice, 0n, 100n), ...gone },
    ])
    expect(valuesOf(state.filter((row) => row.key.startsWith('balance:')))).toEqual([[`balance:${tokenA}`, 3, false, { amount: '0' }]])
    expect(fixture.state.pairs.get(pairAB)?.holders.get(alice)?.shares?.value).toBe(100n)
    expect(notices).toMatchObject([{ contract: pairAB, reason: 'a balance of shares was removed' }])
  })
})

describe('the supply', () => {
  it('the supply that is not the sum of the shares gives a notice', () => {
    const { notices } = young().ledger([entries.shares(pairAB, bob, 1n), make.transfer(pairAB, alice, bob, 1n)])
    expect(notices.map((it) => [it.kind, it.reason])).toEqual([
      ['invariant', 'share events do not add up to the balance'],
      ['invariant', 'supply differs from the sum of balances'],
    ])
  })
})

describe('a token without a hint', () => {
  const bare: Network = { ...network, assets: {} }
  const deposit = [make.mint(pairAB, alice, 100n), make.deposit(pairAB, 100n, [50n, 200n], alice)]

  it('a token without a hint has no decimals, no value, and a notice', () => {
    const fixture = new FoldFixture(bare)
    const { activities, notices } = fixture.ledger([make.newPair(pairAB, tokenA, tokenB, 1), entries.instance(pairAB, figures), ...deposit])
    expect(activities.map((row) => [row.assetDecimals, row.usdValue, row.volumeUsd])).toEqual([
      [null, null, '0'],
      [null, null, '0'],
    ])
    expect(notices.filter((it) => it.kind === 'asset').map((it) => it.contract)).toEqual([tokenA, tokenB])
    expect(soroswapView(bare).assetRefs(fixture.state)).toEqual([
      { contract: tokenA, key: 'asset' },
      { contract: tokenB, key: 'asset' },
    ])
  })

  it('a token without a hint is named by its own instance once that is seen', () => {
    const fixture = new FoldFixture(bare)
    const slice = fixture.slice([make.newPair(pairAB, tokenA, tokenB, 1), entries.instance(pairAB, figures), ...deposit])
    const metadata = sc.struct({ decimal: sc.u32(18), name: sc.string('Token A'), symbol: sc.string('TKA') })
    const instance = madeEntry(tokenA, sc.instanceKey(), sc.instance({ kind: 'stellar_asset' }, [sc.symbol('METADATA'), metadata]))
    const record = { ...instance, change: 'bootstrap', tx: -1, opIndex: 0, index: 0 } as never
    const { activities, state } = fixture.adapter.fold(fixture.state, {
      ...slice,
      records: [...slice.records, { class: 'shared', record }],
    })
    expect(activities.map((row) => [row.assetSymbol, row.assetDecimals])).toEqual([
      ['TKA', 18],
      ['', null],
    ])
    expect(state.find((row) => row.key === 'asset')).toMatchObject({ contract: tokenA, scope: 65_535 })
  })
})

describe('a token that lies about its decimals', () => {
  it('a token that lies about its decimals has no decimals: the fold continues without a value', () => {
    const fixture = new FoldFixture({ ...network, assets: {} })
    const slice = fixture.slice([make.newPair(pairAB, tokenA, tokenB, 1), entries.instance(pairAB, figures)])
    const metadata = sc.struct({ decimal: sc.u32(4_294_967_295), name: sc.string('Liar'), symbol: sc.string('LIE') })
    const instance = madeEntry(tokenA, sc.instanceKey(), sc.instance({ kind: 'stellar_asset' }, [sc.symbol('METADATA'), metadata]))
    const record = { ...instance, change: 'bootstrap', tx: -1, opIndex: 0, index: 0 } as never
    const { state, poolSnapshots } = fixture.adapter.fold(fixture.state, {
      ...slice,
      records: [...slice.records, { class: 'shared', record }],
    })
    expect(state.filter((row) => row.key === 'asset')).toEqual([])
    expect(poolSnapshots).toMatchObject([{ tvlUsd: '0', unpricedAssets: 2 }])
  })
})

describe('shares that do not change hands', () => {
  it('shares that do not change hands keep their cost when their holder sends them to itself', () => {
    const fixture = young()
    const before = fixture.state.pairs.get(pairAB)?.holders.get(alice)?.cost
    const { state } = fixture.ledger([make.transfer(pairAB, alice, alice, 40n)])
    expect(state).toEqual([])
    expect(fixture.state.pairs.get(pairAB)?.holders.get(alice)?.cost).toEqual(before)
  })

  it('shares that do not change hands make no position when their number is zero', () => {
    const fixture = young()
    const { state, positionSnapshots } = fixture.ledger([make.transfer(pairAB, alice, bob, 0n), entries.shares(pairAB, bob, 0n)])
    expect(state.map((row) => row.key)).toEqual([`@${bob}:shares`])
    expect(positionSnapshots).toEqual([])
  })
})

describe('a pair of which only an event was seen', () => {
  it('a pair of which only an event was seen has no counters at the next hour, as after a restart in between', () => {
    const known: Network = { ...network, knownPools: [{ protocol: 'soroswap', contract: pairAB, fromLedger: 1, tokens: [tokenA, tokenB] }] }
    const fixture = new FoldFixture(known)
    const { state } = fixture.ledger([make.transfer(pairAB, alice, bob, 5n)])
    expect(state).toEqual([])
    for (let n = 0; n < 6; n++) expect(fixture.ledger([]).state).toEqual([])
  })
})

describe('a pair that was made and not filled', () => {
  it('a pair that was made and not filled has a snapshot when it is created, and none at an hour', () => {
    const fixture = new FoldFixture()
    const empty = { reserve0: 0n, reserve1: 0n, supply: 0n }
    const made = fixture.ledger([make.newPair(pairAB, tokenA, tokenB, 1), entries.instance(pairAB, empty)])
    expect(made.poolSnapshots.map((row) => [row.pool, row.heartbeat])).toEqual([[pairAB, false]])
    for (let n = 0; n < 6; n++) expect(fixture.ledger([])).toMatchObject({ poolSnapshots: [], reserveSnapshots: [] })
  })
})

describe('routing', () => {
  it('routing starts from the roots, and finds pairs with both of their balances', () => {
    const roots = routing.roots(network)
    expect(roots.map(({ role, contract, home }) => [role, contract, home])).toEqual([
      ['factory', factory, factory],
      ['router', router, factory],
    ])
    const source = roots[0]
    if (source === undefined) throw new Error('no factory')
    const found = routing.discover({ ...make.newPair(pairAB, tokenA, tokenB, 1), tx: 0, opIndex: 0, index: 0 } as never, source, network)
    expect(found).toEqual([
      { protocol: 'soroswap', contract: pairAB, role: 'pair', home: pairAB, balances: [tokenA, tokenB], fromLedger: 1 },
    ])
  })

  it('routing sends a price pool to all partitions, and finds its tokens by its instance', () => {
    const priced: Network = { ...network, protocols: [soroswap], pricePools: [{ protocol: 'soroswap', contract: pairAB }] }
    const pool = routing.roots(priced).find((root) => root.contract === pairAB)
    if (pool === undefined) throw new Error('no price pool')
    const instance = { ...entries.instance(pairAB, figures), tx: 0, opIndex: 0, index: 0 } as never
    expect(routing.discover(instance, pool, priced)).toMatchObject([{ contract: pairAB, balances: [tokenA, tokenB] }])
    expect(routing.route(instance, pool, priced)).toEqual({ owned: true, shared: true })
    expect(routing.route({ ...entries.shares(pairAB, alice, 1n), tx: 0, opIndex: 0, index: 0 } as never, pool, priced)).toEqual({
      owned: true,
      shared: false,
    })
  })
})

describe('a position', () => {
  it('a position that is closed leaves a snapshot of zeros, and one that is open has a snapshot again at the next hour', () => {
    const fixture = young()
    const closing = fixture.ledger([entries.shares(pairAB, alice, 0n, 100n), entries.shares(pairAB, bob, 100n)])
    expect(closing.positionSnapshots.map((row) => [row.address, row.shares, row.open, row.heartbeat]).sort()).toEqual(
      [
        [alice, 0n, false, false],
        [bob, 100n, true, false],
      ].sort(),
    )
    for (let n = 0; n < 6; n++) {
      const { positionSnapshots, poolSnapshots } = fixture.ledger([])
      if (poolSnapshots.length === 0) continue
      expect(positionSnapshots.map((row) => [row.address, row.heartbeat])).toEqual([[bob, true]])
      expect(poolSnapshots.map((row) => [row.pool, row.heartbeat])).toEqual([[pairAB, true]])
      return
    }
    throw new Error('no hour began')
  })

  it('a position is read from the rows of its owner and of its pair', () => {
    const fixture = young()
    const rows = new Map<string, StateRow>()
    const again = new FoldFixture()
    for (const row of again.ledger([
      make.newPair(pairAB, tokenA, tokenB, 1),
      entries.instance(pairAB, figures),
      entries.shares(pairAB, alice, 100n),
    ]).state)
      rows.set(row.key, row)
    const view = soroswapView(network)
    const owned = [...rows.values()].filter((row) => row.owner === alice || (row.contract === pairAB && row.key >= 'a'))
    const { at } = again
    const [position] = view.positions(view.load(owned, 1), alice, at, view.feeWindow([], at))
    expect(position).toMatchObject({ pool: pairAB, poolName: 'A/B', shares: 100n, shareSupply: 1_000n, poolSharePct: '10' })
    expect(position?.tokens.map((token) => token.amount)).toEqual([50n, 200n])
    expect(fixture.state.pairs.get(pairAB)?.holders.size).toBe(2)
  })
})
