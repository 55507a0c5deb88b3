// Rows into the state. What is read here was written by the fold: a row that cannot be read is a bug of ours or a broken store, and stops the load.

import { type LiveEntry, StateValue, tokenOfValue } from '@orrery/fold-kit'
import type { Address } from '@orrery/ledger'
import type { StateRow } from '@orrery/protocol-kit'
import { decode } from './decode.ts'
import { type AquariusState, type Holder, holderOf, type PoolState, poolOf, rangeOf, setInstance, setRange, setShares } from './state.ts'
import { afterPrefix, stateKey } from './state-keys.ts'

/**
 * Puts one row into the state. Rows of pricing were taken by pricing before.
 * @throws OrreryError `corrupt`/`state_unreadable` naming contract, key and ledger.
 */
export function takeRow(state: AquariusState, row: StateRow): void {
  if (row.removed || (row.durability === 'temporary' && row.liveUntil !== 0 && row.liveUntil < state.ledger)) return
  const value = new StateValue(row)
  if (takeElsewhere(state, row, value)) return
  const pool = poolOf(state, row.contract)
  // Shared rows of a pool are prices and its place in the list; whatever else is here was folded by this partition.
  if (row.key !== stateKey.registered) pool.owned = true
  const isTaken = row.owner === '' ? takeOfPool(state, pool, row, value) : takeOfHolder(pool, row.owner, row, value)
  if (!isTaken) throw value.broken('key')
}

/** Rows that are filed under another contract than a pool. */
function takeElsewhere(state: AquariusState, row: StateRow, value: StateValue): boolean {
  const listed = afterPrefix(row.key, 'pool:')
  if (listed !== null) {
    takeListing(poolOf(state, listed), value)
    return true
  }
  switch (row.key) {
    case stateKey.router:
      state.routers.set(row.contract, { ...state.routers.get(row.contract), instance: live(row, decode.router(value)) })
      return true
    case stateKey.rewards:
      state.routers.set(row.contract, { ...state.routers.get(row.contract), rewards: live(row, decode.routerRewards(value)) })
      return true
    case stateKey.share:
      state.shareTokens.set(row.contract, decode.share(value))
      return true
    case stateKey.boost:
      state.boostSupplies.set(row.contract, live(row, value.integer('amount')))
      return true
    case stateKey.asset:
      state.assets.set(row.contract, tokenOfValue(value))
      return true
    default:
      return false
  }
}

/** Told in the router's list, and under the pool for who asks about it alone. */
function takeListing(pool: PoolState, value: StateValue): void {
  const listing = decode.listing(value)
  // The instance knows better, whichever row comes first.
  if (pool.instance === null && listing.tokens.length > 0) pool.tokens = listing.tokens
  pool.isRegistered = value.flag('registered')
  pool.listing = listing
}

function takeOfPool(state: AquariusState, pool: PoolState, row: StateRow, value: StateValue): boolean {
  const { key } = row
  switch (key) {
    case stateKey.pool:
      setInstance(state, pool, live(row, decode.pool(value)), row.ledger)
      // Told by a row under the share token too; who reads only the pool finds it here.
      if (pool.instance?.value.shareToken) state.shareTokens.set(pool.instance.value.shareToken, { pool: pool.pool, counts: true })
      return true
    case stateKey.registered:
      takeListing(pool, value)
      return true
    case stateKey.rewardIndex:
      pool.rewardIndex = decode.rewardIndex(value)
      return true
    case stateKey.burnt:
      pool.burntShares = value.integer('amount')
      return true
    case stateKey.counters:
      pool.counters = value.counters()
      return true
  }
  const token = afterPrefix(key, 'balance:')
  if (token !== null) pool.balances.set(token, live(row, value.integer('amount')))
  const gauge = afterPrefix(key, 'gauge:')
  if (gauge !== null) {
    pool.gauges.set(gauge, live(row, decode.gauge(value)))
    state.gaugePools.set(gauge, pool.pool)
  }
  const funded = afterPrefix(key, 'gauge_balance:')
  if (funded !== null) pool.gaugeBalances.set(funded, live(row, value.integer('amount')))
  const chunk = afterPrefix(key, 'ticks:')
  if (chunk !== null) pool.chunks.set(Number(chunk), live(row, decode.ticks(value)))
  return (token ?? gauge ?? funded ?? chunk) !== null
}

function takeOfHolder(pool: PoolState, owner: Address, row: StateRow, value: StateValue): boolean {
  const { key } = row
  if (key === stateKey.small(owner)) {
    pool.small.add(owner)
    return true
  }
  const holder: Holder = holderOf(pool, owner)
  switch (key) {
    case stateKey.shares(owner):
      setShares(pool, owner, live(row, value.integer('amount')))
      return true
    case stateKey.nextShares(owner):
      holder.nextShares = live(row, value.integer('amount'))
      return true
    case stateKey.reward(owner):
      holder.reward = live(row, decode.reward(value))
      return true
    case stateKey.workingBalance(owner):
      holder.workingBalance = live(row, decode.workingBalance(value))
      return true
    case stateKey.takesRewards(owner):
      holder.takesRewards = live(row, value.flag('value'))
      return true
    case stateKey.user(owner):
      holder.user = live(row, decode.user(value))
      return true
    case stateKey.cost(owner):
      holder.cost = value.cost()
      return true
  }
  const range = afterPrefix(key, stateKey.range(owner, ''))
  if (range !== null) setRange(pool, rangeNamed(holder, range), live(row, decode.range(value)))
  const rangeCost = afterPrefix(key, stateKey.rangeCost(owner, ''))
  if (rangeCost !== null) rangeNamed(holder, rangeCost).cost = value.cost()
  const gauge = afterPrefix(key, stateKey.gaugeUser(owner, ''))
  if (gauge !== null) holder.gauges.set(gauge, live(row, decode.gaugeUser(value)))
  return (range ?? rangeCost ?? gauge) !== null
}

function rangeNamed(holder: Holder, name: string) {
  const [tickLower = '', tickUpper = ''] = name.split(':')
  return rangeOf(holder, Number(tickLower), Number(tickUpper))
}

function live<T>({ liveUntil }: StateRow, value: T): LiveEntry<T> {
  return { value, liveUntil }
}
