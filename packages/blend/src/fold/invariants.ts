// What must hold at the end of every ledger, of all that it changed: shares of accounts add up to the totals of the contracts.
// Checked of pools that the index has seen from their creation. A difference is a notice: health names it, and the fold goes on.

import type { Journal } from '@orrery/fold-kit'
import { readCometKey } from '../chain/comet-entries.ts'
import type { Changes } from '../state/changes.ts'
import { assetsOf, type PoolState } from '../state/state.ts'
import type { Moment } from './ledger-end.ts'

export function checkSums(changes: Changes, journal: Journal): void {
  for (const pool of changes.keys()) {
    if (!pool.listed) continue
    checkReserves(pool, journal)
    const shares = pool.backstop.balance?.value.shares ?? 0n
    if (shares !== pool.sums.backstopShares) journal.notice(pool.pool, 'invariant', 'backstop shares differ from the sum of accounts')
  }
}

function checkReserves(pool: PoolState, journal: Journal): void {
  for (const [index, asset] of assetsOf(pool).entries()) {
    const data = pool.reserves.get(asset)?.data?.value
    if ((data?.bSupply ?? 0n) !== (pool.sums.bTokens.get(index) ?? 0n)) {
      journal.notice(pool.pool, 'invariant', 'bTokens of a reserve differ from the sum of positions')
    }
    if ((data?.dSupply ?? 0n) !== (pool.sums.dTokens.get(index) ?? 0n)) {
      journal.notice(pool.pool, 'invariant', 'dTokens of a reserve differ from the sum of positions')
    }
  }
}

/** The partition that owns the Comet pool knows all holders of its LP tokens, if the index saw the first of them. */
export function checkLpSupply({ state, slice, directory, journal }: Moment): void {
  for (const { class: recordClass, record } of slice.records) {
    if (recordClass !== 'owned' || record.kind !== 'entry' || directory.roleOf(record.contract) !== 'comet') continue
    const comet = state.comets.get(record.contract)
    if (comet === undefined || !comet.wholeLife || readCometKey(record.key).kind !== 'total_shares') continue
    if ((comet.totalShares?.value ?? 0n) !== comet.heldShares) {
      journal.notice(record.contract, 'invariant', 'LP tokens differ from the sum of balances')
    }
  }
}
