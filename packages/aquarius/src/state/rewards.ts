// Rewards that a pool itself pays: summed up by checkpoint for the pool, and as of the last checkpoint of each holder.

import { factMember, flag, only, stateEntry } from '@orrery/fold-kit'
import { readRewardsState, readUserReward, readWorkingBalance, userReward } from '../chain/pool-entries.ts'
import { since } from '../chain/release.ts'
import { RewardPages, rewardIndexValue } from '../math/reward-index.ts'
import type { Changes } from './changes.ts'
import { workingBalanceValue } from './derived-values.ts'
import { type AquariusState, holderMember, ownedPoolOf, poolOf, sharesOf, totalLocked } from './state.ts'

export const rewardIndex = stateEntry<AquariusState>()({
  key: 'reward_index',
  value: rewardIndexValue,
  place: (state, { contract }) => factMember(ownedPoolOf(state, contract), 'rewardIndex'),
  docs: { under: 'pool', from: 'fact, from pages of `RewardInvDataV2`', what: 'sum of the increments of all checkpoints' },
})

/** With the sum of all increments at the user's checkpoint, which the pages of the same ledger have. */
export const reward = stateEntry<AquariusState, Changes>()({
  key: '@{owner}:reward',
  value: userReward,
  read: (bytes, { contract, owner }, { state, changes }) => {
    const entry = readUserReward(bytes)
    if (entry === null) return null
    const pool = poolOf(state, contract)
    // Written again without a checkpoint: the pages of that one were in an earlier ledger.
    const known = pool.holders.get(owner)?.reward?.value
    if (known?.lastBlock === entry.lastBlock) return { ...entry, index: known.index }
    const pages = changes.rewardPages.get(pool) ?? new RewardPages()
    return { ...entry, index: pages.totalAt(entry.lastBlock, pool.instance?.value.rewards.block ?? null, pool.rewardIndex) }
  },
  place: (state, { contract, owner }) => holderMember(ownedPoolOf(state, contract), owner, 'reward'),
  removal: 'kept',
  notices: { unreadable: 'unreadable reward' },
  docs: {
    under: 'pool',
    from: '`UserRewardData`',
    what: 'rewards as of the last checkpoint, with the sum of increments there',
  },
})

/** Applied when shares are those of the ledger's end: before v1.7 a later claim makes the balance anew from what it was made of. */
export const workingBalance = stateEntry<AquariusState>()({
  key: '@{owner}:working_balance',
  value: workingBalanceValue,
  read: (bytes, { contract, owner }, { state }) => {
    const pool = poolOf(state, contract)
    const amount = readWorkingBalance(bytes)
    const instance = pool.instance?.value
    if (amount === null || instance === undefined) return null
    const holder = pool.holders.get(owner)
    const known = holder?.workingBalance?.value
    if (known?.amount === amount) return known
    if (since.pastWorkingBalance(instance.release)) return { amount, terms: null }
    return { amount, terms: { shares: sharesOf(holder), supply: instance.totalShares, totalLocked: totalLocked(state) } }
  },
  place: (state, { contract, owner }) => holderMember(ownedPoolOf(state, contract), owner, 'workingBalance'),
  removal: 'kept',
  notices: { unreadable: 'unreadable working_balance' },
  docs: {
    under: 'pool',
    from: '`WorkingBalance`',
    what: 'what rewards are shared by; before v1.7 with what it was made of (shares, supply, boost tokens locked)',
  },
})

export const optedIn = stateEntry<AquariusState>()({
  key: '@{owner}:takes_rewards',
  value: only('value', flag),
  read: readRewardsState,
  place: (state, { contract, owner }) => holderMember(ownedPoolOf(state, contract), owner, 'optedIn'),
  removal: 'kept',
  notices: { unreadable: 'unreadable takes_rewards' },
  docs: { under: 'pool', from: '`UserRewardsState`', what: 'whether the holder takes part in rewards; without a row yes' },
})
