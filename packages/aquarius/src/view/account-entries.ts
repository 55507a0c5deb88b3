// What an account has in a pool: a balance of its share token, or of a concentrated pool the list of its ranges; then, of accounts with any,
// the ranges and what its rewards are counted by, in the pool and in its gauges.

import { type Address, type ContractId, type ScVal, sc, writeScVal } from '@orrery/ledger'
import { type AccountEntries, balanceName, type EntryName, type EntryValue } from '@orrery/protocol-kit'
import { readConcentratedUser, readPoolKey } from '../chain/pool-entries.ts'
import type { PoolInstance } from '../chain/pool-instance.ts'
import { pool as poolEntry } from '../state/pool.ts'
import { rewardIndex } from '../state/rewards.ts'
import type { AquariusState } from '../state/state.ts'

export const accountEntries: AccountEntries<AquariusState> = {
  // The boost feed is of no pool, and rewards before v1.7 are shared by it.
  listings: ({ deployments }) =>
    deployments.aquarius.flatMap(({ router, boostFeed }) => [router, ...(boostFeed === null ? [] : [boostFeed])]),
  poolKeys: [poolEntry.key, rewardIndex.key],
  predatingPools: ({ pools }) => [...pools.values()].flatMap(({ pool, listing }) => (listing?.isAnnounced ? [] : pool)).sort(),
  poolOf: ({ contract }) => contract,
  names(pool, address, read, { pools }) {
    const instance = pools.get(pool)?.instance?.value
    // Only the instance names the token that counts shares.
    if (instance === undefined) return []
    const first = instance.concentrated === null ? shares(instance, address) : [named(pool, 'User', sc.address(address))]
    return read.length === 0 ? first : [...first, ...ranges(pool, address, read), ...rewards(pool, instance, address)]
  },
}

function shares({ shareToken }: PoolInstance, address: Address): EntryName[] {
  return shareToken === '' ? [] : [balanceName(shareToken, address)]
}

function ranges(pool: ContractId, address: Address, read: readonly EntryValue[]): EntryName[] {
  const user = read.find(({ key, contract }) => contract === pool && readPoolKey(key)?.name === 'User')
  const listed = user === undefined ? [] : (readConcentratedUser(user.value)?.ranges ?? [])
  return listed.map(([lower, upper]) => named(pool, 'Position', sc.address(address), sc.i32(lower), sc.i32(upper)))
}

function rewards(pool: ContractId, { rewards: { gauges } }: PoolInstance, address: Address): EntryName[] {
  return [
    ...['UserRewardData', 'WorkingBalance', 'UserRewardsState'].map((name) => named(pool, name, sc.address(address))),
    ...gauges.map(([, gauge]) => named(gauge, 'UserRewardData', sc.address(address))),
  ]
}

function named(contract: ContractId, name: string, ...of: readonly ScVal[]): EntryName {
  return { contract, key: writeScVal(sc.vec(sc.symbol(name), ...of)), durability: 'persistent' }
}
