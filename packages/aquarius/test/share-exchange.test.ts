// v1.3 exchanged the share tokens of pools: balances were minted anew in the next token, holder by holder, and then it took the old one's place.
// Source of the steps: soroban-amm v1.3.0 token_share/src/lib.rs, liquidity_pool/src/contract.rs.

import { sc } from '@orrery/ledger'
import { type Network, type Rows, SHARED_SCOPE, type TrackedContract } from '@orrery/protocol-kit'
import { type MadeRecord, StateTable, testContract } from '@orrery/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { routing } from '../src/registry.ts'
import { aquariusView } from '../src/view/view.ts'
import { alice, bob, entries, make, named, network, pool, Scene, shares, tokenA, tokenB } from './scene.ts'

const next = testContract('next shares of the pool')
const figures = { reserves: [50n, 70n], supply: 10n } as const
const before = figures
const during = { ...figures, also: [[named('FutureTokenShare'), sc.address(next)]] } as const
const after = { ...figures, share: next } as const

/** Folds ledgers, and after each begins anew from the rows that were written so far. */
class RestartedScene extends Scene {
  readonly table = new StateTable()

  override ledger(...operations: readonly (readonly MadeRecord[])[]): Rows {
    const rows = super.ledger(...operations)
    this.table.write(rows.state)
    this.state = this.adapter.load(this.table.asOf(this.at.ledger), this.at.ledger)
    return rows
  }

  sharesOf(...holders: readonly string[]): (bigint | undefined)[] {
    const view = aquariusView(this.network)
    return holders.map((holder) => view.position(this.state, pool, holder, this.at, new Map())?.shares)
  }
}

const rowsAndNotices = ({ activities, notices }: Rows) => [
  activities.map((row) => [row.activityType, row.address]),
  notices.map(({ reason }) => reason),
]

