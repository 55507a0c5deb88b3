// All state of Soroswap, entry by entry, and the state before the first ledger.

import { countersValue, factMember, holdingCostValue, lossFact, StateEntries, smallFact, stateEntry, tokenFact } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import { rootPairs } from '../registry.ts'
import { balance } from './balance.ts'
import { factory } from './factory.ts'
import { listing } from './listing.ts'
import { pair } from './pair.ts'
import { shares } from './shares.ts'
import { emptyPair, holderOf, ownedPairOf, type SoroswapState } from './state.ts'

export const cost = stateEntry<SoroswapState>()({
  key: '@{owner}:cost',
  value: holdingCostValue,
  place: (state, { contract, owner }) => factMember(holderOf(ownedPairOf(state, contract), owner), 'cost'),
  docs: { under: 'pair', from: 'fact', what: 'average cost of the shares, and the tokens that were deposited for them' },
})

export const counters = stateEntry<SoroswapState>()({
  key: 'counters',
  value: countersValue,
  place: (state, { contract }) => factMember(ownedPairOf(state, contract), 'counters'),
  docs: { under: 'pair', from: 'fact', what: 'fees, volume and value · time since the pair is followed' },
})

const small = smallFact<SoroswapState>((state, contract) => ownedPairOf(state, contract).small, 'pair')
const loss = lossFact<SoroswapState>(ownedPairOf, 'pair')
export const token = tokenFact<SoroswapState>()

export const ENTRIES = new StateEntries<SoroswapState>([factory, listing, pair, balance, shares, cost, small, loss, counters, token])

/** Only the pairs that the registry names. */
export function emptyState(network: Network, pricing: Pricing): SoroswapState {
  return {
    ledger: 0,
    factories: new Map(),
    pairs: new Map(rootPairs(network).map(({ contract, balances }) => [contract, { ...emptyPair(contract), tokens: twoOf(balances) }])),
    assets: new Map(),
    pricing: pricing.empty(),
  }
}

function twoOf(tokens: readonly string[]): readonly [string, string] | null {
  const [token0, token1] = tokens
  return token0 === undefined || token1 === undefined ? null : [token0, token1]
}
