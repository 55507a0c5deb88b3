// Entries of a pool, its share token and its gauges that belong to holders: shares, ranges, rewards. And the ticks that ranges end on.

import { applyTo, type EntryAccess, type KeyedRecord } from '@orrery/fold-kit'
import { type Address, i128, matches } from '@orrery/ledger'
import type { Applying } from './apply-records.ts'
import { encode } from './encode.ts'
import { type GaugeUser, readGaugeUser, readGaugeUserKey } from './gauge-entries.ts'
import {
  type ConcentratedUser,
  type RangePosition,
  readConcentratedUser,
  readPoolKey,
  readRangePosition,
  readRewardsState,
  readTickChunk,
  readUserRewardEntry,
  readWorkingBalance,
  type TickChunk,
} from './pool-entries.ts'
import { since } from './release.ts'
import { RewardPages, type UserReward } from './reward-index.ts'
import { readShareKey } from './share-entries.ts'
import { holderOf, type PoolState, rangeName, rangeOf, setRange, setShares, sharesOf, totalLocked } from './state.ts'
import { stateKey } from './state-keys.ts'
import type { WorkingBalance } from './working-balance.ts'

export function applyPoolEntry(pool: PoolState, record: KeyedRecord, applying: Applying): void {
  const key = readPoolKey(record.key)
  if (key.kind === 'range') applyRange(pool, key, record, applying)
  if (key.kind === 'user_reward') apply(userRewardCell(pool, key.user, applying), record, applying)
  if (key.kind === 'working_balance') apply(workingBalanceCell(pool, key.user, applying), record, applying)
  if (key.kind === 'rewards_state') apply(takesRewardsCell(pool, key.user), record, applying)
  if (key.kind === 'user') apply(userCell(pool, key.user), record, applying)
  if (key.kind === 'ticks') apply(ticksCell(pool, key.chunk), record, applying)
  // A kind that we do not know has keys that we do not know: that was said once, with its instance.
  if (key.kind === 'unknown' && pool.instance?.value.layout !== 'other')
    applying.journal.notice(pool.pool, 'entry', 'unknown key of a pool')
}

export function applyGaugeEntry(pool: PoolState, record: KeyedRecord, applying: Applying): void {
  const user = readGaugeUserKey(record.key)
  if (user === null) applying.journal.notice(record.contract, 'entry', 'unknown key of a gauge')
  else apply(gaugeUserCell(pool, user, record.contract), record, applying)
}

export function applyShareEntry(pool: PoolState, record: KeyedRecord, applying: Applying): void {
  const { journal, changes } = applying
  const key = readShareKey(record.key)
  if (key.kind === 'unknown') journal.notice(record.contract, 'entry', 'unknown key of a share token')
  if (key.kind !== 'shares') return
  const instance = pool.instance?.value
  // Of two share tokens that a pool has had, the one that its instance names counts; the next one waits, and the last one is nobody's.
  if (instance?.nextShareToken === record.contract) apply(nextSharesCell(pool, key.holder), record, applying)
  if (instance !== undefined && instance.shareToken !== '' && instance.shareToken !== record.contract) return
  const outcome = applyTo(sharesCell(pool, key.holder), record, journal)
  if (outcome.kind === 'unreadable') journal.notice(record.contract, 'entry', 'unreadable balance of shares')
  // A share token never removes a balance: it leaves a zero. The last value stands, as in an archive.
  if (record.kind === 'entry' && record.value === null) journal.notice(record.contract, 'entry', 'a balance of shares was removed')
  if (outcome.kind !== 'changed') return
  // An entry of nothing, made for who never had a share (a transfer of zero): nobody's position.
  if (outcome.before === null && outcome.now === 0n) return
  changes.shares(pool, key.holder, outcome.before ?? 0n)
}

function apply<T>(cell: EntryAccess<T>, record: KeyedRecord, { journal }: Applying): void {
  if (applyTo(cell, record, journal).kind === 'unreadable')
    journal.notice(record.contract, 'entry', `unreadable ${cell.row.key.split(':')[1] ?? cell.row.key}`)
}

function applyRange(
  pool: PoolState,
  { user, tickLower, tickUpper }: { readonly user: Address; readonly tickLower: number; readonly tickUpper: number },
  record: KeyedRecord,
  { journal, changes }: Applying,
): void {
  const range = rangeOf(holderOf(pool, user), tickLower, tickUpper)
  const name = rangeName(tickLower, tickUpper)
  const cell: EntryAccess<RangePosition> = {
    row: { contract: pool.pool, key: stateKey.range(user, name), owner: user },
    get: () => range.position,
    set: (live) => setRange(pool, range, live),
    delete: () => setRange(pool, range, null),
    read: readRangePosition,
    encode: encode.range,
  }
  const outcome = applyTo(cell, record, journal)
  if (outcome.kind === 'unreadable') journal.notice(pool.pool, 'entry', 'unreadable range')
  if (outcome.kind === 'changed' || outcome.kind === 'removed') changes.range(pool, user, name, outcome.before?.liquidity ?? 0n)
}

