import { describe, expect, it } from 'vitest'
import { restartContract } from './restart-contract.ts'
import { foldedWorld } from './world.ts'

const world = await foldedWorld()

// Every checkpoint of these kinds is in the system tests.
restartContract(world, { auctionStep: 40, claimStep: 200, restarts: 10 })

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
