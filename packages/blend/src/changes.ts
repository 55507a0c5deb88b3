// What one ledger changed in value, for costs and snapshots. A longer life is no change.

import type { Address, ContractId } from '@orrery/ledger'
import type { BackstopUser, Positions, ReserveData } from './chain.ts'
import type { PoolState } from './state.ts'

/** An account as it was at the ledger's start. */
export interface AccountBefore {
  readonly positions: Positions
  readonly backstop: BackstopUser
}

/** What one ledger changed in one pool. Every pool in `Changes` has at least one of these. */
export interface PoolChanges {
  /** Something that its pool rows show: instance, reserves, backstop, emissions, cash. */
  pool: boolean
  /** Reserves whose data or config changed; with their data at the ledger's start, null where there was none. */
  readonly reserves: Map<ContractId, ReserveData | null>
  /** Accounts whose positions or backstop shares changed. */
  readonly accounts: Map<Address, AccountBefore>
}

/** Owned pools only. */
export type Changes = Map<PoolState, PoolChanges>

/** The pool's changes, made when it had none. */
export function changesOf(changes: Changes, pool: PoolState): PoolChanges {
  const known = changes.get(pool)
  if (known !== undefined) return known
  const made: PoolChanges = { pool: false, reserves: new Map(), accounts: new Map() }
  changes.set(pool, made)
  return made
}
