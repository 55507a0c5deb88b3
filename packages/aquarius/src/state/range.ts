// Ranges of a holder in a concentrated pool, and what the holder has over all of them.

import { factMember, holdingCostValue, stateEntry } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { concentratedUser, rangePosition, readConcentratedUser, readRangePosition } from '../chain/pool-entries.ts'
import type { Changes } from './changes.ts'
import { type AquariusState, holderMember, holderOf, ownedPoolOf, poolOf, type Range, rangeName, rangeOf, setRange } from './state.ts'

/** `lower` and `upper` are ticks. */
type At = { readonly contract: ContractId; readonly owner: Address; readonly lower: string; readonly upper: string }

const rangeAt = (state: AquariusState, { contract, owner, lower, upper }: At): Range =>
  rangeOf(holderOf(ownedPoolOf(state, contract), owner), Number(lower), Number(upper))

export const range = stateEntry<AquariusState, Changes>()({
  key: '@{owner}:range:{lower}:{upper}',
  value: rangePosition,
  read: readRangePosition,
  place: (state, at) => {
    const pool = ownedPoolOf(state, at.contract)
    return {
      get: () => pool.holders.get(at.owner)?.ranges.get(`${at.lower}:${at.upper}`)?.position ?? null,
      set: (live) => setRange(pool, rangeAt(state, at), live),
    }
  },
  notices: { unreadable: 'unreadable range' },
  onChange: ({ before }, { contract, owner, lower, upper }, { state, changes }) =>
    changes.range(poolOf(state, contract), owner, rangeName(Number(lower), Number(upper)), before?.liquidity ?? 0n),
  docs: { under: 'pool', from: '`Position`', what: 'liquidity of a range between two ticks; the row is removed when it is closed' },
})

export const rangeCost = stateEntry<AquariusState>()({
  key: '@{owner}:range_cost:{lower}:{upper}',
  value: holdingCostValue,
  place: (state, at) => factMember(rangeAt(state, at), 'cost'),
  docs: { under: 'pool', from: 'fact', what: 'average cost of the liquidity of a range, and the tokens that were deposited for it' },
})

export const user = stateEntry<AquariusState>()({
  key: '@{owner}:user',
  value: concentratedUser,
  read: readConcentratedUser,
  place: (state, { contract, owner }) => holderMember(ownedPoolOf(state, contract), owner, 'user'),
  removal: 'kept',
  notices: { unreadable: 'unreadable user' },
  docs: { under: 'pool', from: '`User`', what: 'liquidity and weight over all ranges, as of the last checkpoint; the ranges' },
})
