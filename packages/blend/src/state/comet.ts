// The Comet pool of BLND and USDC: what an LP token stands for, and who holds LP tokens.

import { amountValue, factMember } from '@orrery/fold-kit'
import { readCometRecords, readSwapFee } from '../chain/comet-entries.ts'
import { readAmount } from '../chain/entry-reader.ts'
import * as values from '../chain/values.ts'
import { blendEntry, memberOf } from './entry.ts'
import { cometOf, setLpBalance } from './state.ts'

export const records = blendEntry({
  key: 'records',
  value: values.cometRecords,
  shared: true,
  read: readCometRecords,
  place: (state, { contract }) => memberOf(cometOf(state, contract), 'records'),
  notices: { unreadable: 'unreadable Comet records' },
  docs: { under: 'Comet pool', from: '`AllRecordData`', what: 'balance and weight (7 decimals) of each token' },
})

export const totalShares = blendEntry({
  key: 'total_shares',
  value: amountValue,
  shared: true,
  read: readAmount,
  place: (state, { contract }) => memberOf(cometOf(state, contract), 'totalShares'),
  notices: { unreadable: 'unreadable Comet total shares' },
  docs: { under: 'Comet pool', from: '`TotalShares`', what: 'supply of LP tokens' },
})

export const swapFee = blendEntry({
  key: 'swap_fee',
  value: amountValue,
  shared: true,
  read: (bytes, { contract }) => readSwapFee(bytes, contract),
  place: (state, { contract }) => memberOf(cometOf(state, contract), 'swapFee'),
  // The pool is made before it is set up.
  notices: { unreadable: null },
  docs: { under: 'Comet pool', from: 'instance', what: "fraction of a swap's input, 7 decimals" },
})

export const lpBalance = blendEntry({
  key: '@{owner}:lp',
  value: amountValue,
  read: readAmount,
  place: (state, { contract, owner }) => {
    const comet = cometOf(state, contract)
    return comet === null ? null : { get: () => comet.holders.get(owner) ?? null, set: (live) => setLpBalance(comet, owner, live) }
  },
  notices: { unreadable: 'unreadable LP balance' },
  docs: { under: 'Comet pool', from: '`Balance(holder)`', what: 'LP tokens of a holder' },
})

export const wholeLife = blendEntry({
  key: 'whole_life',
  value: values.flagValue,
  shared: true,
  place: (state, { contract }) => {
    const comet = cometOf(state, contract)
    return comet === null ? null : factMember(comet, 'wholeLife')
  },
  docs: { under: 'Comet pool', from: 'fact', what: 'there when the index saw the first LP token: every holder is known' },
})
