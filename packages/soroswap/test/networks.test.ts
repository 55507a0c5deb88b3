// Networks of another make: several deployments, and none at all.

import { sc } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { madeEntry, madeEvent, testContract } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { routing } from '../src/registry.ts'
import { soroswapView } from '../src/view/view.ts'
import { alice, bob, entries, FoldFixture, factory, make, network, pairAB, pairBC, router, source, tokenA, tokenB } from './fold-fixture.ts'

const otherFactory = testContract('second factory')
const otherRouter = testContract('second router')
const two: Network = {
  ...network,
  deployments: {
    ...network.deployments,
    soroswap: [...network.deployments.soroswap, { factory: otherFactory, routers: [otherRouter], fromLedger: 1 }],
  },
}
const key = (name: string) => sc.vec(sc.symbol(name))
const factoryInstance = (id: string, feesEnabled: boolean) =>
  madeEntry(
    id,
    sc.instanceKey(),
    sc.instance(
      { kind: 'wasm', hash: '5d'.repeat(32) },
      [key('FeeTo'), sc.address(source)],
      [key('FeeToSetter'), sc.address(source)],
      [key('TotalPairs'), sc.u32(1)],
      [key('FeesEnabled'), sc.bool(feesEnabled)],
    ),
  )
const switched = (id: string, on: boolean) =>
  madeEvent(id, [sc.string('SoroswapFactory'), sc.symbol('fees')], sc.struct({ fees_enabled: sc.bool(on) }))

describe('two deployments', () => {
  it('two deployments have pairs, fee switches and administrations of their own', () => {
    const fixture = new FoldFixture(two)
    const { activities, poolSnapshots } = fixture.ledger([
      factoryInstance(factory, false),
      factoryInstance(otherFactory, true),
      make.newPair(pairAB, tokenA, tokenB, 1),
      make.newPair(pairBC, tokenA, tokenB, 1, otherFactory),
      entries.instance(pairAB, { reserve0: 9n, reserve1: 9n, supply: 9n }),
      entries.instance(pairBC, { reserve0: 9n, reserve1: 9n, supply: 9n }),
      switched(otherFactory, true),
    ])
    expect(activities.map((row) => [row.activityType, row.contract, row.metadata.fees_enabled])).toEqual([['admin', otherFactory, true]])
    const fees = new Map(poolSnapshots.map((row) => [row.pool, row.native.fees_enabled]))
    expect([fees.get(pairAB), fees.get(pairBC)]).toEqual([false, true])
    const view = soroswapView(two)
    expect(view.listings()).toEqual([factory, otherFactory])
    expect([factory, otherFactory].map((id) => view.factory(fixture.state, id)?.feesEnabled)).toEqual([false, true])
  })

  it('two deployments meet in one operation, each router with its own swap', () => {
    const fixture = new FoldFixture(two)
    fixture.ledger([make.newPair(pairAB, tokenA, tokenB, 1), make.newPair(pairBC, tokenA, tokenB, 1, otherFactory)])
    const { activities } = fixture.ledger([
      make.swap(pairAB, [5n, 0n], [0n, 4n], alice),
      make.routerSwap([tokenA, tokenB], alice),
      make.swap(pairBC, [7n, 0n], [0n, 6n], bob),
      { ...make.routerSwap([tokenA, tokenB], bob), contract: otherRouter } as ReturnType<typeof make.routerSwap>,
    ])
    expect(activities.filter((row) => row.counts === 1).map((row) => [row.address, row.contract, row.metadata.router])).toEqual([
      [alice, pairAB, router],
      [bob, pairBC, otherRouter],
    ])
  })
})

describe('a network without a deployment', () => {
  const none: Network = { ...network, deployments: { ...network.deployments, soroswap: [] } }

  it('a network without a deployment follows nothing, continues to fold, and has no pools or positions', () => {
    expect(routing.roots(none)).toEqual([])
    const fixture = new FoldFixture(none)
    const rows = fixture.ledger([make.newPair(pairAB, tokenA, tokenB, 1), make.swap(pairAB, [5n, 0n], [0n, 4n], alice)])
    expect(Object.values(rows).flat()).toEqual([])
    const view = soroswapView(none)
    expect([view.listings(), view.pools(fixture.state), view.sharedRefs()]).toEqual([[], [], []])
  })
})
