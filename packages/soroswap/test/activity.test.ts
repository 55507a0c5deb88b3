// Activities of which the recording has no example.

import type { ActivityRow } from '@orrery/protocol-kit'
import { testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { alice, bob, FoldFixture, make, pairAB, pairBC, router, source, tokenA, tokenB, tokenC } from './fold-fixture.ts'

const aggregator = testContract('aggregator')

function fixture(): FoldFixture {
  const made = new FoldFixture()
  made.ledger([make.newPair(pairAB, tokenA, tokenB, 1), make.newPair(pairBC, tokenB, tokenC, 2)])
  return made
}

const legsOf = (rows: readonly ActivityRow[]) =>
  rows.map((row) => [row.activityType, row.address, row.contract, row.direction, row.assetSymbol, row.amount, row.shareAmount])

describe('a swap', () => {
  const path = [
    make.transfer(tokenA, alice, pairAB, 100n),
    make.swap(pairAB, [100n, 0n], [0n, 50n], pairBC),
    make.swap(pairBC, [50n, 0n], [0n, 20n], alice),
    make.routerSwap([tokenA, tokenB, tokenC], alice),
  ]

  it('a swap over two pools is one action with legs by pool, whose value counts once', () => {
    const { activities } = fixture().ledger(path)
    expect(legsOf(activities)).toEqual([
      ['swap', alice, pairAB, 'sent', 'A', 100n, 0n],
      ['swap', alice, pairAB, 'none', 'B', 50n, 0n],
      ['swap', alice, pairBC, 'none', 'B', 50n, 0n],
      ['swap', alice, pairBC, 'received', 'C', 20n, 0n],
    ])
    expect(new Set(activities.map((row) => row.actionId)).size).toBe(1)
    expect(activities.map((row) => row.counts)).toEqual([1, 0, 0, 0])
    expect(activities.map((row) => row.key.row - (activities[0]?.key.row ?? 0))).toEqual([0, 1, 2, 3])
    expect(activities[0]?.metadata).toMatchObject({ router, hops: 2, path: [tokenA, tokenB, tokenC], event: 'SoroswapPair/swap' })
  })

  it('a swap of a batch stays apart from the next one', () => {
    const { activities, transactions } = fixture().ledger([...path, ...path])
    expect(new Set(activities.map((row) => row.actionId)).size).toBe(2)
    expect(transactions.map((row) => row.activityRows)).toEqual([8])
  })

  it('a swap of pairs called directly is a path when one pays the next, and belongs to the payer', () => {
    const { activities } = fixture().ledger([
      make.transfer(tokenA, bob, pairAB, 100n),
      make.swap(pairAB, [100n, 0n], [0n, 50n], pairBC),
      make.swap(pairBC, [50n, 0n], [0n, 20n], alice),
    ])
    expect(new Set(activities.map((row) => `${row.actionId} ${row.address} ${row.counterparty} ${row.confidence}`)).size).toBe(1)
    expect(activities[0]).toMatchObject({ address: bob, counterparty: alice, confidence: 0.9, metadata: { attribution: 'payer' } })
  })

  it('a swap through a contract that passes on the output belongs to the account behind it', () => {
    const { activities } = fixture().ledger([
      make.transfer(tokenA, alice, aggregator, 100n),
      make.transfer(tokenA, aggregator, pairAB, 100n),
      make.swap(pairAB, [100n, 0n], [0n, 50n], aggregator),
      make.routerSwap([tokenA, tokenB], aggregator),
      make.transfer(tokenB, aggregator, alice, 50n),
    ])
    expect(activities[0]).toMatchObject({
      address: alice,
      counterparty: aggregator,
      confidence: 0.9,
      metadata: { attribution: 'pass_through' },
    })
  })

  it('a swap of a contract that keeps the output belongs to the contract', () => {
    const { activities } = fixture().ledger([
      make.transfer(tokenA, alice, aggregator, 100n),
      make.transfer(tokenA, aggregator, pairAB, 100n),
      make.swap(pairAB, [100n, 0n], [0n, 50n], aggregator),
      make.routerSwap([tokenA, tokenB], aggregator),
    ])
    expect(activities[0]).toMatchObject({ address: aggregator, counterparty: pairAB, confidence: 1 })
  })

  it('a swap of shares of another pair belongs to the payer', () => {
    const fixture = new FoldFixture()
    const shares = testContract('pair of shares')
    fixture.ledger([make.newPair(pairAB, tokenA, tokenB, 1), make.newPair(shares, pairAB, tokenC, 2)])
    const { activities } = fixture.ledger([make.transfer(pairAB, bob, shares, 100n), make.swap(shares, [100n, 0n], [0n, 50n], alice)])
    const swap = activities.filter((row) => row.activityType === 'swap')
    expect(swap.map((row) => [row.address, row.counterparty, row.confidence])).toEqual([
      [bob, alice, 0.9],
      [bob, alice, 0.9],
    ])
  })

  it('a swap in and out on one side alone has its legs like any other', () => {
    const { activities } = fixture().ledger([make.swap(pairAB, [100n, 0n], [99n, 0n], alice)])
    expect(legsOf(activities)).toEqual([
      ['swap', alice, pairAB, 'sent', 'A', 100n, 0n],
      ['swap', alice, pairAB, 'received', 'A', 99n, 0n],
    ])
  })
})

describe('a withdraw', () => {
  it('a withdraw paid to another account belongs to the account that gave the shares', () => {
    const { activities } = fixture().ledger([
      make.transfer(pairAB, alice, pairAB, 30n),
      make.burn(pairAB, pairAB, 30n),
      make.withdraw(pairAB, 30n, [5n, 6n], bob),
    ])
    expect(legsOf(activities)).toEqual([
      ['withdraw', alice, pairAB, 'none', 'A', 5n, 30n],
      ['withdraw', alice, pairAB, 'none', 'B', 6n, 0n],
    ])
    expect(activities[0]).toMatchObject({ counterparty: bob, confidence: 0.9, metadata: { attribution: 'share_sender' } })
  })
})

describe('a deposit', () => {
  it('a deposit for another account belongs to the receiver of the shares, and names the payer', () => {
    const { activities } = fixture().ledger([
      make.transfer(tokenA, bob, pairAB, 5n),
      make.transfer(tokenB, bob, pairAB, 6n),
      make.mint(pairAB, alice, 30n),
      make.deposit(pairAB, 30n, [5n, 6n], alice),
    ])
    expect(activities.map((row) => [row.activityType, row.address, row.metadata.payer])).toEqual([
      ['deposit', alice, bob],
      ['deposit', alice, bob],
    ])
  })

  it('a deposit of the receiver of the protocol fee is distinguished from the fee', () => {
    const { activities } = fixture().ledger([
      make.mint(pairAB, alice, 7n),
      make.mint(pairAB, alice, 30n),
      make.deposit(pairAB, 30n, [5n, 6n], alice),
    ])
    expect(activities.map((row) => [row.activityType, row.shareAmount])).toEqual([
      ['emission', 7n],
      ['deposit', 30n],
      ['deposit', 0n],
    ])
  })
})

describe('an unexpected event', () => {
  it('an unexpected event is counted with its reason and stops nothing', () => {
    const odd = make.pair(pairAB, 'flash_loan', { amount: 1n })
    const { activities, notices } = fixture().ledger([odd, odd, make.pair(pairAB, 'swap', { amount_0_in: 1n })])
    expect(activities).toEqual([])
    expect(notices.map((it) => [it.contract, it.kind, it.reason, it.count])).toEqual([
      [pairAB, 'event', 'unknown topic SoroswapPair/flash_loan', 2],
      [pairAB, 'event', 'unreadable SoroswapPair/swap', 1],
    ])
  })

  it('an unexpected event is not read when it comes from another contract', () => {
    const impostor = testContract('impostor')
    const { activities, notices, transactions } = fixture().ledger([
      make.swap(impostor, [100n, 0n], [0n, 50n], alice),
      make.newPair(impostor, tokenA, tokenC, 3, testContract('other factory')),
    ])
    expect({ activities, notices, transactions }).toEqual({ activities: [], notices: [], transactions: [] })
  })

  it('an unexpected event leaves a row of the transaction without activities', () => {
    const { transactions } = fixture().ledger([make.pair(pairAB, 'sync', { new_reserve_0: 1n, new_reserve_1: 1n })])
    expect(transactions).toMatchObject([{ source, activityRows: 0 }])
  })
})
