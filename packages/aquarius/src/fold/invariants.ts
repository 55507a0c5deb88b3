// What must hold of every pool that a ledger changed. A notice where it does not: the index or our reading of it is wrong, and somebody should look.

import type { Journal } from '@orrery/fold-kit'
import type { Changes } from '../state/changes.ts'
import type { AquariusState, PoolState } from '../state/state.ts'
import { poolType } from '../view/valuation.ts'
import type { Operation } from './operation.ts'

export function checkInvariants(state: AquariusState, changes: Changes, operations: readonly Operation[], journal: Journal): void {
  for (const pool of changes.pools) {
    if (poolType(pool) === 'unknown') continue
    checkShares(pool, journal)
    checkBalances(pool, journal)
  }
  checkReserves(state, operations, journal)
}

/** Every share is somebody's, or was burnt by its holder, which the pool does not notice. Holds where every holder is known. */
function checkShares(pool: PoolState, journal: Journal): void {
  const total = pool.instance?.value.totalShares
  if (!pool.listing?.isAnnounced || total === undefined || pool.heldShares + pool.burntShares === total) return
  journal.notice(pool.pool, 'invariant', 'shares of holders and burnt ones differ from the supply')
}

/** A pool holds its reserves and the protocol's fees, and rewards on top. */
function checkBalances(pool: PoolState, journal: Journal): void {
  const instance = pool.instance?.value
  for (const [n, token] of (instance?.tokens ?? []).entries()) {
    const balance = pool.balances.get(token)?.value
    const kept = (instance?.reserves[n] ?? 0n) + (instance?.protocolFees[n] ?? 0n)
    if (balance !== undefined && balance < kept) journal.notice(pool.pool, 'invariant', 'the pool holds less than its reserves and fees')
  }
}

/** The last reserves that a pool told are those in its instance. */
function checkReserves(state: AquariusState, operations: readonly Operation[], journal: Journal): void {
  const told = new Map<string, readonly bigint[]>()
  for (const { events } of operations) {
    for (const { pool, owned, event } of events) {
      if (owned && event.name === 'update_reserves') told.set(pool, event.reserves)
      // A view in somebody's transaction raised them, and says no more than that.
      if (event.name === 'reserves_sync') told.delete(pool)
    }
  }
  for (const [pool, reserves] of told) {
    const stored = state.pools.get(pool)?.instance?.value.reserves
    if (stored !== undefined && stored.length > 0 && stored.join() !== reserves.join()) {
      journal.notice(pool, 'invariant', 'the reserves that were told differ from those stored')
    }
  }
}
