import type { ContractId } from '@orrery/ledger'
import type { Network } from '@orrery/protocol-kit'
import { describe, expect, it } from 'vitest'
import { pairOf, type SoroswapState } from '../state/state.ts'
import { assetInfo, pairName } from './asset.ts'

const network = { assets: { A: { code: 'A', issuer: null, decimals: 7, tags: [] } } } as unknown as Network

/** Pairs by address; token B has a name in its instance and token A has a hint. */
function stateWith(pairs: Readonly<Record<ContractId, readonly [ContractId, ContractId]>>): SoroswapState {
  const assets = new Map([['B', { decimals: 6, name: 'Bee', symbol: 'Bumblebee' }]])
  const state = { pairs: new Map(), assets } as unknown as SoroswapState
  for (const [pair, tokens] of Object.entries(pairs)) pairOf(state, pair).tokens = tokens
  return state
}

describe('the name of a pair', () => {
  it('the name of a pair is made of its tokens, six characters of each in the symbol of its shares', () => {
    const state = stateWith({ P: ['A', 'B'], Q: ['P', 'CNOBODYKNOWSME'] })
    expect(pairName(state, ['A', 'B'], network)).toBe('A/Bumblebee')
    expect(assetInfo(state, 'P', network)).toEqual({ asset: 'P', symbol: 'A-Bumble-SOROSWAP-LP', decimals: 7, tags: ['lp_share'] })
    expect(assetInfo(state, 'Q', network).symbol).toBe('A-Bumb-CNOB…W-SOROSWAP-LP')
  })

  it('the name of a pair takes no more time the more often pairs are tokens of pairs, and no stack at any depth', () => {
    // P2 of P1 and P0, P3 of P2 and P1 …: naming each token again would take exponential time.
    const nested = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`P${n + 2}`, [`P${n + 1}`, `P${n}`] as const]))
    const state = stateWith({ P0: ['A', 'A'], P1: ['B', 'A'], ...nested })
    expect(assetInfo(state, 'P81', network).symbol).toBe('Bumble-Bumble-SOROSWAP-LP')
    const chain = stateWith(Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`P${n + 1}`, [`P${n}`, 'A'] as const])))
    expect(assetInfo(chain, 'P50000', network).symbol).toMatch(/-A-SOROSWAP-LP$/)
  })
})
