import type { Network } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { namedPools } from './named-pools.ts'

describe('pools of the registry', () => {
  it('pools of the registry are those of the protocol, each once, with what is known of them', () => {
    const network = {
      firstLedger: 7,
      knownPools: [
        { protocol: 'soroswap', contract: 'old', fromLedger: 3, tokens: ['a', 'b'] },
        { protocol: 'aquarius', contract: 'other', fromLedger: 3, tokens: [] },
      ],
      pricePools: [
        { protocol: 'soroswap', contract: 'old' },
        { protocol: 'soroswap', contract: 'priced' },
        { protocol: 'aquarius', contract: 'also other' },
      ],
    } as unknown as Network
    expect(namedPools(network, 'soroswap')).toEqual([
      { contract: 'old', fromLedger: 3, tokens: ['a', 'b'] },
      { contract: 'priced', fromLedger: 7, tokens: [] },
    ])
  })
})
