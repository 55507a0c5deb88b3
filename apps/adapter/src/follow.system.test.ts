import { CallFault } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { followUntil } from '../test/counted-world.ts'
import { ALL_SLICES, followWorld, LAST, ONE_BY_ONE } from '../test/follow-world.ts'
import { encoded } from '../test/test-ledgers.ts'

describe('following a partition', () => {
  const world = followWorld()

  it.each(['before', 'after'] as const)('an adapter writes the same rows whichever call fails %s it took effect', async (when) => {
    for (let call = 1; ; call++) {
      const one = await world.run(encoded(ALL_SLICES), { ...ONE_BY_ONE, maxWeight: 12 })
      const fault = new CallFault(call, when)
      await followUntil(LAST, one, fault)
      expect(await world.tables.rowsOf(one.version), `call ${call}`).toEqual(world.expected)
      if (!fault.happened) break
    }
  })
})