describe('a pool that exchanges its share token', () => {
  let scene: RestartedScene

  beforeEach(() => {
    scene = new RestartedScene()
    scene.ledger([
      make.addPool(pool, 'constant'),
      entries.instance(pool, before),
      entries.shares(shares, alice, 10n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 70n]),
    ])
    const begun = scene.ledger(
      [entries.instance(pool, during, before)],
      [entries.shares(next, alice, 10n), make.mint(next, pool, alice, 10n)],
    )
    expect(rowsAndNotices(begun)).toEqual([[], []])
  })

  it('counts by the old token until a ledger changes that, though a bootstrap entry of a later day names the next token', () => {
    const read = { ...entries.instance(pool, after), change: 'bootstrap', tx: -1, opIndex: 0, index: 0 } as const
    const slice = scene.slice([])
    // The partition of the pool, and another one, which has only what all of them share.
    const shared = [...scene.table.asOf(slice.ledger - 1)].filter(({ scope }) => scope === SHARED_SCOPE)
    for (const known of [scene.state, scene.adapter.load(shared, slice.ledger - 1)]) {
      const { state } = scene.adapter.fold(known, { ...slice, records: [{ class: 'shared', record: read }, ...slice.records] })
      expect(state).toEqual([])
      expect([known.shareTokens.get(shares)?.counts, known.shareTokens.get(next)?.counts]).toEqual([true, false])
    }
  })

  it('counts by the old token until the end, whatever the balances of the next token are', () => {
    const given = scene.ledger([
      make.transfer(shares, alice, bob, 4n),
      entries.shares(shares, alice, 6n, 10n),
      entries.shares(shares, bob, 4n),
    ])
    expect(rowsAndNotices(given)).toEqual([
      [
        ['transfer', alice],
        ['transfer', bob],
      ],
      [],
    ])
    const uncounted = scene.ledger([
      make.transfer(next, alice, bob, 1n),
      entries.shares(next, alice, 9n, 10n),
      entries.shares(next, bob, 1n),
    ])
    expect([rowsAndNotices(uncounted), uncounted.positionSnapshots]).toEqual([[[], []], []])
    expect(scene.sharesOf(alice, bob)).toEqual([6n, 4n])
  })

  it('counts by the next token from the end of the exchange on, and ignores the old one', () => {
    scene.ledger([make.transfer(shares, alice, bob, 4n), entries.shares(shares, alice, 6n, 10n), entries.shares(shares, bob, 4n)])
    scene.ledger([
      ...[make.burn(next, alice, 4n), make.mint(next, pool, bob, 4n)],
      ...[entries.shares(next, alice, 6n, 10n), entries.shares(next, bob, 4n)],
    ])
    const exchanged = scene.ledger([entries.instance(pool, after, during)])
    expect(rowsAndNotices(exchanged)).toEqual([[], []])
    expect(exchanged.state.filter((row) => row.removed).map(({ key }) => key)).toEqual(
      [alice, bob].sort().map((holder) => `@${holder}:next_shares`),
    )
    const dead = scene.ledger([
      make.transfer(shares, alice, bob, 6n),
      entries.shares(shares, alice, 0n, 6n),
      entries.shares(shares, bob, 10n, 4n),
    ])
    expect(rowsAndNotices(dead)).toEqual([[], []])
    const lively = scene.ledger([
      make.transfer(next, bob, alice, 1n),
      entries.shares(next, alice, 7n, 6n),
      entries.shares(next, bob, 3n, 4n),
    ])
    expect(rowsAndNotices(lively)).toEqual([
      [
        ['transfer', bob],
        ['transfer', alice],
      ],
      [],
    ])
    expect(scene.sharesOf(alice, bob)).toEqual([7n, 3n])
    expect(scene.state.pools.get(pool)?.holders.get(alice)?.cost?.cost).toMatchObject({ units: 7n })
  })

  it('leaves a holder who was not minted the next token without shares, with a notice', () => {
    scene.ledger([make.transfer(shares, alice, bob, 4n), entries.shares(shares, alice, 6n, 10n), entries.shares(shares, bob, 4n)])
    const { notices, positionSnapshots } = scene.ledger([entries.instance(pool, after, during)])
    expect(scene.sharesOf(alice, bob)).toEqual([10n, 0n])
    expect(positionSnapshots.map(({ address, shares: held }) => [address, held]).sort()).toEqual(
      [
        [alice, 10n],
        [bob, 0n],
      ].sort(),
    )
    expect(notices.map(({ kind, reason }) => [kind, reason])).toEqual([['invariant', 'share events do not add up to the balance']])
  })

  it('makes both tokens known in every partition, and follows both', () => {
    const owner: TrackedContract = {
      protocol: 'aquarius',
      contract: pool,
      role: 'pool',
      home: pool,
      balances: [tokenA, tokenB],
      fromLedger: 1,
    }
    const record = { ...entries.instance(pool, during, before), tx: 0, opIndex: 0, index: 0 }
    expect(routing.discover(record, owner, network).map(({ contract, role, home }) => [contract, role, home])).toEqual([
      [shares, 'share', pool],
      [next, 'share', pool],
    ])
    for (const [now, was] of [
      [during, before],
      [after, during],
    ] as const) {
      const changed = { ...entries.instance(pool, now, was), tx: 0, opIndex: 0, index: 0 }
      expect(routing.route(changed, owner, network)).toEqual({ owned: true, shared: true })
    }
  })
})

describe('an index that begins while a share token is exchanged', () => {
  it('keeps the shares of a holder whose balance of the next token was not seen', () => {
    const late: Network = { ...network, knownPools: [{ protocol: 'aquarius', contract: pool, fromLedger: 0, tokens: [tokenA, tokenB] }] }
    const scene = new RestartedScene(late)
    scene.ledger([
      entries.instance(pool, during, during),
      make.transfer(shares, alice, bob, 4n),
      entries.shares(shares, alice, 6n, 10n),
      entries.shares(shares, bob, 4n, 0n),
    ])
    scene.ledger([entries.shares(next, bob, 4n), make.mint(next, pool, bob, 4n)])
    const { notices } = scene.ledger([entries.instance(pool, after, during)])
    expect([scene.sharesOf(alice, bob), notices]).toEqual([[6n, 4n], []])
  })
})
