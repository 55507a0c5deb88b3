// Shares that are sent to a pair and burnt by a withdraw: one movement of one account, independent of when and by which account the withdraw is called.
// A pair's `withdraw` burns all that it holds of its own shares beyond the locked 1000 (contracts/pair/src/lib.rs), and needs no authorisation.

import type { ActivityRow } from '@orrery/protocol-kit'
import { testAccount } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { alice, bob, entries, FoldFixture, make, pairAB, pairBC, tokenA, tokenB, tokenC } from './fold-fixture.ts'
import { ownShareChange, shareChange } from './share-change.ts'

const carol = testAccount('carol')

function fixture(): FoldFixture {
  const made = new FoldFixture()
  made.ledger([make.newPair(pairAB, tokenA, tokenB, 1), make.newPair(pairBC, tokenB, tokenC, 2)])
  return made
}

const send = (from: string, shares: bigint) => make.transfer(pairAB, from, pairAB, shares)
const withdraw = (shares: bigint, to: string) => [make.burn(pairAB, pairAB, shares), make.withdraw(pairAB, shares, [5n, 6n], to)]

const summary = (rows: readonly ActivityRow[]) =>
  rows.map((row) => [row.activityType, row.address, row.direction, row.assetSymbol, row.shareAmount])
const changes = (rows: readonly ActivityRow[]) => {
  const sums: Record<string, bigint> = { alice: 0n, bob: 0n, carol: 0n, pair: 0n }
  for (const row of rows) {
    const name = row.address === alice ? 'alice' : row.address === bob ? 'bob' : 'carol'
    sums[name] = (sums[name] ?? 0n) + shareChange(row)
    sums.pair = (sums.pair ?? 0n) + ownShareChange(row)
  }
  return sums
}

describe('shares sent to a pair', () => {
  it('shares sent to a pair and withdrawn by their sender in a later ledger leave the sender once, with the transfer', () => {
    const made = fixture()
    const sent = made.ledger([send(alice, 30n)]).activities
    expect(summary(sent)).toEqual([['transfer', alice, 'sent', 'A-B-SOROSWAP-LP', 30n]])
    const withdrawn = made.ledger(withdraw(30n, alice)).activities
    expect(summary(withdrawn)).toEqual([
      ['withdraw', alice, 'received', 'A', 0n],
      ['withdraw', alice, 'received', 'B', 0n],
    ])
    expect(withdrawn[0]).toMatchObject({
      shareType: '',
      confidence: 1,
      metadata: { shares_from: pairAB, raw_shares_from_pair: '30' },
    })
    expect(changes([...sent, ...withdrawn])).toEqual({ alice: -30n, bob: 0n, carol: 0n, pair: 0n })
  })

  it('shares sent to a pair and withdrawn in the next transaction of the same ledger leave the sender once', () => {
    const { activities } = fixture().ledger([send(alice, 30n)], withdraw(30n, alice))
    expect(changes(activities)).toEqual({ alice: -30n, bob: 0n, carol: 0n, pair: 0n })
  })

  it('shares sent to a pair and collected by another account give that account tokens only, and the shares stay those of the sender', () => {
    const made = fixture()
    const rows = [...made.ledger([send(alice, 30n)]).activities, ...made.ledger(withdraw(30n, bob)).activities]
    expect(summary(rows)).toEqual([
      ['transfer', alice, 'sent', 'A-B-SOROSWAP-LP', 30n],
      ['withdraw', bob, 'received', 'A', 0n],
      ['withdraw', bob, 'received', 'B', 0n],
    ])
    expect(changes(rows)).toEqual({ alice: -30n, bob: 0n, carol: 0n, pair: 0n })
  })

  it('shares sent to a pair by several accounts and collected by one leave each of them once', () => {
    const made = fixture()
    const rows = [
      ...made.ledger([send(alice, 30n)], [send(bob, 20n)]).activities,
      ...made.ledger([send(bob, 5n)]).activities,
      ...made.ledger(withdraw(55n, carol)).activities,
    ]
    expect(changes(rows)).toEqual({ alice: -30n, bob: -25n, carol: 0n, pair: 0n })
  })

  it('shares sent to a pair lower the cost by their part when they are sent, and the withdraw adds nothing to it', () => {
    const made = fixture()
    made.ledger([
      entries.instance(pairAB, { reserve0: 5_000n, reserve1: 6_000n, supply: 5_000n }),
      entries.shares(pairAB, pairAB, 1_000n),
      entries.shares(pairAB, alice, 4_000n),
      make.mint(pairAB, pairAB, 1_000n),
      make.mint(pairAB, alice, 4_000n),
      make.deposit(pairAB, 4_000n, [5_000n, 6_000n], alice),
    ])
    made.ledger([entries.shares(pairAB, alice, 1_000n, 4_000n), entries.shares(pairAB, pairAB, 4_000n, 1_000n), send(alice, 3_000n)])
    const costOf = (address: string) => made.state.pairs.get(pairAB)?.holders.get(address)?.cost
    const after = costOf(alice)
    expect(after?.cost.units).toBe(1_000n)
    // A quarter of what was deposited belongs to a quarter of the shares.
    expect(after?.deposited).toEqual([1_250n, 1_500n])
    const { notices } = made.ledger([
      entries.instance(
        pairAB,
        { reserve0: 4_995n, reserve1: 5_994n, supply: 2_000n },
        { reserve0: 5_000n, reserve1: 6_000n, supply: 5_000n },
      ),
      entries.shares(pairAB, pairAB, 1_000n, 4_000n),
      ...withdraw(3_000n, alice),
    ])
    expect(costOf(alice)).toEqual(after)
    expect(notices.filter(({ kind }) => kind === 'invariant')).toEqual([])
  })
})

