import { CallFault } from '@orrery/testkit'
import { describe, expect, it } from 'vitest'
import { followUntil } from '../test/counted-world.ts'
import { followWorld, LAST, ONE_BY_ONE, WHOLE } from '../test/follow-world.ts'
import { encoded } from '../test/story.ts'

describe('following a partition', () => {
  const story = followWorld()

  it.each(['before', 'after'] as const)('an adapter writes the same rows whichever call fails %s it took effect', async (when) => {
    for (let call = 1; ; call++) {
      const one = await story.world(encoded(WHOLE), { ...ONE_BY_ONE, maxWeight: 12 })
      const fault = new CallFault(call, when)
      await followUntil(LAST, one, fault)
      expect(await story.tables.rowsOf(one.version), `call ${call}`).toEqual(story.expected)
      if (!fault.happened) break
    }
  })
})