function sharesCell(pool: PoolState, holder: Address): EntryAccess<bigint> {
  return {
    row: { contract: pool.pool, key: stateKey.shares(holder), owner: holder },
    get: () => pool.holders.get(holder)?.shares ?? null,
    set: (live) => setShares(pool, holder, live),
    read: (value) => matches(i128, value),
    encode: encode.amount,
  }
}

function nextSharesCell(pool: PoolState, holder: Address): EntryAccess<bigint> {
  return {
    row: { contract: pool.pool, key: stateKey.nextShares(holder), owner: holder },
    get: () => pool.holders.get(holder)?.nextShares ?? null,
    set: (live) => {
      holderOf(pool, holder).nextShares = live
    },
    read: (value) => matches(i128, value),
    encode: encode.amount,
  }
}

/** With the sum of all increments at the user's checkpoint, which the pages of the same ledger tell. */
function userRewardCell(pool: PoolState, user: Address, { rewardPages }: Applying): EntryAccess<UserReward> {
  return {
    row: { contract: pool.pool, key: stateKey.reward(user), owner: user },
    get: () => pool.holders.get(user)?.reward ?? null,
    set: (live) => {
      holderOf(pool, user).reward = live
    },
    read: (value) => {
      const entry = readUserRewardEntry(value)
      if (entry === null) return null
      // Told again without a checkpoint: the pages of that one are long gone.
      const known = pool.holders.get(user)?.reward?.value
      if (known?.lastBlock === entry.lastBlock) return { ...entry, index: known.index }
      const pages = rewardPages.get(pool) ?? new RewardPages()
      return { ...entry, index: pages.totalAt(entry.lastBlock, pool.instance?.value.rewards.block ?? null, pool.rewardIndex) }
    },
    encode: encode.reward,
  }
}

/** Called when shares are those of the ledger's end: before v1.7 a later claim makes the balance anew from what it was made of. */
function workingBalanceCell(pool: PoolState, user: Address, { state }: Applying): EntryAccess<WorkingBalance> {
  return {
    row: { contract: pool.pool, key: stateKey.workingBalance(user), owner: user },
    get: () => pool.holders.get(user)?.workingBalance ?? null,
    set: (live) => {
      holderOf(pool, user).workingBalance = live
    },
    read: (value) => {
      const amount = readWorkingBalance(value)
      const instance = pool.instance?.value
      if (amount === null || instance === undefined) return null
      const known = pool.holders.get(user)?.workingBalance?.value
      if (known?.amount === amount) return known
      if (since.pastWorkingBalance(instance.release)) return { amount, terms: null }
      return { amount, terms: { shares: sharesOf(pool.holders.get(user)), supply: instance.totalShares, totalLocked: totalLocked(state) } }
    },
    encode: encode.workingBalance,
  }
}

function takesRewardsCell(pool: PoolState, user: Address): EntryAccess<boolean> {
  return {
    row: { contract: pool.pool, key: stateKey.takesRewards(user), owner: user },
    get: () => pool.holders.get(user)?.takesRewards ?? null,
    set: (live) => {
      holderOf(pool, user).takesRewards = live
    },
    read: readRewardsState,
    encode: encode.flag,
  }
}

function userCell(pool: PoolState, user: Address): EntryAccess<ConcentratedUser> {
  return {
    row: { contract: pool.pool, key: stateKey.user(user), owner: user },
    get: () => pool.holders.get(user)?.user ?? null,
    set: (live) => {
      holderOf(pool, user).user = live
    },
    read: readConcentratedUser,
    encode: encode.user,
  }
}

function ticksCell(pool: PoolState, chunk: number): EntryAccess<TickChunk> {
  return {
    row: { contract: pool.pool, key: stateKey.ticks(chunk) },
    get: () => pool.chunks.get(chunk) ?? null,
    set: (live) => pool.chunks.set(chunk, live),
    read: readTickChunk,
    encode: encode.ticks,
  }
}

function gaugeUserCell(pool: PoolState, user: Address, gauge: string): EntryAccess<GaugeUser> {
  return {
    row: { contract: pool.pool, key: stateKey.gaugeUser(user, gauge), owner: user },
    get: () => pool.holders.get(user)?.gauges.get(gauge) ?? null,
    set: (live) => holderOf(pool, user).gauges.set(gauge, live),
    read: readGaugeUser,
    encode: encode.gaugeUser,
  }
}
