// What routers announce and store: new pools, the list of pools, their settings and running rewards.

import { isInstanceKey, type KeyedRecord } from '@orrery/fold-kit'
import type { ContractId, EntryRecord } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import { isPoolListKey, type ListedPool, readListedPools, readRouterKey } from '../chain/router-entries.ts'
import { readRouterEvent } from '../chain/router-events.ts'
import type { Listing } from '../state/derived-values.ts'
import { listing, registered } from '../state/listing.ts'
import { rewards, router } from '../state/router.ts'
import { type PoolState, poolOf } from '../state/state.ts'
import { KNOWN_KINDS } from '../view/valuation.ts'
import type { ApplyingRecords } from './applying-records.ts'

/** Pools that routers announce or list in this ledger: known before anything of theirs is applied. */
export function listPools(slice: Slice, context: ApplyingRecords): void {
  announce(slice, context)
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || record.kind !== 'entry' || !context.directory.isRouter(record.contract)) continue
    if (isPoolListKey(record.key)) applyList(record, context)
  }
}

function announce(slice: Slice, context: ApplyingRecords): void {
  const { state, journal, directory } = context
  for (const { record } of slice.records) {
    if (record.kind !== 'event' || record.contract === null || !directory.isRouter(record.contract)) continue
    const event = readRouterEvent(record)
    if (event.name !== 'add_pool') continue
    const { pool: contract, tokens, kind, index } = event.newPool
    const pool = poolOf(state, contract)
    pool.tokens = tokens
    writeListing(pool, { router: record.contract, kind, index, tokens, isRegistered: true, isAnnounced: true }, context)
    if (!KNOWN_KINDS.has(kind)) journal.notice(contract, 'event', `a pool of kind ${kind.slice(0, 32)}, whose formulas we do not know`)
  }
}

export function applyRouterEntry(record: KeyedRecord, context: ApplyingRecords): void {
  const { contract } = record
  const key = readRouterKey(record.key)
  if (isInstanceKey(record.key)) router.apply(record, { contract }, context)
  else if (key === null) context.journal.notice(contract, 'entry', 'unknown key of the router')
  else if (key.name === 'RewardsConfig') rewards.apply(record, { contract }, context)
}

/**
 * The pools of one set of tokens. No event announces a pool that is taken off the list: the entry before and after is all there is.
 * A listed pool that was never announced predates the index.
 */
function applyList(record: EntryRecord, context: ApplyingRecords): void {
  if (record.value === null) return
  const now = readListedPools(record.value)
  const before = record.before === null ? [] : readListedPools(record.before)
  if (now === null || before === null) {
    context.journal.notice(record.contract, 'entry', 'unreadable list of pools')
    return
  }
  const isBootstrap = record.change === 'bootstrap'
  for (const listed of now) registerPool(listed, record.contract, isBootstrap, context)
  for (const { pool } of before) {
    const known = context.state.pools.get(pool)
    if (isBootstrap || known?.listing == null || now.some((listed) => listed.pool === pool)) continue
    writeListing(known, { ...known.listing, isRegistered: false }, context)
  }
}

function registerPool({ pool: contract, kind, index }: ListedPool, by: ContractId, isBootstrap: boolean, context: ApplyingRecords): void {
  const pool = poolOf(context.state, contract)
  if (pool.listing !== null && (pool.listing.isRegistered || isBootstrap)) return
  const known = pool.listing ?? { router: by, kind, index, tokens: [], isAnnounced: false }
  writeListing(pool, { ...known, isRegistered: true }, context, isBootstrap)
}

/** Every partition writes the same. */
function writeListing({ pool }: PoolState, value: Listing, context: ApplyingRecords, isInferred = false): void {
  if (isInferred) {
    listing.infer(context, { contract: value.router, pool }, value)
    registered.infer(context, { contract: pool }, value)
  } else {
    listing.write(context, { contract: value.router, pool }, value)
    registered.write(context, { contract: pool }, value)
  }
}
