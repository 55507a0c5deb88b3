// What one ledger changed in value, for costs and snapshots. A longer life is no change.

import type { Address, ContractId } from '@orrery/ledger'
import type { BackstopBalance, BackstopUser, PoolInstance, Positions, ReserveConfig, ReserveData } from '../chain/values.ts'
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

/** The pool's changes, made when it had none. */
export function changesOf(changes: Changes, pool: PoolState): PoolChanges {
  const known = changes.get(pool)
  if (known !== undefined) return known
  const made: PoolChanges = { pool: false, instanceBefore: null, reserves: new Map(), backstopBefore: null, accounts: new Map() }
  changes.set(pool, made)
  return made
}
