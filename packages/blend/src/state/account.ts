// What belongs to one account in one pool, the pool's backstop included.

import { costValue, factItem, integer, item, member, number, object, text } from '@orrery/fold-kit'
import { isAuctionType } from '../chain/auction-shape.ts'
import { readBackstopUser } from '../chain/backstop-entries.ts'
import { readAuction, readPositions, readUserEmission } from '../chain/pool-entries.ts'
import * as values from '../chain/values.ts'
import { isCostKey } from '../math/cost.ts'
import { accountChanged } from './changes.ts'
import { blendEntry } from './entry.ts'
import { accountOf, allShares, ownedPoolOf, poolOf, setBackstopUser, setPositions } from './state.ts'

export const positions = blendEntry({
  key: '@{owner}:positions',
  value: values.positions,
  read: readPositions,
  place: (state, { contract, owner }) => {
    const pool = ownedPoolOf(state, contract)
    return pool === null ? null : { get: () => pool.accounts.get(owner)?.positions ?? null, set: (live) => setPositions(pool, owner, live) }
  },
  notices: { unreadable: 'unreadable positions' },
  onChange: ({ before, now }, { contract, owner }, { state, changes }) => {
    // The filler of an interest auction gets an empty entry: no position.
    if (before === null && now !== null && isEmpty(now)) return
    accountChanged(changes, poolOf(state, contract), owner, { positions: before ?? values.NO_POSITIONS })
  },
  docs: { under: 'pool', from: '`Positions`', what: 'bTokens of plain supply and of collateral, dTokens, by index' },
})

function isEmpty({ supply, collateral, liabilities }: values.Positions): boolean {
  return supply.size === 0 && collateral.size === 0 && liabilities.size === 0
}

export const userEmission = blendEntry({
  key: '@{owner}:emission:{token}',
  value: values.userEmission,
  read: readUserEmission,
  place: (state, { contract, owner, token }) => {
    const pool = ownedPoolOf(state, contract)
    if (pool === null) return null
    const account = accountOf(pool, owner)
    account.emissions ??= new Map()
    return item(account.emissions, Number(token))
  },
  notices: { unreadable: 'unreadable user emission' },
  docs: { under: 'pool', from: '`UserEmis`', what: 'index and accrued BLND of an account' },
})

export const backstopUser = blendEntry({
  key: '@{owner}:backstop',
  value: values.backstopUser,
  read: readBackstopUser,
  place: (state, { contract, owner }) => {
    const pool = ownedPoolOf(state, contract)
    return pool === null
      ? null
      : { get: () => pool.accounts.get(owner)?.backstop ?? null, set: (live) => setBackstopUser(pool, owner, live) }
  },
  notices: { unreadable: 'unreadable user balance' },
  onChange: ({ before, now }, { contract, owner }, { state, changes }) => {
    if (before === null && now !== null && allShares(now) === 0n) return
    accountChanged(changes, poolOf(state, contract), owner, { backstop: before ?? values.NO_BACKSTOP_SHARES })
  },
  docs: { under: 'pool', from: "the backstop's `UserBalance`", what: 'backstop shares and the queue of withdrawals' },
})

export const backstopUserEmission = blendEntry({
  key: '@{owner}:backstop_emission',
  value: values.userEmission,
  read: readUserEmission,
  place: (state, { contract, owner }) => {
    const pool = ownedPoolOf(state, contract)
    return pool === null ? null : member(accountOf(pool, owner), 'backstopEmission')
  },
  notices: { unreadable: 'unreadable backstop user emission' },
  docs: { under: 'pool', from: "the backstop's `UEmisData`", what: 'index and accrued BLND of a depositor' },
})

export const auction = blendEntry({
  key: '@{owner}:auction:{type}',
  value: values.auction,
  read: readAuction,
  durability: 'temporary',
  place: (state, { contract, owner, type: text }) => {
    const [pool, type] = [ownedPoolOf(state, contract), Number(text)]
    if (pool === null || !isAuctionType(type)) return null
    const account = accountOf(pool, owner)
    account.auctions ??= new Map()
    return item(account.auctions, type)
  },
  notices: { unreadable: 'unreadable auction' },
  docs: { under: 'pool', from: '`Auction` (temporary)', what: 'what remains, unscaled' },
})

/** A fact: what a balance of the account cost. */
export const cost = blendEntry({
  key: '@{owner}:cost:{balance}',
  value: object({ cost: costValue, netPaid: integer }),
  place: (state, { contract, owner, balance }) => {
    const pool = ownedPoolOf(state, contract)
    if (pool === null || !isCostKey(balance)) return null
    const account = accountOf(pool, owner)
    account.costs ??= new Map()
    return factItem(account.costs, balance)
  },
  docs: { under: 'pool', from: 'fact', what: 'average cost of a balance, and what was paid in less what was taken out' },
})

/** A fact: the step that the health factor is in. */
export const healthStep = blendEntry({
  key: '@{owner}:health_step',
  value: object({ healthFactor: text, step: number }),
  place: (state, { contract, owner }) => {
    const pool = ownedPoolOf(state, contract)
    if (pool === null) return null
    return {
      set: (live) => {
        accountOf(pool, owner).healthStep = live?.value.step ?? null
      },
    }
  },
  docs: {
    under: 'pool',
    from: 'fact',
    what: 'health factor when it entered its step of 0.01, and that step in hundredths: 0 below 0.5, 300 at 3 and above',
  },
})
