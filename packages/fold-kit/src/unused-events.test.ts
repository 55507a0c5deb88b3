import { describe, expect, it } from 'vitest'
import type { Unused } from './action.ts'
import { ignoreEvent, reportUnexpected } from './unused-events.ts'

describe('events that make no action', () => {
  it('an event without an action is recorded once by the partition that owns it, expected or not', () => {
    const unused: Unused[] = []
    const [ours, others] = [true, false].map((owned) => ({ contract: 'C', owned, index: 0 }))
    if (ours === undefined || others === undefined) throw new Error('two events')
    for (const event of [ours, others]) {
      ignoreEvent(event, 'approve', { unused })
      reportUnexpected(event, 'an unknown word', { unused })
    }
    expect(unused).toEqual([
      { contract: 'C', reason: 'approve', expected: true },
      { contract: 'C', reason: 'an unknown word', expected: false },
    ])
  })
})
