import type { Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import type { Unused } from './action.ts'
import { Journal } from './state/journal.ts'
import { ignoreEvent, noticeUnused, wonder } from './unused-events.ts'

describe('events that make no action', () => {
  it('are said aloud once for each reason, where they are ours and nobody expected them', () => {
    const unused: Unused[] = []
    const [ours, others] = [true, false].map((owned) => ({ contract: 'C', owned, index: 0 }))
    if (ours === undefined || others === undefined) throw new Error('two events')
    for (const event of [ours, others]) {
      ignoreEvent(event, 'approve', { unused })
      wonder(event, 'a word that nobody knows', { unused })
    }
    expect(unused.map(({ expected }) => expected)).toEqual([true, false])
    const journal = new Journal({ protocol: 'soroswap', ledger: 5, closeTimeSeconds: 0, partition: 0 } as unknown as Slice)
    noticeUnused([{ derived: { unused } }, { derived: { unused } }], journal)
    expect(journal.notices()).toMatchObject([{ contract: 'C', kind: 'event', reason: 'a word that nobody knows', count: 2 }])
  })
})
