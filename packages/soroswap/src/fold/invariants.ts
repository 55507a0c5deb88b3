// What must hold at the end of every ledger.

import type { Journal } from '@orrery/fold-kit'
import type { Changes } from '../state/changes.ts'

/** The supply is the sum of all holders' shares. Holds for pairs that the index has seen since their creation. */
export function checkSupply(changes: Changes, journal: Journal): void {
  for (const pair of changes.pairs) {
    const supply = pair.instance?.value.totalSupply
    if (pair.listing === null || supply === undefined || supply === pair.heldShares) continue
    journal.notice(pair.pair, 'invariant', 'supply differs from the sum of balances')
  }
}
