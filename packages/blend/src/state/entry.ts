// What the declarations of Blend's state entries share.

import { type ApplyContext, member, type Place, stateEntry } from '@orrery/fold-kit'
import type { ContractId } from '@orrery/ledger'
import { type Changes, changesOf } from './changes.ts'
import { type BlendState, ownedPoolOf, type PoolState, poolOf } from './state.ts'

export const blendEntry = stateEntry<BlendState, Changes>()

/** A place in a pool that remembers the ledger of the pool's newest row. Null of a contract that is no pool. */
export function inPool<T>(state: BlendState, contract: ContractId, placeIn: (pool: PoolState) => Place<T>): Place<T> | null {
  const pool = ownedPoolOf(state, contract)
  if (pool === null) return null
  const place = placeIn(pool)
  return {
    get: place.get,
    set: (live, ledger) => {
      place.set(live, ledger)
      pool.changedLedger = Math.max(pool.changedLedger, ledger)
    },
  }
}

/** A member of what the state holds of a contract. Null of a contract of another role. */
export function memberOf<O, K extends keyof O>(of: O | null, name: K): ReturnType<typeof member<O, K>> | null {
  return of === null ? null : member(of, name)
}

/** The pool has a snapshot at this ledger. */
export function poolChanged(
  _: unknown,
  { contract }: { readonly contract: ContractId },
  { state, changes }: ApplyContext<BlendState, Changes>,
): void {
  changesOf(changes, poolOf(state, contract)).pool = true
}
