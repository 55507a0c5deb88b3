// What the entries of one ledger changed in value, for snapshots. A longer TTL or another place in the list is no change.

import type { LockingState, StakeState, VaultState } from './state.ts'

export class Changes {
  readonly vaults = new Set<VaultState>()
  /** Denominations whose conditions or totals changed. */
  readonly currencies = new Set<string>()
  readonly stakes = new Set<StakeState>()
  readonly locking = new Set<LockingState>()
}
