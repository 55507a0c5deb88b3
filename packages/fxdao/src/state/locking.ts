// A locking pool: its rewards, its pools by asset, and what accounts have locked.

import { costValue, factMember, item, member, only, placeIn, stateEntry, text } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import { lockedDeposit, lockingPool, readLockedDeposit, readLockingInstance, readLockingPool } from '../chain/entries.ts'
import { type Changes, type FxdaoState, lockingOf, type StakeState, stakeOf } from './state.ts'

type At = { readonly contract: ContractId; readonly owner: Address; readonly asset: ContractId }

const stakeAt = (state: FxdaoState, { contract, owner, asset }: At): StakeState | null =>
  placeIn(lockingOf(state, contract), (locking) => stakeOf(locking, owner, asset))

export const rewardsAsset = stateEntry<FxdaoState>()({
  key: 'rewards_asset',
  value: only('address', text),
  read: (bytes, { contract }) => readLockingInstance(bytes, contract)?.rewardsAsset ?? null,
  place: (state, { contract }) => placeIn(lockingOf(state, contract), (locking) => member(locking, 'rewardsAsset')),
  docs: { under: 'locking pool', from: 'instance', what: 'what stakes are rewarded in' },
})

export const pool = stateEntry<FxdaoState, Changes>()({
  key: 'pool:{asset}',
  value: lockingPool,
  read: readLockingPool,
  place: (state, { contract, asset }) => placeIn(lockingOf(state, contract), ({ pools }) => item(pools, asset)),
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
  place: (state, at) => placeIn(stakeAt(state, at), (stake) => member(stake, 'deposit')),
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
  place: (state, at) => placeIn(stakeAt(state, at), (stake) => factMember(stake, 'cost')),
  docs: { under: 'locking pool', from: 'fact', what: 'average cost of the stake' },
})
