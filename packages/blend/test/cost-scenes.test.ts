// The cost of one supply through everything that may happen to it, in the fold and with prices; every figure is computed by hand.
// Interest is the underlying of the shares beyond what ever came in less what ever went out, through everything in between.

import { sc } from '@orrery/ledger'
import type { CostBasisFact, Rows } from '@orrery/protocol-kit'
import { StateTable } from '@orrery/testkit'
import { beforeEach, describe, expect, it } from 'vitest'
import { blendView } from '../src/view/view.ts'
import { pricedScene, quotes } from './priced-scene.ts'
import {
  alice,
  auction,
  bob,
  dataKey,
  entry,
  event,
  type MadeRecord,
  pool,
  positionsKey,
  positionsOf,
  reserveData,
  type Scene,
  usdc,
  xlm,
} from './scene.ts'

const UNIT = 10_000_000n

let scene: Scene
let table: StateTable

beforeEach(() => {
  scene = pricedScene()
  table = new StateTable()
  table.write(scene.first.state)
})

/** A ledger at a price of USDC in cents, at whose end a bToken of USDC stands for `bTenths`, and accounts have these bTokens as collateral. */
function ledger(cents: number, bTenths: bigint, held: Readonly<Record<string, number>>, ...records: MadeRecord[]): Rows {
  const supply = Object.values(held).reduce((sum, shares) => sum + shares, 0)
  const rows = scene.ledger([
    quotes(scene, { [usdc]: cents, [xlm]: 100 }),
    ...records,
    entry(pool, dataKey(usdc), reserveData('v2', bTenths, BigInt(supply) * UNIT)),
    ...Object.entries(held).map(([address, shares]) =>
      entry(pool, positionsKey(address), positionsOf({}, shares === 0 ? {} : { 0: BigInt(shares) * UNIT }, {})),
    ),
  ])
  expect(rows.notices).toEqual([])
  table.write(rows.state)
  return rows
}

const moved = (name: 'supply_collateral' | 'withdraw_collateral', amount: number, shares: number) =>
  event(pool, name, [usdc, alice], BigInt(amount) * UNIT, BigInt(shares) * UNIT)

/** In whole USDC and USD; of `asOf` state as it is, or as it is loaded from rows. */
function costOf(address: string, state = scene.state): Partial<Record<keyof CostBasisFact, unknown>> {
  const cost = blendView(scene.network).position(state, pool, address, scene.at)?.supply[0]?.costBasis
  if (cost === null || cost === undefined) throw new Error(`${address} has no cost`)
  const { units, costUsd, realizedUsd, interestEarned, interestEarnedUsd, confidence } = cost
  return { units: units / UNIT, costUsd, realizedUsd, interestEarned: interestEarned / UNIT, interestEarnedUsd, confidence }
}

const supplied = () => ledger(100, 11n, { [alice]: 1_000 }, moved('supply_collateral', 1_100, 1_000))
/** 500 of 1,000 bTokens leave for 600, at 2 USD: 1,200 came for 550 of the cost. 500 was paid in net, 600 is there. */
const halfWithdrawn = () => ledger(200, 12n, { [alice]: 500 }, moved('withdraw_collateral', 600, 500))
/** 200 bTokens go to Bob, at 1.3 and 1 USD: 260 for 220 of the cost. 240 was paid in net, 300 bTokens are 390. */
const liquidated = () =>
  ledger(
    100,
    13n,
    { [alice]: 300, [bob]: 200 },
    event(pool, 'fill_auction', [0, alice], bob, 100n, auction({}, { [usdc]: 200n * UNIT }, 3)),
  )

describe('interest', () => {
  it('the interest of a supply is what its shares grew by, in USD at the price of the ledger', () => {
    supplied()
    expect(costOf(alice)).toEqual({
      units: 1_100n,
      costUsd: '1100',
      realizedUsd: '0',
      interestEarned: 0n,
      interestEarnedUsd: '0',
      confidence: 'exact',
    })
    ledger(300, 12n, { [alice]: 1_000 })
    expect(costOf(alice)).toMatchObject({ units: 1_200n, costUsd: '1100', interestEarned: 100n, interestEarnedUsd: '300' })
  })

  it('interest survives a partial exit', () => {
    supplied()
    halfWithdrawn()
    expect(costOf(alice)).toEqual({
      units: 600n,
      costUsd: '550',
      realizedUsd: '650',
      interestEarned: 100n,
      interestEarnedUsd: '200',
      confidence: 'exact',
    })
  })

  it('interest survives a liquidation, and the cost of the liquidator begins with the value of the collateral', () => {
    supplied()
    halfWithdrawn()
    liquidated()
    expect(costOf(alice)).toEqual({
      units: 390n,
      costUsd: '330',
      realizedUsd: '690',
      interestEarned: 150n,
      interestEarnedUsd: '150',
      confidence: 'exact',
    })
    expect(costOf(bob)).toEqual({
      units: 260n,
      costUsd: '260',
      realizedUsd: '0',
      interestEarned: 0n,
      interestEarnedUsd: '0',
      confidence: 'inferred',
    })
  })

  it('interest survives a full exit, a return and a restart in between', () => {
    supplied()
    halfWithdrawn()
    liquidated()
    // 390 for the last 330 of the cost: 750 are realised.
    ledger(100, 13n, { [alice]: 0, [bob]: 200 }, moved('withdraw_collateral', 390, 300))
    const restarted = scene.adapter.load(table.asOf(scene.at.ledger), scene.at.ledger)
    expect([...(restarted.pools.get(pool)?.accounts.get(alice)?.costs?.values() ?? [])]).toMatchObject([
      { cost: { units: 0n }, netPaid: -150n * UNIT },
    ])
    // 100 bTokens for 130, at 3 USD; they grow to 140.
    ledger(300, 13n, { [alice]: 100, [bob]: 200 }, moved('supply_collateral', 130, 100))
    ledger(300, 14n, { [alice]: 100, [bob]: 200 })
    expect(costOf(alice)).toEqual({
      units: 140n,
      costUsd: '390',
      realizedUsd: '750',
      interestEarned: 160n,
      interestEarnedUsd: '480',
      confidence: 'exact',
    })
    expect(costOf(alice, scene.adapter.load(table.asOf(scene.at.ledger), scene.at.ledger))).toEqual(costOf(alice))
  })

  it('interest does not count what a claim pays', () => {
    supplied()
    const rows = ledger(100, 11n, { [alice]: 1_000 }, event(pool, 'claim', [alice], sc.vec(sc.u32(1)), 70n * UNIT))
    expect(rows.activities.map(({ activityType }) => activityType)).toEqual(['claim'])
    expect(costOf(alice)).toMatchObject({ units: 1_100n, costUsd: '1100', interestEarned: 0n })
  })
})
