// A locking pool: its rewards, its pools by asset, and what accounts have locked.

import { costValue, factMember, item, member, only, stateEntry, text } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { lockedDeposit, lockingPool, readLockedDeposit, readLockingInstance, readLockingPool } from '../chain/entries.ts'
import type { Changes } from './changes.ts'
import { type FxdaoState, lockingOf, type StakeState, stakeOf } from './state.ts'

type At = { readonly contract: ContractId; readonly owner: Address; readonly asset: ContractId }

const stakeAt = (state: FxdaoState, { contract, owner, asset }: At): StakeState | null => {
  const locking = lockingOf(state, contract)
  return locking === null ? null : stakeOf(locking, owner, asset)
}

export const rewardsAsset = stateEntry<FxdaoState>()({
  key: 'rewards_asset',
  value: only('address', text),
  read: (bytes, { contract }) => readLockingInstance(bytes, contract)?.rewardsAsset ?? null,
  place: (state, { contract }) => {
    const locking = lockingOf(state, contract)
    return locking === null ? null : member(locking, 'rewardsAsset')
  },
  docs: { under: 'locking pool', from: 'instance', what: 'what stakes are rewarded in' },
})

export const pool = stateEntry<FxdaoState, Changes>()({
  key: 'pool:{asset}',
  value: lockingPool,
  read: readLockingPool,
  place: (state, { contract, asset }) => {
    const locking = lockingOf(state, contract)
    return locking === null ? null : item(locking.pools, asset)
  },
  notices: { unreadable: 'a locking pool has an unknown layout' },
  onChange: (_, { contract }, { state, changes }) => {
    const locking = lockingOf(state, contract)
    if (locking !== null) changes.locking.add(locking)
  },
  docs: { under: 'locking pool', from: '`Pool(asset)`', what: 'settings, factor, stored balance' },
})

export const deposit = stateEntry<FxdaoState, Changes>()({
  key: '@{owner}:deposit:{asset}',
  value: lockedDeposit,
  read: readLockedDeposit,
  place: (state, at) => {
    const stake = stakeAt(state, at)
    return stake === null ? null : member(stake, 'deposit')
  },
  notices: { unreadable: 'a locked deposit has an unknown layout' },
  onChange: (_, at, { state, changes }) => {
    const [locking, stake] = [lockingOf(state, at.contract), stakeAt(state, at)]
    if (locking !== null) changes.locking.add(locking)
    if (stake !== null) changes.stakes.add(stake)
  },
  docs: { under: 'locking pool', from: '`Deposit(asset, owner)`', what: 'stake' },
})

export const stakeCost = stateEntry<FxdaoState>()({
  key: '@{owner}:cost:{asset}',
  value: costValue,
  place: (state, at) => {
    const stake = stakeAt(state, at)
    return stake === null ? null : factMember(stake, 'cost')
  },
  docs: { under: 'locking pool', from: 'fact', what: 'average cost of the stake' },
})
