// What must hold of every pool that a ledger changed. A notice where it does not: the index or this package's reading of it is wrong.

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

/** Every share has a holder, or was burnt by its holder, which the pool goes on counting. Holds where every holder is known. */
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

/** The reserves in the last event of a pool are those in its instance. */
function checkReserves(state: AquariusState, operations: readonly Operation[], journal: Journal): void {
  const reported = new Map<string, readonly bigint[]>()
  for (const { events } of operations) {
    for (const seen of events) {
      if (seen.owned && seen.name === 'update_reserves') reported.set(seen.pool, seen.reserves)
      // A view that a transaction called raised them, and the event has no reserves.
      if (seen.name === 'reserves_sync') reported.delete(seen.pool)
    }
  }
  for (const [pool, reserves] of reported) {
    const stored = state.pools.get(pool)?.instance?.value.reserves
    if (stored !== undefined && stored.length > 0 && stored.join() !== reserves.join()) {
      journal.notice(pool, 'invariant', 'the reserves that were told differ from those stored')
    }
  }
}
