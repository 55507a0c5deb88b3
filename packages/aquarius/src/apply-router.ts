// What the router and the boost feed tell: new pools, the list of pools, the router's settings and running rewards, boost tokens locked.

import { applyTo, type EntryAccess, type KeyedRecord } from '@orrery/fold-kit'
import { type EntryRecord, u128 } from '@orrery/ledger'
import type { Slice } from '@orrery/protocol-kit'
import type { Applying } from './apply-records.ts'
import { encode } from './encode.ts'
import {
  type ListedPool,
  type RouterInstance,
  type RouterRewards,
  readListedPools,
  readRouterInstance,
  readRouterKey,
  readRouterRewards,
} from './router-entries.ts'
import { readRouterEvent } from './router-events.ts'
import { type PoolState, poolOf } from './state.ts'
import { stateKey } from './state-keys.ts'
import { readStored } from './stored.ts'

/** Pools that routers announce or list in this ledger: known before anything of theirs is applied. */
export function listPools(slice: Slice, applying: Applying): void {
  announce(slice, applying)
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass === 'context' || record.kind !== 'entry' || !applying.directory.isRouter(record.contract)) continue
    if (readRouterKey(record.key).kind === 'pools') applyList(record, applying)
  }
}

function announce(slice: Slice, { state, journal, directory }: Applying): void {
  for (const { record } of slice.records) {
    if (record.kind !== 'event' || record.contract === null || !directory.isRouter(record.contract)) continue
    const event = readRouterEvent(record)
    if (event.name !== 'add_pool') continue
    const { pool: contract, tokens, kind, index } = event.newPool
    const pool = poolOf(state, contract)
    pool.tokens = tokens
    pool.listing = { router: record.contract, kind, index, tokens, isAnnounced: true }
    pool.isRegistered = true
    writeListing(pool, { journal }, false)
    if (!KNOWN_KINDS.has(kind)) journal.notice(contract, 'event', `a pool of kind ${kind.slice(0, 32)}, whose formulas we do not know`)
  }
}

/** Words of `add_pool` whose formulas we have. */
export const KNOWN_KINDS: ReadonlySet<string> = new Set(['constant', 'stable', 'concentrated'])

export function applyRouterEntry(record: KeyedRecord, applying: Applying): void {
  const { state, journal } = applying
  const router = record.contract
  const key = readRouterKey(record.key)
  switch (key.kind) {
    case 'instance':
      applyTo(instanceCell(router, applying), record, journal)
      return
    case 'rewards':
      if (applyTo(rewardsCell(router, state.ledger, applying), record, journal).kind === 'unreadable') {
        journal.notice(router, 'entry', 'unreadable rewards of the router')
      }
      return
    case 'unknown':
      journal.notice(router, 'entry', 'unknown key of the router')
  }
}

/**
 * The pools of one set of tokens. A pool that is taken off the list says nothing: the entry before and after is all there is.
 * One that nobody announced is older than the index.
 */
function applyList(record: EntryRecord, applying: Applying): void {
  const { state, journal } = applying
  if (record.value === null) return
  const now = readListedPools(record.value)
  const before = record.before === null ? [] : readListedPools(record.before)
  if (now === null || before === null) {
    journal.notice(record.contract, 'entry', 'unreadable list of pools')
    return
  }
  const isAdopted = record.change === 'adopted'
  for (const listed of now) registerPool(listed, record.contract, isAdopted, applying)
  for (const { pool } of before) {
    const known = state.pools.get(pool)
    if (isAdopted || known?.listing == null || now.some((listed) => listed.pool === pool)) continue
    known.isRegistered = false
    writeListing(known, applying, false)
  }
}

function registerPool({ pool: contract, kind, index }: ListedPool, router: string, isAdopted: boolean, applying: Applying): void {
  const pool = poolOf(applying.state, contract)
  if (pool.listing !== null && (pool.isRegistered || isAdopted)) return
  pool.listing ??= { router, kind, index, tokens: [], isAnnounced: false }
  pool.isRegistered = true
  writeListing(pool, applying, isAdopted)
}

/** Under the router for who asks which pools there are, under the pool for who asks about it alone. Every partition writes the same. */
function writeListing(pool: PoolState, { journal }: Pick<Applying, 'journal'>, inferred: boolean): void {
  if (pool.listing === null) return
  const write = inferred ? journal.infer.bind(journal) : journal.write.bind(journal)
  const shared = { durability: 'fact', shared: true } as const
  const value = encode.listing(pool.listing, pool.isRegistered)
  write({ ...shared, contract: pool.listing.router, key: stateKey.listing(pool.pool), value })
  write({ ...shared, contract: pool.pool, key: stateKey.registered, value })
}

function instanceCell(router: string, { state }: Applying): EntryAccess<RouterInstance> {
  return {
    row: { contract: router, key: stateKey.router },
    get: () => state.routers.get(router)?.instance ?? null,
    set: (instance) => state.routers.set(router, { ...state.routers.get(router), instance }),
    read: (value) => readRouterInstance(value, router),
    encode: encode.router,
  }
}

function rewardsCell(router: string, ledger: number, { state }: Applying): EntryAccess<RouterRewards> {
  return {
    row: { contract: router, key: stateKey.rewards },
    durability: 'temporary',
    get: () => {
      const rewards = state.routers.get(router)?.rewards
      return rewards === undefined || (rewards.liveUntil !== 0 && rewards.liveUntil < ledger) ? null : rewards
    },
    set: (rewards) => state.routers.set(router, { ...state.routers.get(router), rewards }),
    delete: () => {
      const { instance } = state.routers.get(router) ?? {}
      state.routers.set(router, instance === undefined ? {} : { instance })
    },
    read: readRouterRewards,
    encode: encode.routerRewards,
  }
}

/** Boost tokens locked by everybody. Every partition needs them: they are part of the boost in pools of old releases. */
export function applyBoostFeed(record: KeyedRecord, { state, journal }: Applying): void {
  const feed = record.contract
  const cell: EntryAccess<bigint> = {
    row: { contract: feed, key: stateKey.boost, shared: true },
    get: () => state.boostSupplies.get(feed) ?? null,
    set: (live) => state.boostSupplies.set(feed, live),
    read: (value) => readStored(value, feed, 'boost feed instance').get('TotalSupply', u128) ?? 0n,
    encode: encode.amount,
  }
  applyTo(cell, record, journal)
}
