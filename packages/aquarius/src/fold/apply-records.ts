// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from events.
// A key that was never seen brings its old value along: the index began in the middle of its life.

import { applyTokenInstance, isInstanceKey, type Journal, type KeyedRecord, readBalanceHolder } from '@orrery/fold-kit'
import type { Slice } from '@orrery/protocol-kit'
import { readPoolKey } from '../chain/pool-entries.ts'
import type { RewardPages } from '../math/reward-index.ts'
import { Changes } from '../state/changes.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { applyGaugeEntry, applyPoolEntry, applyShareEntry } from './apply-holders.ts'
import { applyBalance, applyGaugeInstance, applyPoolInstance } from './apply-instances.ts'
import { applyRewardPages } from './apply-reward-pages.ts'
import { applyBoostFeed, applyRouterEntry, listPools } from './apply-router.ts'
import type { Directory } from './directory.ts'

export interface Applying {
  readonly state: AquariusState
  readonly journal: Journal
  readonly directory: Directory
  readonly changes: Changes
  /** Pages of rewards that this ledger changed, by pool: users are summed up with them. */
  readonly rewardPages: Map<PoolState, RewardPages>
}

/** Announcements first, then who belongs to whom, instances, pages of rewards, and last what needs all of these. */
export function applyRecords(state: AquariusState, slice: Slice, directory: Directory, journal: Journal): Changes {
  const applying: Applying = { state, journal, directory, changes: new Changes(), rewardPages: new Map() }
  listPools(slice, applying)
  markOwned(slice, applying)
  const { instances, pages, others, workingBalances } = sorted(slice, directory)
  for (const record of instances) if (directory.pool(record.contract) !== undefined) applyPoolInstance(record, applying)
  for (const record of instances) if (directory.pool(record.contract) === undefined) applyOtherInstance(record, applying)
  applyRewardPages(pages, applying)
  for (const record of others) applyEntry(record, applying)
  for (const record of workingBalances) applyEntry(record, applying)
  return applying.changes
}

/** Working balances come last: they are made from shares, which are other entries. */
function sorted(slice: Slice, directory: Directory) {
  const instances: KeyedRecord[] = []
  const pages: KeyedRecord[] = []
  const others: KeyedRecord[] = []
  const workingBalances: KeyedRecord[] = []
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || !('key' in record)) continue
    if (isInstanceKey(record.key)) {
      instances.push(record)
      continue
    }
    const kind = directory.pool(record.contract) === undefined ? null : readPoolKey(record.key).kind
    if (kind === 'reward_page') pages.push(record)
    else if (kind === 'working_balance') workingBalances.push(record)
    else others.push(record)
  }
  return { instances, pages, others, workingBalances }
}

/** A pool is ours when something of it is: balances come by the contracts of their tokens and are told apart by this. */
function markOwned(slice: Slice, { directory }: Applying): void {
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass !== 'owned' || record.contract === null) continue
    const pool = directory.pool(record.contract)
    if (pool !== undefined && !pool.owned && (record.kind === 'event' || 'key' in record)) pool.owned = isOfPool(record)
  }
}

/** A share token that is a pool's token has balances of that pool; of a pool itself everything is its own. */
function isOfPool(record: { readonly kind: string; readonly key?: Uint8Array }): boolean {
  return record.key === undefined || readBalanceHolder(record.key) === null
}

function applyOtherInstance(record: KeyedRecord, applying: Applying): void {
  const { directory } = applying
  const { contract } = record
  if (directory.isRouter(contract)) applyRouterEntry(record, applying)
  else if (directory.isBoostFeed(contract)) applyBoostFeed(record, applying)
  else if (directory.poolOfGauge(contract) !== undefined) applyGaugeInstance(record, applying)
  else if (directory.poolOfShares(contract) === undefined && !directory.isPriceSource(contract))
    applyTokenInstance(applying.state.assets, record, applying.journal)
}

function applyEntry(record: KeyedRecord, applying: Applying): void {
  const { directory } = applying
  if (directory.isRouter(record.contract)) {
    applyRouterEntry(record, applying)
    return
  }
  const pool = directory.pool(record.contract)
  if (pool?.owned) applyPoolEntry(pool, record, applying)
  const gaugePool = directory.poolOfGauge(record.contract)
  if (gaugePool?.owned) applyGaugeEntry(gaugePool, record, applying)
  const issuer = directory.pool(directory.poolOfShares(record.contract) ?? '')
  if (issuer?.owned) applyShareEntry(issuer, record, applying)
  const holder = readBalanceHolder(record.key)
  if (holder !== null) applyBalance(holder, record, applying)
}
