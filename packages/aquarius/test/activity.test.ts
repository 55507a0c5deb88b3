// What people did and what pools are, where the recording has no example of it.

import { sc } from '@orrery/ledger'
import type { ActivityRow } from '@orrery/protocol-kit'
import { madeEntry, madeEvent, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { aquariusView } from '../src/view/view.ts'
import { alice, aqua, bob, entries, make, network, pool, router, Scene, shares, tokenA, tokenB } from './scene.ts'

const wrapper = testContract('wrapper')
const other = testContract('other pool')
const otherShares = testContract('shares of the other pool')

function scene(): Scene {
  const made = new Scene()
  made.ledger([make.addPool(pool, 'constant'), entries.instance(pool, { reserves: [0n, 0n], supply: 0n })])
  return made
}

const summaries = (rows: readonly ActivityRow[]) =>
  rows.map((row) => [row.activityType, row.address, row.direction, row.assetSymbol, row.amount, row.shareAmount])

describe('a deposit', () => {
  it('belongs to the account that the shares were minted for', () => {
    const { activities } = scene().ledger([make.mint(shares, pool, alice, 10n), make.liquidity(pool, 'deposit_liquidity', 10n, [5n, 20n])])
    expect(summaries(activities)).toEqual([
      ['deposit', alice, 'sent', 'A', 5n, 10n],
      ['deposit', alice, 'sent', 'B', 20n, 0n],
    ])
    expect(activities.map((row) => row.confidence)).toEqual([1, 1])
  })
})

describe('a withdrawal', () => {
  it('out of balance burns the most that was allowed and mints back what was too much: the mint is no deposit', () => {
    const { activities, notices } = scene().ledger([
      make.burn(shares, alice, 10n),
      make.mint(shares, pool, alice, 3n),
      make.liquidity(pool, 'withdraw_liquidity', 7n, [0n, 20n]),
    ])
    expect(summaries(activities)).toEqual([['withdraw', alice, 'received', 'B', 20n, 7n]])
    expect(notices.filter(({ kind }) => kind === 'event')).toEqual([])
  })

  it('of one coin has one leg', () => {
    const { activities, notices } = scene().ledger([
      make.burn(shares, alice, 10n),
      make.transfer(tokenA, pool, alice, 19n),
      make.liquidity(pool, 'withdraw_liquidity', 10n, [19n, 0n]),
    ])
    expect(summaries(activities)).toEqual([['withdraw', alice, 'received', 'A', 19n, 10n]])
    expect(activities[0]).toMatchObject({ counts: 1, confidence: 1 })
    expect(notices.filter(({ kind }) => kind === 'event')).toEqual([])
  })

  it('that pays nothing has one leg without a token', () => {
    const { activities } = scene().ledger([make.burn(shares, alice, 1n), make.liquidity(pool, 'withdraw_liquidity', 1n, [0n, 0n])])
    expect(summaries(activities)).toEqual([['withdraw', alice, 'none', '', 0n, 1n]])
    expect(activities.map((row) => row.counts)).toEqual([1])
  })

  it('out of balance before v1.4 has no event of its own: it is found by the tokens that the pool sent', () => {
    const { activities } = scene().ledger([make.burn(shares, alice, 10n), make.transfer(tokenB, pool, alice, 20n)])
    expect(summaries(activities)).toEqual([['withdraw', alice, 'received', 'B', 20n, 10n]])
    expect(activities[0]).toMatchObject({ confidence: 0.9, metadata: { attribution: 'transfers' } })
  })

  it('without a payment is shares burnt, which the pool goes on counting', () => {
    const made = scene()
    made.ledger([
      entries.instance(pool, { reserves: [5n, 20n], supply: 10n }, { reserves: [0n, 0n], supply: 0n }),
      entries.shares(shares, alice, 10n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [5n, 20n]),
    ])
    const { activities, notices } = made.ledger([make.burn(shares, alice, 4n), entries.shares(shares, alice, 6n, 10n)])
    expect(summaries(activities)).toEqual([['withdraw', alice, 'none', '', 0n, 4n]])
    expect(activities[0]?.metadata).toMatchObject({ reason: 'burnt' })
    expect(notices.filter(({ kind }) => kind === 'invariant')).toEqual([])
    expect(made.state.pools.get(pool)).toMatchObject({ burntShares: 4n, heldShares: 6n })
  })
})

describe('a swap', () => {
  it('through a contract that takes a fee belongs to the account that sent the input and received the output', () => {
    const { activities } = scene().ledger([
      make.transfer(tokenA, alice, wrapper, 10n),
      make.transfer(tokenA, wrapper, router, 10n),
      make.trade(pool, tokenA, tokenB, router, 10n, 5n),
      make.routed(pool, tokenA, tokenB, wrapper, 10n, 5n),
      make.providerFee(wrapper),
      make.transfer(tokenB, wrapper, alice, 4n),
    ])
    expect(activities[0]).toMatchObject({
      address: alice,
      counterparty: wrapper,
      confidence: 0.9,
      metadata: { router, provider: wrapper, attribution: 'pass_through' },
    })
  })

  it('of a contract that keeps the output belongs to the contract', () => {
    const { activities } = scene().ledger([make.trade(pool, tokenA, tokenB, wrapper, 10n, 5n)])
    expect(activities.map((row) => [row.address, row.counterparty, row.confidence])).toEqual([
      [wrapper, pool, 1],
      [wrapper, pool, 1],
    ])
  })

  it('there and back by two calls of the router are two, though the second one swaps the output of the first', () => {
    const { activities } = scene().ledger([
      make.trade(pool, tokenA, tokenB, alice, 10n, 5n),
      make.routed(pool, tokenA, tokenB, alice, 10n, 5n),
      make.trade(pool, tokenB, tokenA, alice, 5n, 9n),
      make.routed(pool, tokenB, tokenA, alice, 5n, 9n),
    ])
    expect(new Set(activities.map((row) => row.actionId)).size).toBe(2)
  })

  it('without an output has the leg of its input', () => {
    const { activities } = scene().ledger([make.trade(pool, tokenA, tokenB, alice, 1n, 0n)])
    expect(summaries(activities)).toEqual([['swap', alice, 'sent', 'A', 1n, 0n]])
  })
})

describe('a swap that a pool fills in part', () => {
  const amounts = (rows: readonly ActivityRow[]) =>
    rows.map((row) => [row.contract, row.direction, row.assetSymbol, row.amount, row.metadata.raw_kept_by_pool])

  it('through the router shows what the account sent, and the part that the pool kept', () => {
    const { activities } = scene().ledger([
      make.transfer(tokenA, alice, pool, 100n),
      make.transfer(tokenB, pool, alice, 5n),
      make.trade(pool, tokenA, tokenB, alice, 10n, 5n),
      make.routed(pool, tokenA, tokenB, alice, 100n, 5n),
    ])
    expect(amounts(activities)).toEqual([
      [pool, 'sent', 'A', 100n, '90'],
      [pool, 'received', 'B', 5n, undefined],
    ])
  })

  it('by a direct call of the pool shows the same', () => {
    const { activities } = scene().ledger([
      make.transfer(tokenA, alice, pool, 100n),
      make.transfer(tokenB, pool, alice, 5n),
      make.trade(pool, tokenA, tokenB, alice, 10n, 5n),
    ])
    expect(amounts(activities)[0]).toEqual([pool, 'sent', 'A', 100n, '90'])
  })

  it('on a path shows in its pool all that the pool before it paid', () => {
    const made = scene()
    made.ledger([make.addPool(other, 'constant'), entries.instance(other, { reserves: [0n, 0n], supply: 0n, share: otherShares })])
    const { activities } = made.ledger([
      make.transfer(tokenA, alice, router, 10n),
      make.transfer(tokenA, router, pool, 10n),
      make.transfer(tokenB, pool, router, 40n),
      make.trade(pool, tokenA, tokenB, router, 10n, 40n),
      make.routed(pool, tokenA, tokenB, alice, 10n, 40n),
      make.transfer(tokenB, router, other, 40n),
      make.transfer(tokenA, other, router, 3n),
      make.trade(other, tokenB, tokenA, router, 15n, 3n),
      make.routed(other, tokenB, tokenA, alice, 40n, 3n),
      make.transfer(tokenA, router, alice, 3n),
    ])
    expect(amounts(activities)).toEqual([
      [pool, 'sent', 'A', 10n, undefined],
      [pool, 'none', 'B', 40n, undefined],
      [other, 'none', 'B', 40n, '25'],
      [other, 'received', 'A', 3n, undefined],
    ])
  })
})

describe('a swap whose transfers differ from it for another reason', () => {
  it('with a refund has as input what the pool did not send back', () => {
    const { activities } = scene().ledger([
      make.transfer(tokenA, alice, pool, 100n),
      make.transfer(tokenA, pool, alice, 90n),
      make.trade(pool, tokenA, tokenB, alice, 10n, 5n),
    ])
    expect(summaries(activities)[0]).toEqual(['swap', alice, 'sent', 'A', 10n, 0n])
    expect(activities[0]?.metadata).not.toHaveProperty('raw_kept_by_pool')
  })

  it('after another call of the pool leaves the transfers of that call alone', () => {
    const { activities } = scene().ledger([
      make.transfer(tokenA, alice, pool, 7n),
      make.trade(pool, tokenA, tokenB, alice, 7n, 3n),
      make.transfer(tokenA, alice, pool, 10n),
      make.trade(pool, tokenA, tokenB, alice, 10n, 5n),
    ])
    expect(activities.filter(({ direction }) => direction === 'sent').map(({ amount }) => amount)).toEqual([7n, 10n])
  })

  it('of a token that emits no transfers has the amount of the trade', () => {
    const { activities } = scene().ledger([make.trade(pool, tokenA, tokenB, alice, 10n, 5n)])
    expect(summaries(activities)[0]).toEqual(['swap', alice, 'sent', 'A', 10n, 0n])
  })
})

describe('a claim', () => {
  it('before v1.4 is made of the router’s event alone', () => {
    const rewarded = entries.instance(pool, { reserves: [0n, 0n], supply: 0n }, { reserves: [0n, 0n], supply: 0n })
    const { activities } = scene().ledger([rewarded, make.transfer(aqua, pool, bob, 7n), make.routedClaim(pool, bob, 7n)])
    expect(summaries(activities)).toEqual([['claim', bob, 'received', 'Q', 7n, 0n]])
  })
})

describe('a pool', () => {
  it('of a router that the registry does not name is ignored', () => {
    const made = new Scene()
    const { state, activities } = made.ledger([
      make.addPool(pool, 'constant', testContract('look-alike router')),
      entries.instance(pool, { reserves: [5n, 20n], supply: 10n }),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [5n, 20n]),
    ])
    expect([state, activities]).toEqual([[], []])
  })

  it('of a kind that came later shows what it holds, and what shares pay is not guessed', () => {
    const made = new Scene()
    const instance = { reserves: [0n, 0n], supply: 0n, isOther: true } as const
    const { notices } = made.ledger([
      make.addPool(pool, 'weighted'),
      entries.instance(pool, instance),
      entries.shares(tokenA, pool, 50n),
      entries.shares(tokenB, pool, 70n),
      entries.shares(shares, alice, 10n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 70n]),
    ])
    expect(notices.map(({ kind, reason }) => [kind, reason])).toEqual([
      ['event', 'a pool of kind weighted, whose formulas we do not know'],
      ['entry', 'storage of a kind that we cannot read'],
    ])
    const view = aquariusView(network)
    const { at } = made
    expect(view.pool(made.state, pool, at, new Map())).toMatchObject({ poolType: 'unknown', reserves: [{ amount: 50n }, { amount: 70n }] })
    expect(view.position(made.state, pool, alice, at, new Map())).toMatchObject({
      poolType: 'unknown',
      shares: 10n,
      tokens: [],
      netUsd: null,
    })
  })

  it('that an upgrade gave an unknown layout goes on without values, and does not stop the fold', () => {
    const made = scene()
    const before = { reserves: [0n, 0n], supply: 0n } as const
    const { notices } = made.ledger([
      entries.instance(pool, { ...before, isOther: true }, before),
      entries.shares(tokenA, pool, 50n),
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [50n, 0n]),
    ])
    expect(notices.map(({ kind, reason }) => [kind, reason])).toContainEqual(['entry', 'storage of a kind that we cannot read'])
    expect(aquariusView(network).pool(made.state, pool, made.at, new Map())).toMatchObject({
      poolType: 'unknown',
      reserves: [{ amount: 50n }, { amount: 0n }],
    })
  })

  it('whose announcement cannot be read is found in the list of the router', () => {
    const made = new Scene()
    const list = sc.map([sc.bytes(new Uint8Array(32)), sc.struct({ address: sc.address(pool), pool_type: sc.u32(1) })])
    const { notices } = made.ledger([
      madeEvent(router, [sc.symbol('add_pool')], sc.void()),
      madeEntry(router, sc.vec(sc.symbol('TokensSetPools'), sc.bytes(new Uint8Array(32))), list),
      entries.instance(pool, { reserves: [5n, 20n], supply: 10n }),
    ])
    expect(notices.map(({ kind, reason }) => [kind, reason])).toEqual([['event', 'unreadable add_pool']])
    expect(made.state.pools.get(pool)).toMatchObject({ tokens: [tokenA, tokenB], listing: { kind: 'constant', isAnnounced: false } })
  })

  it('announced in the operation in which another is used keeps the two apart', () => {
    const made = scene()
    const { activities } = made.ledger([
      make.mint(shares, pool, alice, 10n),
      make.liquidity(pool, 'deposit_liquidity', 10n, [5n, 20n]),
      make.addPool(other, 'constant'),
      entries.instance(other, { reserves: [0n, 0n], supply: 0n, share: otherShares }),
      make.mint(otherShares, other, bob, 10n),
      make.liquidity(other, 'deposit_liquidity', 10n, [1n, 1n]),
    ])
    expect(activities.filter(({ direction }) => direction === 'sent').map((row) => [row.contract, row.address])).toEqual([
      [pool, alice],
      [pool, alice],
      [other, bob],
      [other, bob],
    ])
  })
})
