// The entries of one ledger, applied to the state: afterwards it is that of the ledger's end.
// Entries are absolute, so applying one again changes nothing, and nothing is ever added up from events.
// The first record of a key brings its pre-image along: the index began after the entry did.

import { applyTokenInstance, isInstanceKey, type KeyedRecord, type LedgerContext, readBalanceHolder } from '@orrery/fold-kit'
import type { Slice } from '@orrery/protocol-kit'
import { readPoolKey, rewardPageOf } from '../chain/pool-entries.ts'
import { boost } from '../state/boost.ts'
import { Changes } from '../state/changes.ts'
import { gauge } from '../state/gauge.ts'
import type { AquariusState } from '../state/state.ts'
import { applyBalance, applyGaugeEntry, applyPoolEntry, applyPoolInstance, applyRewardPages, applyShareEntry } from './apply-pool.ts'
import { applyRouterEntry, listPools } from './apply-router.ts'
import type { ApplyingRecords } from './applying-records.ts'
import type { Directory } from './directory.ts'

/** Announcements first, then which pools are owned, instances, pages of rewards, and last what needs all of these. */
export function applyRecords({ state, slice, journal }: LedgerContext<AquariusState>, directory: Directory): Changes {
  const context: ApplyingRecords = { state, journal, directory, changes: new Changes() }
  listPools(slice, context)
  markOwned(slice, context)
  const { instances, pages, others, workingBalances } = sorted(slice, directory)
  for (const record of instances) if (directory.pool(record.contract) !== undefined) applyPoolInstance(record, context)
  for (const record of instances) if (directory.pool(record.contract) === undefined) applyOtherInstance(record, context)
  applyRewardPages(pages, context)
  for (const record of others) applyEntry(record, context)
  for (const record of workingBalances) applyEntry(record, context)
  return context.changes
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
    const isOfPool = directory.pool(record.contract) !== undefined
    if (isOfPool && rewardPageOf(record.key) !== null) pages.push(record)
    else if (isOfPool && readPoolKey(record.key)?.name === 'WorkingBalance') workingBalances.push(record)
    else others.push(record)
  }
  return { instances, pages, others, workingBalances }
}

/** A pool is owned when something of it is: balances come by the contracts of their tokens, and this decides whose they are. */
function markOwned(slice: Slice, { directory }: ApplyingRecords): void {
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

function applyOtherInstance(record: KeyedRecord, context: ApplyingRecords): void {
  const { directory, state, journal } = context
  const { contract } = record
  const gaugePool = directory.poolOfGauge(contract)
  if (directory.isRouter(contract)) applyRouterEntry(record, context)
  else if (directory.isBoostFeed(contract)) boost.apply(record, { contract }, context)
  else if (gaugePool !== undefined) {
    if (gaugePool.owned) gauge.apply(record, { contract: gaugePool.pool, gauge: contract }, context)
  } else if (directory.poolOfShares(contract) === undefined && !directory.isPriceSource(contract))
    applyTokenInstance(state.assets, record, journal)
}

function applyEntry(record: KeyedRecord, context: ApplyingRecords): void {
  const { directory } = context
  if (directory.isRouter(record.contract)) {
    applyRouterEntry(record, context)
    return
  }
  const pool = directory.pool(record.contract)
  if (pool?.owned) applyPoolEntry(pool, record, context)
  const gaugePool = directory.poolOfGauge(record.contract)
  if (gaugePool?.owned) applyGaugeEntry(gaugePool, record, context)
  const issuer = directory.pool(directory.poolOfShares(record.contract) ?? '')
  if (issuer?.owned) applyShareEntry(issuer, record, context)
  const holder = readBalanceHolder(record.key)
  if (holder !== null) applyBalance(holder, record, context)
}
