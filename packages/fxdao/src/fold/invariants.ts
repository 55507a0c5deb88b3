// What must hold at the end of every ledger.

import type { Journal } from '@orrery/fold-kit'
import type { FxdaoState } from '../state/state.ts'

/**
 * The stored count and collateral of a currency equal those of its vaults. Its debt may differ: evictions leave it behind.
 * Holds only where the index has seen every vault since it was opened.
 */
export function checkTotals(state: FxdaoState, journal: Journal): void {
  for (const [denomination, { value: totals }] of state.totals) {
    const vaults = [...state.vaults.values()].filter((it) => it.denomination === denomination && it.vault !== null)
    if (BigInt(vaults.length) > totals.vaults) {
      journal.notice(state.vaultsContract, 'invariant', `more vaults of ${denomination} than the contract counts`)
    }
    if (BigInt(vaults.length) !== totals.vaults) continue
    const collateral = vaults.reduce((sum, { vault }) => sum + (vault?.value.collateral ?? 0n), 0n)
    if (collateral !== totals.collateral) {
      journal.notice(state.vaultsContract, 'invariant', `collateral of ${denomination} differs from the sum of its vaults`)
    }
  }
}
