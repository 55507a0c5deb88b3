// What one ledger changed in value, for costs and snapshots. A longer TTL is no change.

import { getOrMake } from '@orrery/fold-kit'
import type { Address, ContractId } from '@orrery/ledger'
import {
  type BackstopBalance,
  type BackstopUser,
  NO_BACKSTOP_SHARES,
  NO_POSITIONS,
  type PoolInstance,
  type Positions,
  type ReserveConfig,
  type ReserveData,
} from '../chain/values.ts'
import type { PoolState } from './state.ts'

/** An account as it was at the ledger's start. */
export interface AccountBefore {
  readonly positions: Positions
  readonly backstop: BackstopUser
}

/** A reserve as it was at the ledger's start; null what was unknown then. */
export interface ReserveBefore {
  readonly data: ReserveData | null
  readonly config: ReserveConfig | null
}

/** What one ledger changed in one pool. Every pool in `Changes` has at least one of these. */
export interface PoolChanges {
  /** Something that its pool rows show: instance, reserves, backstop, emissions, cash. */
  pool: boolean
  /** The instance at the ledger's start. Null: it did not change, or was unknown. */
  instanceBefore: PoolInstance | null
  /** Reserves whose data or config changed. */
  readonly reserves: Map<ContractId, ReserveBefore>
  /** The backstop of the pool at the ledger's start. Null: it did not change, or there was none. */
  backstopBefore: BackstopBalance | null
  /** Accounts whose positions or backstop shares changed. */
  readonly accounts: Map<Address, AccountBefore>
}

/** Owned pools only. */
export type Changes = Map<PoolState, PoolChanges>

/** Of a pool in which nothing changed. */
export function unchanged(): PoolChanges {
  return { pool: false, instanceBefore: null, reserves: new Map(), backstopBefore: null, accounts: new Map() }
}

/** The pool's changes, made when it had none. */
export function changesOf(changes: Changes, pool: PoolState): PoolChanges {
  return getOrMake(changes, pool, unchanged)
}

/** Remembers the reserve as it was before its first change in the ledger. */
export function reserveChanged(changes: Changes, pool: PoolState, asset: ContractId, before: ReserveBefore): void {
  const { reserves } = changesOf(changes, pool)
  if (!reserves.has(asset)) reserves.set(asset, before)
}

/** Remembers the account as it was before its first change in the ledger. `before`: the part that is changed already. */
export function accountChanged(changes: Changes, pool: PoolState, user: Address, before: Partial<AccountBefore>): void {
  const { accounts } = changesOf(changes, pool)
  if (accounts.has(user)) return
  const now = pool.accounts.get(user)
  accounts.set(user, {
    positions: before.positions ?? now?.positions?.value ?? NO_POSITIONS,
    backstop: before.backstop ?? now?.backstop?.value ?? NO_BACKSTOP_SHARES,
  })
}
