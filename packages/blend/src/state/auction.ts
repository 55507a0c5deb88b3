// Auctions of a pool, by the account that they are of and their type.

import { item } from '@orrery/fold-kit'
import { isAuctionType } from '../chain/auction-shape.ts'
import { readAuction } from '../chain/pool-entries.ts'
import * as values from '../chain/values.ts'
import { blendEntry } from './entry.ts'
import { accountOf, ownedPoolOf } from './state.ts'

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
