import { pricesOf } from '@orrery/pricing'
import { describe, expect, it } from 'vitest'
import { blend } from '../src/protocol.ts'
import { restartContract } from './restart-contract.ts'
import { foldedWorld } from './world.ts'

const world = await foldedWorld()

// Every checkpoint of these kinds is in the system tests.
restartContract(world, { auctionStep: 40, claimStep: 200, restarts: 10 })

describe('the state rows of the recording', () => {
  it('every state row of the recording is written again byte for byte after it was read', () => {
    const prices = pricesOf(world.network)
    const own = world.rows.flatMap(({ state }) => state).filter((row) => !row.removed && !prices.take(prices.empty(), row))
    expect(own.filter((row) => blend.entries.readKey(row)?.entry.rewrite(row.value) !== row.value)).toEqual([])
    expect(own.length).toBeGreaterThan(6_000)
  })
})

describe('rows of an action', () => {
  it('rows of one action are numbered without a gap', () => {
    const actions = Map.groupBy(
      world.rows.flatMap(({ activities }) => activities),
      ({ actionId }) => actionId,
    )
    for (const legs of actions.values()) {
      legs.sort((a, b) => a.key.row - b.key.row)
      expect(legs.map(({ key }) => key.row)).toEqual(legs.map((_, n) => (legs[0]?.key.row ?? 0) + n))
    }
  })
})
