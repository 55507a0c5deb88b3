import type { Pricing } from '@orrery/pricing'
import type { Network, Slice } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { ledgerEnd } from './ledger-end.ts'
import { Journal } from './state/journal.ts'

describe('the end of a ledger', () => {
  it('the end of a ledger values a pool once, also one that has no value', () => {
    const slice = { ledger: 5 } as Slice
    const calls: string[] = []
    const context = { state: 'state', slice, journal: new Journal(slice), network: {} as Network, pricing: {} as Pricing }
    const end = ledgerEnd(context, (state, pool: { readonly name: string }, at) => {
      calls.push(`${pool.name} of ${state} at ${at.ledger}`)
      return pool.name === 'empty' ? null : pool.name.length
    })
    const [full, empty] = [{ name: 'full' }, { name: 'empty' }]
    expect([full, empty, full, empty].map((pool) => end.value(pool))).toEqual([4, null, 4, null])
    expect(calls).toEqual(['full of state at 5', 'empty of state at 5'])
  })
})
