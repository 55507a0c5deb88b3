import type { Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import type { Unused } from './action.ts'
import { Journal } from './state/journal.ts'
import { ignoreEvent, noticeUnused, reportUnexpected } from './unused-events.ts'

describe('events that make no action', () => {
  it('events that make no action become one notice for each reason, where this partition owns them and they are unexpected', () => {
    const unused: Unused[] = []
    const [ours, others] = [true, false].map((owned) => ({ contract: 'C', owned, index: 0 }))
    if (ours === undefined || others === undefined) throw new Error('two events')
    for (const event of [ours, others]) {
      ignoreEvent(event, 'approve', { unused })
      reportUnexpected(event, 'an unknown word', { unused })
    }
    expect(unused.map(({ expected }) => expected)).toEqual([true, false])
    const journal = new Journal({ protocol: 'soroswap', ledger: 5, closeTimeSeconds: 0, partition: 0 } as unknown as Slice)
    noticeUnused([{ derived: { unused } }, { derived: { unused } }], journal)
    expect(journal.notices()).toMatchObject([{ contract: 'C', kind: 'event', reason: 'an unknown word', count: 2 }])
  })
})
