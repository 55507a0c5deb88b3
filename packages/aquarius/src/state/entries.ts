// All state of Aquarius, entry by entry, and the state before the first ledger.
// Everything of a pool is filed under the pool, also what share tokens and gauges keep: one range of keys is the whole pool.

import { amountValue, countersValue, factMember, holdingCostValue, StateEntries, smallFact, stateEntry, tokenFact } from '@orrery/fold-kit'
import type { Pricing } from '@orrery/pricing'
import type { Network } from '@orrery/protocol-kit'
import { rootPools } from '../registry.ts'
import { balance, gaugeBalance } from './balance.ts'
import { boost } from './boost.ts'
import { gauge, gaugeUser } from './gauge.ts'
import { listing, registered } from './listing.ts'
import { pool } from './pool.ts'
import { range, rangeCost, user } from './range.ts'
import { optedIn, reward, rewardIndex, workingBalance } from './rewards.ts'
import { rewards, router } from './router.ts'
import { shareToken } from './share-token.ts'
import { nextShares, shares } from './shares.ts'
import { type AquariusState, holderOf, ownedPoolOf, PoolState } from './state.ts'
import { ticks } from './ticks.ts'

export const burnt = stateEntry<AquariusState>()({
  key: 'burnt',
  value: amountValue,
  place: (state, { contract }) => factMember(ownedPoolOf(state, contract), 'burntShares'),
  docs: { under: 'pool', from: 'fact', what: 'shares that holders burnt by themselves: the pool goes on counting them' },
})

export const counters = stateEntry<AquariusState>()({
  key: 'counters',
  value: countersValue,
  place: (state, { contract }) => factMember(ownedPoolOf(state, contract), 'counters'),
  docs: { under: 'pool', from: 'fact', what: 'fees, volume and value · time since the pool is followed' },
})

export const cost = stateEntry<AquariusState>()({
  key: '@{owner}:cost',
  value: holdingCostValue,
  place: (state, { contract, owner }) => factMember(holderOf(ownedPoolOf(state, contract), owner), 'cost'),
  docs: { under: 'pool', from: 'fact', what: 'average cost of the shares, and the tokens that were deposited for them' },
})

const small = smallFact<AquariusState>((state, contract) => ownedPoolOf(state, contract).small, 'pool')
export const token = tokenFact<AquariusState>()

const ROUTER = [router, rewards, listing]
const POOL = [registered, pool, balance, gaugeBalance, gauge, ticks, rewardIndex, burnt, counters]
const HOLDER = [shares, nextShares, range, user, reward, workingBalance, optedIn, gaugeUser, cost, rangeCost, small]

export const ENTRIES = new StateEntries<AquariusState>([...ROUTER, ...POOL, ...HOLDER, shareToken, boost, token])

/** Nothing but the pools that the registry names. */
export function emptyState(network: Network, pricing: Pricing): AquariusState {
  return {
    ledger: 0,
    routers: new Map(),
    pools: new Map(rootPools(network).map(({ contract, balances }) => [contract, new PoolState(contract, balances)])),
    shareTokens: new Map(),
    gaugePools: new Map(),
    boostSupplies: new Map(),
    assets: new Map(),
    pricing: pricing.empty(),
  }
}