describe('a withdraw', () => {
  it('a withdraw of more than its sender gave takes the rest from the pair’s own balance of shares', () => {
    const made = fixture()
    const before = made.ledger([send(bob, 20n)]).activities
    const { activities } = made.ledger([send(alice, 30n), ...withdraw(50n, alice)])
    expect(summary(activities)).toEqual([
      ['withdraw', alice, 'received', 'A', 30n],
      ['withdraw', alice, 'received', 'B', 0n],
    ])
    expect(activities[0]?.metadata).toMatchObject({ shares_from: pairAB, raw_shares_from_pair: '20' })
    expect(changes([...before, ...activities])).toEqual({ alice: -30n, bob: -20n, carol: 0n, pair: 0n })
  })

  it('a withdraw has the shares of all transfers that its sender made in the operation', () => {
    const { activities } = fixture().ledger([send(alice, 30n), send(alice, 20n), ...withdraw(50n, bob)])
    expect(summary(activities)).toEqual([
      ['withdraw', alice, 'none', 'A', 50n],
      ['withdraw', alice, 'none', 'B', 0n],
    ])
    expect(activities[0]).toMatchObject({ counterparty: bob, confidence: 0.9, metadata: { attribution: 'share_sender' } })
    expect(activities[0]?.metadata).not.toHaveProperty('shares_from')
  })

  it('a withdraw paid to one of several senders is of that one, and the other keeps a transfer', () => {
    const { activities } = fixture().ledger([send(alice, 30n), send(bob, 20n), ...withdraw(50n, bob)])
    expect(summary(activities)).toEqual([
      ['transfer', alice, 'sent', 'A-B-SOROSWAP-LP', 30n],
      ['withdraw', bob, 'received', 'A', 20n],
      ['withdraw', bob, 'received', 'B', 0n],
    ])
    expect(changes(activities)).toEqual({ alice: -30n, bob: -20n, carol: 0n, pair: 0n })
  })

  it('a withdraw paid to an account that sent nothing is of that account without shares, where several others sent them', () => {
    const { activities } = fixture().ledger([send(alice, 30n), send(bob, 20n), ...withdraw(50n, carol)])
    expect(summary(activities)).toEqual([
      ['transfer', alice, 'sent', 'A-B-SOROSWAP-LP', 30n],
      ['transfer', bob, 'sent', 'A-B-SOROSWAP-LP', 20n],
      ['withdraw', carol, 'received', 'A', 0n],
      ['withdraw', carol, 'received', 'B', 0n],
    ])
    expect(changes(activities)).toEqual({ alice: -30n, bob: -20n, carol: 0n, pair: 0n })
  })

  it('a withdraw of the same operation takes what was sent since the withdraw before it', () => {
    const { activities } = fixture().ledger([send(alice, 30n), ...withdraw(30n, alice), send(bob, 20n), ...withdraw(20n, bob)])
    expect(summary(activities).filter(([, , , , shares]) => shares !== 0n)).toEqual([
      ['withdraw', alice, 'received', 'A', 30n],
      ['withdraw', bob, 'received', 'A', 20n],
    ])
  })
})
